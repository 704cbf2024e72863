import { expect, test } from 'vitest'
import { Budget } from '../../src/budget.ts'
import { diff } from '../../src/diff/diff.ts'
import { lockOf } from '../../src/lock/lock.ts'
import type { World } from '../../src/policy.ts'
import { type Applied, apply, endingsIn } from '../../src/review/apply.ts'
import { grantsOf, inForceAt } from '../../src/review/grants.ts'
import type { Review } from '../../src/review/model.ts'
import { recorded } from '../../src/review/round.ts'
import { judgedGrants } from '../../src/review/status.ts'
import { decide } from '../../src/simulate/decide.ts'
import { untilSeen } from '../support/effort.ts'
import { filesOf, read, worldOf } from '../support/files.ts'
import { emptyReview, reread, rowsOf } from '../support/reviewing.ts'
import { generate, type PolicyJson, pick, questionOf, randomOf } from '../support/worlds.ts'

/** The edits that `review --apply` proposes do what was decided: nothing more, and nothing less. */

const at = Date.parse('2026-06-01T00:00:00Z')
const [by, date, until] = ['kim', '2026-06-01', '2026-12-31']
const end = Date.parse(`${until}T23:59:59Z`)
type Choice = 'keep' | 'remove' | 'shorten'

/** A review of a world in which each grant is decided as `choose` says. */
async function reviewOf(world: World, choose: (i: number) => Choice): Promise<Review> {
  const open = await rowsOf(world, at)
  const drafts = open.map((key, i) => ({ key, decision: choose(i), ...(choose(i) === 'shorten' && { until }), by, date }))
  return recorded({ ...emptyReview, open }, drafts, undefined)
}

interface Outcome {
  readonly before: World
  readonly after: World
  readonly applied: Applied
  readonly kinds: readonly string[]
  readonly texts: Readonly<Record<string, string>>
}

/** The proposal for some files, with the files as they would be read again, and how each grant is decided then. */
async function carryOut(texts: Readonly<Record<string, string>>, choose: (i: number) => Choice): Promise<Outcome> {
  const files = await filesOf(texts)
  const before = worldOf(files)
  const file = await reread(await reviewOf(before, choose))
  const judged = (world: World) => judgedGrants(grantsOf(world, at).grants, file, at, new Budget()).rows
  const applied = await apply(files, before, endingsIn(judged(before)), at, read, new Budget())
  const now: Record<string, string> = { ...texts }
  for (const { path, after } of applied.files) {
    if (after === undefined) delete now[path]
    else now[path] = after
  }
  const after = worldOf(await filesOf(now))
  return { before, after, applied, texts: now, kinds: judged(after).map(({ status }) => status.kind) }
}

test('after the edits nothing is left to carry out, nothing is gained, and only what was decided is lost', async () => {
  const random = randomOf(51)
  const seen = { edits: 0, lost: 0, kept: 0, split: 0 }
  for (const _ of untilSeen(seen, 400)) {
    const { world, questions } = generate(random, 12)
    const policies = world.policies.map((policy, n) => ({ ...policy, name: `policy ${n}`, readOnly: false }))
    const choices = Array.from({ length: 100 }, () => pick(random, ['keep', 'remove', 'shorten'] as const))
    const { before, after, applied, kinds } = await carryOut(
      { 'a.json': JSON.stringify({ ...world, policies }, undefined, 2) },
      (n) => choices[n] as Choice,
    )
    const place = JSON.stringify({ policies, edits: applied.edits.map(({ kind, policy }) => [kind, policy.name.value]) }, undefined, 1)
    if (applied.proof === 'gained' || applied.proof === 'lost' || applied.proof === 'early') {
      // Only a permissions group that is not described may do that.
      const described = new Set(world.permissionsGroups.map(({ urn }) => urn))
      const hasUnknown = policies.some((policy) => policy.permissionsGroups?.some(({ urn }) => !described.has(urn)))
      expect(hasUnknown, place).toBe(true)
      continue
    }
    expect(
      kinds.filter((kind) => kind === 'not-removed' || kind === 'not-shortened'),
      place,
    ).toEqual([])
    const [then, now] = [inForceAt(before, at), inForceAt(after, at)]
    expect(diff(then, now, { within: { from: at } }).gained, place).toEqual([])
    seen.edits += applied.edits.length
    seen.split += applied.edits.filter(({ kind }) => kind === 'new-policy').length
    for (const question of questions.map(questionOf).map((each) => ({ ...each, at: pick(random, [at, end, end + 1_000]) }))) {
      const [was, is] = [decide(then, question).verdict, decide(now, question).verdict]
      if (was !== 'allow') {
        if (was === 'deny') expect(is, place).toBe('deny')
        continue
      }
      if (is === 'allow') {
        seen.kept++
        continue
      }
      seen.lost++
      const within = applied.endings.some(
        ({ judged: { grant }, end: last }) =>
          (last === undefined || question.at > last) &&
          decide({ ...grant.world, identities: before.identities, resources: before.resources }, question).verdict !== 'deny',
      )
      expect(within, place).toBe(true)
    }
  }
  expect(Object.values(seen).every((count) => count > 0)).toBe(true)
})

const [ann, bob] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:identity:user:ab12-svc/bob']
const policy = (more: Partial<PolicyJson> = {}): PolicyJson => ({
  name: 'p',
  identities: [ann, bob],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }, { action: 'vps:apisvc:reboot' }] },
  ...more,
})
const one = (more?: Partial<PolicyJson>) => ({ 'p.json': JSON.stringify([policy(more)], undefined, 2) })
const editsIn = ({ applied }: Outcome) => applied.edits.map(({ kind }) => kind)

test('an identity is taken out, and the policy with the last one', async () => {
  const some = await carryOut(one(), (i) => (i === 0 ? 'remove' : 'keep'))
  expect([editsIn(some), some.applied.proof, some.kinds]).toEqual([['remove-identity'], 'proved', ['decided']])
  expect(JSON.parse(some.texts['p.json'] as string)[0].identities).toEqual([bob])
  const all = await carryOut(one(), () => 'remove')
  expect([editsIn(all), all.applied.proof, all.kinds, all.texts]).toEqual([['remove-policy'], 'proved', [], {}])
})

test('all identities until one day are an expiry, and one of several a new policy', async () => {
  const all = await carryOut(one(), () => 'shorten')
  expect([editsIn(all), all.applied.proof, all.kinds]).toEqual([['expire'], 'proved', ['decided', 'decided']])
  const some = await carryOut(one(), (i) => (i === 0 ? 'shorten' : 'keep'))
  expect([editsIn(some), some.applied.proof]).toEqual([['remove-identity', 'new-policy'], 'proved'])
  expect(some.kinds).toEqual(['decided', 'decided'])
  expect(JSON.parse(some.texts['p.json'] as string)).toMatchObject([
    { identities: [bob] },
    { identities: [ann], expiredAt: '2026-12-31T23:59:59Z' },
  ])
})

test('a group that is not described, and stays with its policy, keeps no other one from being shortened', async () => {
  const group = 'urn:v1:eu:permissionsGroup:ab12-svc:unknown'
  const other = policy({ name: 'other', permissions: {}, permissionsGroups: [{ urn: group }] })
  const texts = { 'p.json': JSON.stringify([policy({ identities: [ann] }), other], undefined, 2) }
  const shortened = await carryOut(texts, (i) => (i === 2 ? 'shorten' : 'keep'))
  expect([editsIn(shortened), shortened.applied.proof]).toEqual([['expire'], 'proved'])
})

test('what a policy denies stays denied', async () => {
  const other = policy({ name: 'other', identities: [ann], permissions: { allow: [{ action: 'vps:*' }] } })
  const denying = policy({ permissions: { allow: [{ action: 'vps:apisvc:get' }], deny: [{ action: 'vps:apisvc:terminate' }] } })
  const texts = { 'p.json': JSON.stringify([other, denying], undefined, 2) }
  const done = await carryOut(texts, (i) => (i === 0 ? 'keep' : 'remove'))
  expect([editsIn(done), done.applied.proof, done.kinds]).toEqual([['remove-policy', 'new-policy'], 'proved', ['decided']])
  expect(done.applied.still.map(({ isWhole }) => isWhole)).toEqual([true])
  const terminate = { identity: ann, groups: [], action: 'vps:apisvc:terminate', resource: 'urn:v1:eu:resource:vps:x', at }
  expect(decide(done.after, terminate).verdict).toBe('deny')
})

test('what cannot be edited is left, and nothing is claimed of it', async () => {
  const fixed = await carryOut(one({ readOnly: true }), () => 'remove')
  expect([editsIn(fixed), fixed.applied.left.map(({ why }) => why)]).toEqual([[], ['read-only', 'read-only']])
  expect(fixed.texts).toEqual(one({ readOnly: true }))
})

test('nothing is proposed where nothing is decided to change', async () => {
  const kept = await carryOut(one(), () => 'keep')
  expect([editsIn(kept), kept.applied.files, kept.applied.proof]).toEqual([[], [], 'proved'])
  expect(lockOf(kept.after).text).toBe(lockOf(kept.before).text)
})
