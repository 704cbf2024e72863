import { expect, test } from 'vitest'
import { refuseManyGrants, refuseUnreadable } from '../../src/cli/input/reviewed.ts'
import { limits } from '../../src/parser/limits.ts'
import { grantCount, grantsOf } from '../../src/review/grants.ts'
import { counted } from '../support/counted.ts'
import { generate, randomOf, worldOf } from '../support/worlds.ts'

/** How much one review is about: more is refused before any of it is looked at. */

const at = Date.parse('2026-06-01T00:00:00Z')

test('the grants of a world are counted as they are made', () => {
  const random = randomOf(20_261_129)
  for (let n = counted(200); n > 0; n--) {
    const world = worldOf(generate(random, 5).world)
    expect(grantCount(world, at)).toBe(grantsOf(world, at).grants.length)
  }
})

test('too many grants are refused, with their number and the remedy', () => {
  const worldWith = (count: number) =>
    worldOf({
      policies: [
        {
          name: 'readers',
          identities: Array.from({ length: count }, (_, i) => `urn:v1:eu:identity:user:ab12-svc/u${i}`),
          resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
          permissions: { allow: [{ action: 'vps:apisvc:get' }] },
        },
      ],
    })
  expect(() => refuseManyGrants(worldWith(2500), at)).not.toThrow()
  expect(() => refuseManyGrants(worldWith(2501), at)).toThrow('the policies have 2501 grants')
})

test('a review that could not be read again is refused', async () => {
  await expect(refuseUnreadable('review.yaml', 'open: []\n')).resolves.toBe(undefined)
  await expect(refuseUnreadable('review.yaml', `${'a: 1\n'}#${' '.repeat(limits.plainYamlLength)}`)).rejects.toThrow(
    'could not be read again',
  )
})
