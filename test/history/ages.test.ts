import { describe, expect, test } from 'vitest'
import { Budget } from '../../src/budget.ts'
import { AccessAges, type Age } from '../../src/history/ages.ts'
import type { Commit } from '../../src/history/commit.ts'
import { comparedWorlds, novelty } from '../../src/history/new-access.ts'
import type { State } from '../../src/history/state.ts'
import type { Policy, World } from '../../src/policy.ts'
import { effort } from '../support/effort.ts'
import { generate, randomOf, usualKnobs, worldOf } from '../support/worlds.ts'

const from = Date.parse('2020-01-01T00:00:00Z')
const options = () => ({ from, run: new Budget() })

const commitOf = (i: number): Commit => ({
  id: `${i}`.padStart(40, '0'),
  short: `c${i}`,
  parents: [],
  author: 'ada',
  date: '2026-03-01T00:00:00Z',
  subject: 's',
})

/** States of worlds, one after the other, each with what differs from the one before. */
function statesOf(worlds: readonly World[]): readonly State[] {
  const states: State[] = []
  for (const [i, world] of worlds.entries()) {
    const [earlier, state] = [worlds[i - 1], states[i - 1]]
    const id = Symbol(`${i}`)
    const only = (a: World, b: World) => a.policies.filter((policy) => !b.policies.includes(policy))
    const delta = earlier && state ? { since: state.id, before: only(earlier, world), after: only(world, earlier) } : undefined
    states.push({ isEmpty: false, world: () => world, facts: () => [], id, delta })
  }
  return states
}

function agesOf(worlds: readonly World[], parts: readonly Policy[], now: World, unread: readonly number[] = []): readonly Age[] {
  const ages = new AccessAges(parts, now)
  for (const [i, state] of statesOf(worlds).entries()) ages.add(commitOf(i), unread.includes(i) ? { why: 'broken' } : { state })
  return ages.results(options())
}

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const server = 'urn:v1:eu:resource:vps:*'
const policy = (name: string, allow: readonly string[], deny: readonly string[] = []) => ({
  name,
  identities: [ann],
  resources: [{ urn: server }],
  permissions: { allow: allow.map((action) => ({ action })), deny: deny.map((action) => ({ action })) },
})
const world = (...policies: readonly object[]) => worldOf({ policies })
const [get, all, guard] = [policy('get', ['vps:apisvc:get']), policy('all', ['vps:*']), policy('guard', [], ['vps:apisvc:get'])]
const shortOf = (age: Age | undefined) => (age?.kind === 'since' ? age.commit.short : age?.kind)

describe('the age of access', () => {
  const ageIn = (worlds: readonly World[], unread: readonly number[] = []) => {
    const now = worlds.at(-1) as World
    return agesOf(worlds, [now.policies[0] as Policy], now, unread)[0]
  }

  test('is that of the commit that gave the last of it', () => {
    expect(shortOf(ageIn([world(), world(get), world(get), world(get)]))).toBe('c1')
    expect(shortOf(ageIn([world(get), world(all), world(all)]))).toBe('c1')
  })
  test('is that of the access, and not of the policy', () => {
    expect(shortOf(ageIn([world(all), world(all), world(policy('other', ['vps:apisvc:get']))]))).toBe('c0')
  })
  test('begins anew where a deny was removed, or access was given again', () => {
    expect(shortOf(ageIn([world(get), world(get, guard), world(get)]))).toBe('c2')
    expect(shortOf(ageIn([world(get), world(), world(get)]))).toBe('c2')
  })
  test('is none where the last commit does not grant it', () => {
    const now = world(get)
    expect(shortOf(agesOf([world(), world()], now.policies, now)[0])).toBe('uncommitted')
  })
  test('names the commits that cannot be read', () => {
    expect(ageIn([world(), world(get), world(get)], [1])).toMatchObject({
      kind: 'since',
      commit: { short: 'c2' },
      unread: [{ why: 'broken' }],
    })
    const between = ageIn([world(get), world(), world(get)], [1])
    expect(between).toMatchObject({ kind: 'since', commit: { short: 'c0' }, unread: [], between: [{ why: 'broken' }] })
  })
  test('names each commit that cannot be read since then once, also where nothing differs around it', () => {
    const [state] = statesOf([world(get)]) as [State]
    for (const broken of [[1], [1, 2], [1, 3], [2, 4], [5]]) {
      const now = world(get)
      const ages = new AccessAges(now.policies, now)
      for (let i = 0; i < 6; i++) ages.add(commitOf(i), broken.includes(i) ? { why: 'broken' } : { state })
      const [age] = ages.results(options())
      if (age?.kind !== 'since') throw new Error(JSON.stringify(age))
      expect([age.commit.short, age.unread, age.between.map(({ commit }) => commit.short)]).toEqual(['c0', [], broken.map((i) => `c${i}`)])
    }
  })
  test('names no commit that cannot be read where a later one that can has not given the access yet', () => {
    const [none, now] = [world(), world(get)]
    const [before, after] = statesOf([none, now]) as [State, State]
    const ages = new AccessAges(now.policies, now)
    const all = [{ state: before }, { why: 'broken' }, { state: before }, { state: after }]
    for (const [i, each] of all.entries()) ages.add(commitOf(i), each)
    expect(ages.results(options())).toEqual([{ kind: 'since', commit: commitOf(3), isCut: false, unread: [], between: [] }])
  })
  test('is not decided further back than the budget of the run', () => {
    const now = world(get)
    const ages = new AccessAges(now.policies, now)
    ages.add(commitOf(0), { state: statesOf([now])[0] as State })
    const run = new Budget(0)
    run.left -= 1
    expect(ages.results({ from, run })).toEqual([{ kind: 'undecided' }])
  })
})

test('is the one that comparing each commit by itself gives', () => {
  const met = new Set<string | undefined>()
  for (let seed = 1; seed <= effort(300, 200); seed++) {
    const random = randomOf(seed)
    const base = worldOf(generate(random, 0, usualKnobs).world)
    // The policies come and go, so that what differs is known.
    const worlds = Array.from({ length: 6 }, () => ({ ...base, policies: base.policies.filter(() => random() < 0.7) }))
    const now = { ...base, policies: base.policies.filter(() => random() < 0.8) }
    const found = agesOf(worlds, now.policies, now)
    for (const [i, part] of now.policies.entries()) {
      const kinds = worlds.map((each) => novelty(part, comparedWorlds(each, now), options()).kind)
      if (kinds.includes('undecided')) continue
      const since = kinds.lastIndexOf('new') + 1
      const expected = since === worlds.length ? 'uncommitted' : `c${since}`
      const own = shortOf(found[i])
      // A commit that changes nothing about it is not looked at: since then it is as before.
      expect(own, `seed ${seed}`).toBe(expected)
      met.add(own)
    }
  }
  expect(met.size).toBeGreaterThan(1)
})
