import { expect, test } from 'vitest'
import { Budget } from '../../src/budget.ts'
import { Blame } from '../../src/history/blame.ts'
import type { Commit } from '../../src/history/commit.ts'
import { policyEntries } from '../../src/history/effects.ts'
import type { World } from '../../src/policy.ts'
import { worldOf } from '../support/worlds.ts'

/** Histories in which the effect of an entry cannot be decided at some commit: it may have begun earlier than is said. */

const commitOf = (i: number): Commit => ({
  id: `${i}`.padStart(40, '0'),
  short: `c${i}`,
  parents: [],
  author: 'ada',
  date: '2026-03-01T00:00:00Z',
  subject: 's',
})

const policy = (name: string, permissions: Readonly<Record<string, readonly string[]>>) => ({
  name,
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: Object.fromEntries(Object.entries(permissions).map(([list, actions]) => [list, actions.map((action) => ({ action }))])),
})
const world = (...policies: readonly object[]) => worldOf({ policies })

/** The result for the allow entry of the first policy of the last world. `open`: the worlds in which no proof can be made. */
function blamed(worlds: readonly World[], open: readonly number[] = [], proofs = 100) {
  const entry = policyEntries(worlds.at(-1)?.policies[0] as World['policies'][number]).find(({ list }) => list === 'allow')
  if (!entry) throw new Error('the policy allows nothing')
  const blame = new Blame([entry])
  let asked = 0
  for (const [i, each] of worlds.entries()) {
    const read = () => {
      asked = i
      return each
    }
    blame.add(commitOf(i), { state: { isEmpty: false, world: read, facts: () => [], id: Symbol(`${i}`), delta: undefined } })
  }
  const budget = () => {
    const made = new Budget()
    if (open.includes(asked)) made.left = -1
    return made
  }
  const [result] = blame.results({ budget, proofs })
  return result && { kind: result.effect.kind, since: result.since.short, isCut: result.isCut, isNever: result.isNever }
}

const get = policy('get', { allow: ['vps:apisvc:get'] })
const guard = policy('guard', { deny: ['vps:*'] })

test('an effect that cannot be decided in the commit before may have been there', () => {
  const worlds = [world(get, guard), world(get)]
  expect(blamed(worlds)).toEqual({ kind: 'effective', since: 'c1', isCut: false, isNever: false })
  expect(blamed(worlds, [0])).toEqual({ kind: 'effective', since: 'c1', isCut: true, isNever: false })
})

test('an effect that an earlier request shows is decided without a proof', () => {
  const worlds = [world(get), world(get)]
  expect(blamed(worlds, [0])).toEqual({ kind: 'effective', since: 'c0', isCut: false, isNever: false })
})

test('an entry may have had an effect in a commit where that cannot be decided, before others without it', () => {
  const worlds = [world(get, guard), world(guard), world(get, guard)]
  expect(blamed(worlds)).toEqual({ kind: 'none', since: 'c2', isCut: false, isNever: true })
  expect(blamed(worlds, [0])).toEqual({ kind: 'none', since: 'c2', isCut: true, isNever: false })
})

test('an entry is followed back as far as proofs may be made', () => {
  const worlds = Array.from({ length: 5 }, () => world(get, guard))
  expect(blamed(worlds)).toEqual({ kind: 'none', since: 'c0', isCut: false, isNever: true })
  expect(blamed(worlds, [], 2)).toEqual({ kind: 'none', since: 'c3', isCut: true, isNever: false })
  expect(blamed([world(get), world(get)], [], 1)).toEqual({ kind: 'effective', since: 'c1', isCut: true, isNever: false })
})

test('an effect that cannot be decided in the last commit is not said to be none', () => {
  expect(blamed([world(get, guard)], [0])).toMatchObject({ kind: 'undecided', isNever: false })
})
