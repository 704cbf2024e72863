import { expect, test } from 'vitest'
import { grantsOf, ownerOf } from '../../src/review/grants.ts'
import type { Access, Review } from '../../src/review/model.ts'
import { readReview } from '../../src/review/read.ts'
import { reviewText } from '../../src/review/text.ts'
import { decide } from '../../src/simulate/decide.ts'
import { sourceOf } from '../../src/source.ts'
import { emptyReview, reread } from '../support/reviewing.ts'
import { testSettings } from '../support/settings.ts'
import { questionOf, worldOf } from '../support/worlds.ts'

/** The file of a review, and the grants that it is about. */

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const granting = {
  name: 'readers',
  identities: [ann],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
}
const row = { policy: 'readers', identity: ann, access: [granting] as Access }

test('is read as it was written, with what is empty in an access', async () => {
  const access: Access = [{ ...granting, conditions: { operator: 'XOR', values: {}, conditions: [] } }]
  const review: Review = { ...emptyReview, open: [{ ...row, access }] }
  expect((await reread(review)).review.open[0]?.access).toEqual(access)
})

test.each(['date', 'until'])('refuses a day that is none as `%s`', async (key) => {
  const review: Review = { ...emptyReview, open: [{ ...row, decision: 'shorten', by: 'kim', until: '2026-12-31', [key]: '2026-02-30' }] }
  const { file, diagnostics } = await readReview(sourceOf('review.yaml', reviewText(review), 'yaml'), testSettings)
  expect(file).toBeUndefined()
  expect(diagnostics.map(({ message }) => message)).toEqual([`\`${key}\`: \`2026-02-30\` is not a day`])
})

test('the owner of a grant is the first whose pattern fits, else the one that the policy names', () => {
  const [policy] = worldOf({ policies: [granting] }).policies
  const grant = { key: { policy: 'readers', identity: ann }, policies: [{ ...policy, owner: 'platform' }] } as Parameters<typeof ownerOf>[0]
  const owners = ['web*', 'read*', '*'].map((policies, i) => ({ policies, owner: `team ${i}` }))
  expect([ownerOf(grant, owners), ownerOf(grant, owners.slice(0, 1)), ownerOf(grant, [])]).toEqual(['team 1', 'platform', 'platform'])
})

test('a policy grants something up to the instant of its end, as decisions say', () => {
  const world = worldOf({ policies: [{ ...granting, expiredAt: '2026-06-01T00:00:00Z' }] })
  const end = Date.parse('2026-06-01T00:00:00Z')
  for (const [at, count] of [
    [end, 1],
    [end + 1, 0],
  ] as const) {
    const question = questionOf({
      identity: ann,
      action: 'vps:apisvc:get',
      resource: 'urn:v1:eu:resource:vps:a',
      at: new Date(at).toISOString(),
    } as never)
    expect([grantsOf(world, at).grants.length, decide(world, { ...question, at }).verdict]).toEqual([count, count === 1 ? 'allow' : 'deny'])
  }
})
