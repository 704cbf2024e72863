import { expect, test } from 'vitest'
import { diff } from '../../src/diff/diff.ts'
import { selectedOf } from '../../src/diff/selected.ts'
import { concernsInAny, concernsOf } from '../../src/diff/selection.ts'
import { glob, matches } from '../../src/glob.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { ActionsByType } from '../../src/symbolic/described.ts'
import { effort } from '../support/effort.ts'
import { actions } from '../support/grid.ts'
import { expectSame } from '../support/same.ts'
import { generate, pick, questionOf, randomOf, worldOf } from '../support/worlds.ts'

/** Every action is about every type: more than a catalogue says, so that nothing is overlooked. */
const everyAction = { of: () => actions } as unknown as ActionsByType

test('where nothing of a selection changes, `can` answers alike on both sides', () => {
  const random = randomOf(11)
  let [same, changed] = [0, 0]
  for (let i = 0; i < effort(800, 30); i++) {
    const { world, questions } = generate(random, 8, { policies: 5, conditions: 0.5, missing: 0, groups: 0.3 })
    const { policies } = generate(random, 0, { policies: 2, conditions: 0.5, missing: 0, groups: 0.3 }).world
    const [before, after] = [worldOf(world), worldOf({ ...world, policies: [...world.policies.slice(1), ...policies.slice(0, 1)] })]
    const described = [...before.identities.keys()]
    const asked = questions.map(questionOf).filter(({ identity }) => described.includes(identity))
    const [question] = asked
    if (!question) continue
    const { identity, action } = question
    const pattern = glob(pick(random, [action, '*', `${action.split(':')[0]}:*`]))
    const whole = diff(before, after, { described: everyAction })
    const { verdict, gained, lost } = selectedOf(whole, {
      concerns: concernsOf(identity, before),
      actions: [pattern],
      words: { identities: [identity], actions: [pattern.text] },
    })
    expectSame(whole.gained.length >= gained.length && whole.lost.length >= lost.length, true, () => 'a selection has more than the whole')
    if (verdict === 'changed') changed++
    if (verdict !== 'same') continue
    same++
    const allows = (of: World, about: (typeof asked)[number]) => decide(of, about).verdict === 'allow'
    for (const about of asked)
      if (about.identity === identity && matches(pattern, about.action))
        expectSame([allows(before, about)], [allows(after, about)], () => JSON.stringify({ world, about }))
  }
  expect(same).toBeGreaterThan(effort(20, 30))
  expect(changed).toBeGreaterThan(effort(20, 30))
})

test('where nothing of a pattern of identities changes, no identity that it matches is allowed otherwise, whichever groups it is in', () => {
  const random = randomOf(12)
  const counts = { same: 0, changed: 0, byGroup: 0 }
  const patterns = ['user/*', 'urn:v1:eu:identity:user:*', 'credential/*']
  for (let i = 0; i < effort(1600, 30); i++) {
    const { world, questions } = generate(random, 6, { policies: 4, conditions: 0.3, missing: 0, groups: 0.6 })
    const { policies } = generate(random, 0, { policies: 2, conditions: 0.3, missing: 0, groups: 0.6 }).world
    const [before, after] = [worldOf(world), worldOf({ ...world, policies: [...world.policies.slice(1), ...policies.slice(0, 1)] })]
    const pattern = pick(random, patterns)
    const { verdict, gained, lost } = selectedOf(diff(before, after, { described: everyAction }), {
      concerns: concernsInAny(pattern, [before, after]),
      actions: [],
      words: { identities: [pattern], actions: [] },
    })
    if (verdict !== 'same') {
      counts.changed++
      if ([...gained, ...lost].some(({ identities }) => identities.some((each) => each.includes(':group:')))) counts.byGroup++
      continue
    }
    counts.same++
    const groups = [before, after].flatMap((each) => each.policies.flatMap(({ identities }) => identities.map(({ value }) => value.text)))
    const kind = pattern.includes('credential') ? 'credential' : 'user'
    for (const question of questions.map(questionOf)) {
      const asked = {
        ...question,
        identity: `urn:v1:eu:identity:${kind}:ab/nobody-else`,
        groups: groups.filter((each) => each.includes(':group:') && !each.includes('*')),
      }
      const allowed = [before, after].map((of) => decide(of, asked).verdict === 'allow')
      expectSame(
        allowed[0],
        allowed[1],
        () => `${pattern}: ${JSON.stringify(asked, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`,
      )
    }
  }
  for (const [kind, count] of Object.entries(counts)) expect([kind, count]).not.toEqual([kind, 0])
})

test('a region stays where some of it is asked for: by a name that its pattern matches, or by a pattern that meets it', () => {
  const grant = { name: 'wide', identities: ['urn:v1:eu:identity:user:ab/ann'], resources: [{ urn: 'urn:v1:eu:resource:vps:web-*' }] }
  const after = worldOf({ policies: [{ ...grant, permissions: { allow: [{ action: 'vps:*' }] } }] } as never)
  const whole = diff(worldOf({ policies: [] } as never), after, {})
  const selection = (actions: readonly string[], resources: readonly string[]) =>
    selectedOf(whole, { actions: actions.map(glob), resources: resources.map(glob), words: { identities: [], actions } })
  for (const [action, resource] of [
    ['vps:apisvc:get', 'urn:v1:eu:resource:vps:web-1'],
    ['*:get', 'urn:v1:eu:resource:*-1'],
    ['vps:*', 'urn:v1:eu:resource:vps:*'],
  ] as const)
    expect([selection([action], []).verdict, selection([], [resource]).verdict]).toEqual(['changed', 'changed'])
  expect([selection(['dnsZone:*'], []).verdict, selection([], ['urn:v1:eu:resource:vps:mail']).verdict]).toEqual(['same', 'same'])
})
