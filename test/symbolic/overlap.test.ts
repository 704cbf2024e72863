import { describe, expect, test } from 'vitest'
import type { Policy, World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { knownNamesIn } from '../../src/symbolic/described.ts'
import { evaluate } from '../../src/symbolic/formula.ts'
import { type OverlapOptions, overlapOf } from '../../src/symbolic/overlap.ts'
import { formulaLine, shortUrns } from '../support/answer-lines.ts'
import { effort } from '../support/effort.ts'
import { actions as gridActions, gridFor, instants } from '../support/grid.ts'
import { match, type ShortPolicy, shortWorld } from '../support/short.ts'
import { generate, randomOf, withPolicies, worldOf } from '../support/worlds.ts'

const options: OverlapOptions = { actionsOf: () => ['p:x:r', 'p:x:w'], isKnown: (action) => /^p:x:[rw]$/.test(action) }
const hour = (from: number, to: number) => match({ 'date(UTC).Hour.GE': `${from}`, 'date(UTC).Hour.LT': `${to}` })

/** `a+b: who actions resources [if condition]`, then `a < b`: a policy of which others grant all. */
function linesOf(policies: readonly ShortPolicy[]): readonly string[] {
  const world = shortWorld(policies, {
    resources: { 't:a': { k: 'a' }, 't:b': { k: 'b' } },
    members: { 'user:a/u': ['group:a/g'], 'user:a/v': [] },
  })
  const { rows, covered, reasons } = overlapOf(world, knownNamesIn([world]), options)
  const named = (list: readonly Policy[]) => [...new Set(list.map(({ name }) => name.value))].join('+')
  return [
    ...rows.map(({ clauses, identities, actions, resources, condition, verdict }) =>
      shortUrns(
        `${named(clauses.map(({ policy }) => policy))}: ${identities.join(' ')} ${actions.join(' ')} ${resources.join(' ')} ${formulaLine(condition)}${verdict === 'unknown' ? ' perhaps' : ''}`,
      ).trim(),
    ),
    ...covered.map(({ policy, by }) => `${policy.name.value} < ${named(by)}`),
    ...reasons.map((reason) => `! ${reason}`),
  ]
}

const all = { who: ['user:*'], on: ['*'] } as const

describe('policies that grant the same', () => {
  test('wholly', () => {
    expect(
      linesOf([
        { name: 'wide', ...all, allow: ['p:*'] },
        { name: 'one', who: ['user:a/u'], on: ['t:a'], allow: ['p:x:r'] },
        { name: 'no', ...all, on: ['t:b'], deny: ['p:x:w'] },
      ]),
    ).toEqual(['wide+one: user:a/u p:x:r t:a', 'one < wide'])
  })

  test('only together with others', () => {
    expect(
      linesOf([
        { name: 'both', ...all, allow: ['p:*'] },
        { name: 'r', ...all, allow: ['p:x:r'] },
        { name: 'w', ...all, allow: ['p:x:w'] },
      ]),
    ).toEqual(['both+r: user:a/u user:a/v p:x:r t:a t:b', 'both+w: user:a/u user:a/v p:x:w t:a t:b', 'both < r+w', 'r < both', 'w < both'])
  })

  test('at some of their times', () => {
    expect(
      linesOf([
        { name: 'day', ...all, allow: ['p:x:r'], when: hour(6, 18) },
        { name: 'noon', ...all, allow: ['p:x:r'], when: hour(11, 13) },
        { name: 'night', ...all, allow: ['p:x:r'], when: hour(0, 5) },
      ]),
    ).toEqual(['day+noon: user:a/u user:a/v p:x:r t:a t:b and(["hour","UTC","GE",[11]],["hour","UTC","LT",[13]])', 'noon < day'])
  })

  test('not where one expires before the other', () => {
    expect(
      linesOf([
        { name: 'short', ...all, allow: ['p:x:r'], until: '2030-01-01T00:00:00Z' },
        { name: 'long', ...all, allow: ['p:x:r'], until: '2031-01-01T00:00:00Z' },
      ]).slice(1),
    ).toEqual(['short < long'])
  })

  test('not by an action that the catalogue does not have', () => {
    expect(
      linesOf([
        { name: 'new', ...all, allow: ['p:x:r', 'p:x:new'] },
        { name: 'old', ...all, allow: ['p:x:r'] },
      ]),
    ).toEqual(['new+old: user:a/u user:a/v p:x:r t:a t:b', 'old < new'])
  })

  test('nor where it is always denied', () => {
    expect(
      linesOf([
        { name: 'one', ...all, allow: ['p:x:r'] },
        { name: 'two', ...all, allow: ['p:x:r'] },
        { name: 'no', ...all, deny: ['p:*'] },
      ]),
    ).toEqual([])
  })
})

/** The world in which the other policies grant nothing, and still deny. */
function alone(world: World, kept: (policy: Policy) => boolean): World {
  return withPolicies(world, (policy) => {
    if (kept(policy)) return policy
    const sets = [policy.permissions, ...policy.permissionsGroups.map(({ value }) => world.permissionsGroups.get(value.text)?.permissions)]
    return { ...policy, permissionsGroups: [], permissions: { allow: [], except: [], deny: sets.flatMap((set) => set?.deny ?? []) } }
  })
}

test.each(Array.from({ length: effort(24) }, (_, i) => i))('agreement with can in a random world (%s)', (seed) => {
  const { world: written } = generate(randomOf(8800 + seed), 0, { policies: 6, conditions: 0.5, missing: 0, groups: 0 })
  const world = worldOf({ ...written, resources: written.resources.map((each) => ({ tags: {}, ...each })) })
  const { rows, covered, isCut } = overlapOf(world, knownNamesIn([world]), { actionsOf: () => gridActions, isKnown: () => true })
  expect(isCut).toBe(false)
  const { identities, resources } = knownNamesIn([world])
  const ones = world.policies.map((policy) => alone(world, (each) => each === policy))
  const without = covered.map(({ policy }) => ({ policy, world: alone(world, (each) => each !== policy) }))
  for (const identity of identities.filter((each) => !each.includes(':identity:account:')))
    for (const resource of resources)
      for (const action of gridActions) {
        const own = rows.filter(
          (row) => row.identities.includes(identity) && row.resources.includes(resource) && row.actions.includes(action),
        )
        for (const { at, ip, tags, model } of gridFor(world, resource, instants)) {
          const asked = { identity, resource, action, groups: [], at, ip, ...(tags && { tags }) }
          const granting = world.policies.filter((_, i) => decide(ones[i] as World, asked).verdict === 'allow')
          const holding = own.filter(({ condition }) => evaluate(condition, model) === true)
          const said = new Set(holding.flatMap(({ clauses }) => clauses.map(({ policy }) => policy)))
          // Every two policies that grant it now are in a row, and no row says it of another policy.
          expect([...said].map(({ name }) => name.value).sort(), `${identity} ${action} ${resource} ${new Date(at).toISOString()}`).toEqual(
            granting.length < 2 ? [] : granting.map(({ name }) => name.value).sort(),
          )
          for (const each of without)
            if (granting.includes(each.policy)) expect(decide(each.world, asked).verdict, each.policy.name.value).toBe('allow')
        }
      }
})
