import { describe, expect, test } from 'vitest'
import { Budget } from '../../src/budget.ts'
import { together } from '../../src/diff/together.ts'
import { decide } from '../../src/simulate/decide.ts'
import { withKnownTags } from '../../src/simulate/question.ts'
import { findNewAccess } from '../../src/symbolic/gained.ts'
import { sideOf } from '../../src/symbolic/side.ts'
import { questionJson } from '../../src/symbolic/witness.ts'
import { effort } from '../support/effort.ts'
import { match, type ShortPolicy, type ShortWorld, shortName, shortWorld } from '../support/short.ts'
import { generate, questionOf, randomOf, usualKnobs, worldOf } from '../support/worlds.ts'

const run = () => new Budget()
const names = ['a', 'b'] as const

/** Who may newly do what on what, and by the edits of which sides. */
function lines(merged: readonly ShortPolicy[], a: readonly ShortPolicy[], b: readonly ShortPolicy[], world: ShortWorld = {}) {
  const sides = [a, b].map((policies) => shortWorld(policies, world)) as [ReturnType<typeof shortWorld>, ReturnType<typeof shortWorld>]
  const { gained } = together(shortWorld(merged, world), sides, names, { run: run() })
  return gained.map(
    ({ identities, actions, resources, certain }) =>
      `${identities.map(shortName).join(' ')} do ${actions.join(' ')} on ${resources.map(({ pattern }) => shortName(pattern)).join(' ')}${certain ? '' : ' perhaps'}`,
  )
}

const allow: ShortPolicy = { allow: ['p:x:a'] }
const deny: ShortPolicy = { deny: ['p:*'] }
const tagged = match({ 'resource.Tag(k)': 'x' })

describe('what two sides grant together', () => {
  test('an allow under a deny that the other side removes', () => {
    expect(lines([allow], [allow, deny], [])).toHaveLength(1)
    expect(lines([allow, deny], [allow, deny], [])).toEqual([])
  })
  test('nothing where one side grants it alone', () => {
    expect(lines([allow], [allow], [])).toEqual([])
    expect(lines([allow], [allow, deny], [allow])).toEqual([])
  })
  test('nothing where both take access away', () => {
    expect(lines([], [allow], [deny])).toEqual([])
  })
  test('only the part that the first denies and the second does not grant', () => {
    const wide: ShortPolicy = { allow: ['p:*'] }
    const [one] = lines([wide], [wide, { deny: ['p:x:*'] }], [{ allow: ['p:x:b'] }])
    expect(one).toContain('p:x:*')
    // Each side grants one half.
    expect(lines([wide], [wide, { deny: ['p:x:a'] }], [wide, { deny: ['p:y:a'] }])).toEqual([])
    expect(lines([wide], [wide, { deny: ['p:x:a'] }], [wide, { deny: ['p:x:*'] }])).toHaveLength(1)
  })
  test('under the conditions of both', () => {
    const [one, two] = [
      { ...deny, when: tagged },
      { ...deny, when: match({ 'resource.Tag(e)': 'z' }) },
    ]
    const { gained } = together(shortWorld([allow]), [shortWorld([allow, one]), shortWorld([allow, two])], names, { run: run() })
    const [region] = gained
    expect(gained).toHaveLength(1)
    expect(Object.fromEntries(region?.witness.tags ?? [])).toEqual({ k: 'x', e: 'z' })
  })
  test('for a member of a group that the merge alone has it in', () => {
    const members = { members: { 'user:a/u': ['group:a/g'] } }
    const ofGroup: ShortPolicy = { who: ['group:a/g'], allow: ['p:x:a'] }
    const there = { members: { 'user:a/u': [] } }
    const sides = [shortWorld([ofGroup], there), shortWorld([], members)] as const
    const { gained } = together(shortWorld([ofGroup], members), sides, names, { run: run() })
    expect(gained.map(({ witness }) => [shortName(witness.identity), witness.groups])).toEqual([['user:a/u', []]])
  })
  test('names the edits since either side', () => {
    const { gained } = together(shortWorld([allow]), [shortWorld([allow, deny]), shortWorld([])], names, { run: run() })
    expect(gained[0]?.causes.map(({ change, by }) => `${change} by ${by}`).sort()).toEqual(['added by a', 'removed by b'])
  })
})

test('generated sides: every answer holds, and none is missing', () => {
  const counts = { found: 0, none: 0, asked: 0 }
  const total = effort(20_000, 240)
  for (let seed = 1; seed <= total; seed++) {
    const random = randomOf(seed)
    const { world, questions } = generate(random, 12, { ...usualKnobs, policies: 5, missing: 0 })
    const some = (share: number) => ({ ...world, policies: world.policies.filter(() => random() < share) })
    const [merged, a, b] = [some(0.8), some(0.5), some(0.5)].map((each) => worldOf(each))
    if (!merged || !a || !b) throw new Error('no world')
    const search = findNewAccess(sideOf(merged, [a, b]), sideOf(a, [merged, b]), undefined, undefined, undefined, sideOf(b, [merged, a]))
    expect(search.culprits).toEqual([])
    const { gained } = together(merged, [a, b], names, { run: run() })
    expect([seed, gained.length > 0]).toEqual([seed, search.regions.length > 0])
    for (const { witness, certain } of gained) {
      const verdicts = [merged, a, b].map((each) => decide(each, witness).verdict)
      const holds = certain ? verdicts.join() === 'allow,deny,deny' : verdicts[0] !== 'deny' && !verdicts.slice(1).includes('allow')
      expect([seed, holds ? '' : `${verdicts} ${JSON.stringify(questionJson(witness))}`]).toEqual([seed, ''])
    }
    for (const written of questions) {
      const question = { ...withKnownTags(questionOf(written), merged), owner: 'zz-other' }
      const [now, ...then] = [merged, a, b].map((each) => decide(each, question).verdict)
      if (now !== 'allow' || then.includes('allow')) continue
      counts.asked++
      expect([seed, gained.length > 0, JSON.stringify(written)]).toEqual([seed, true, JSON.stringify(written)])
    }
    counts[gained.length > 0 ? 'found' : 'none']++
  }
  expect(Math.min(counts.found, counts.none, counts.asked)).toBeGreaterThan(total / 50)
})
