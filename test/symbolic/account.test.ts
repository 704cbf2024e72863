import { describe, expect, test } from 'vitest'
import { type Level, levels } from '../../src/actions/reads.ts'
import { compareIdentities } from '../../src/diff/compare.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import { concerning } from '../../src/symbolic/concerning.ts'
import { type ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { evaluate, type Formula, noneOf, notBefore, satisfy, tooMany } from '../../src/symbolic/formula.ts'
import { type MatrixCell, matrix } from '../../src/symbolic/matrix.ts'
import { questionAt } from '../../src/symbolic/witness.ts'
import { effort } from '../support/effort.ts'
import { actions, gridFor, instants, type Point } from '../support/grid.ts'
import { levelOf } from '../support/levels.ts'
import { generate, pick, type Random, randomOf, worldOf } from '../support/worlds.ts'

/** Every action is about every type: more than a catalogue says, so that nothing is overlooked. */
const everyAction = { of: () => actions } as unknown as ActionsByType
const reads = new Set(actions.filter((action) => action.endsWith(':a') || action.endsWith(':ab')))

/** Everything is described: what an answer could depend on besides address and time is known. */
const allKnown = { policies: 6, conditions: 0.6, missing: 0, groups: 0.2 }

function someWorld(random: Random): World {
  const { world } = generate(random, 0, allKnown)
  return worldOf({ ...world, resources: world.resources.map((each) => ({ tags: {}, ...each })) })
}

type Pair = { readonly identity: string; readonly resource: string }

const isAllowed = (world: World, pair: Pair, action: string, { at, ip, tags }: Omit<Point, 'model'>) =>
  decide(world, { ...pair, action, groups: [], at, ip, ...(tags && { tags }) }).verdict === 'allow'

function levelAt(world: World, pair: Pair, point: Omit<Point, 'model'>): Level {
  const allowed = actions.filter((action) => isAllowed(world, pair, action, point))
  return levelOf(allowed, actions, reads)
}

/** The level in a context in which a formula holds; undefined when there is none. */
function levelWhere(world: World, pair: Pair, formula: Formula): Level | undefined {
  const model = satisfy([formula])
  if (model === undefined || model === tooMany) return undefined
  const { at, ip, tags } = questionAt({ ...pair, action: actions[0] as string }, model, {})
  const isKnown = world.resources.get(pair.resource)?.tags !== undefined
  return levelAt(world, pair, { at, ip: ip as Point['ip'], ...(!isKnown && { tags: tags ?? new Map() }) })
}

describe('matrix', () => {
  test('says of each identity and resource what `can` answers at every time and from every address', () => {
    const random = randomOf(21)
    const seen = new Map<string, number>()
    for (let i = 0; i < effort(120, 10); i++) {
      const world = someWorld(random)
      const things = knownNamesIn([world])
      const answer = matrix(world, things, { actions: everyAction, reads, byResource: true })
      expect(answer.reasons).toEqual([])
      for (const [row, identity] of answer.identities.entries()) {
        for (const [column, { name: resource }] of answer.columns.entries()) {
          const pair = { identity, resource }
          const cell = answer.rows[row]?.[column] as MatrixCell
          const { level, confidence, condition } = cell
          seen.set(`${level} ${confidence}`, (seen.get(`${level} ${confidence}`) ?? 0) + 1)
          const grid = gridFor(world, resource)
          const found = grid.map((point) => levelAt(world, pair, point))
          // Nothing above the level is ever reached; one that is always reached is reached everywhere.
          expect(Math.max(...found.map((each) => levels.indexOf(each)))).toBeLessThanOrEqual(levels.indexOf(level))
          if (confidence === 'always') expect(new Set(found)).toEqual(new Set([level]))
          if (level === 'none' || confidence === 'always') continue
          // Where the condition holds, and only there, it is reached: each action of `all` may need another context.
          const together = levelWhere(world, pair, condition)
          if (together === level) {
            const held = grid.map(({ model }) => evaluate(condition, model) === true)
            expect({ pair, held }).toEqual({ pair, held: found.map((each) => each === level) })
            expect(levelWhere(world, pair, noneOf(condition))).not.toBe(level)
          } else expect({ level, pair, together }).toMatchObject({ level: 'all', together: expect.stringMatching(/read|write/) })
        }
      }
    }
    expect([...seen.keys()].sort()).toEqual(
      ['all always', 'all sometimes', 'none always', 'read always', 'read sometimes', 'write always', 'write sometimes'].sort(),
    )
  })

  test('of types is the highest level of their resources, and on how many it is reached', () => {
    const random = randomOf(22)
    let some = 0
    for (let i = 0; i < effort(400, 10); i++) {
      const world = someWorld(random)
      const options = { actions: everyAction, reads }
      const [types, each] = [false, true].map((byResource) => matrix(world, knownNamesIn([world]), { ...options, byResource }))
      for (const [row] of types?.identities.entries() ?? []) {
        for (const [column, { name }] of types?.columns.entries() ?? []) {
          const cell = types?.rows[row]?.[column] as MatrixCell
          const own = (each?.rows[row] ?? []).filter((_, j) => each?.columns[j]?.type === name)
          const highest = Math.max(...own.map(({ level }) => levels.indexOf(level)))
          const same = own.filter(({ level }) => levels.indexOf(level) === highest)
          expect(cell).toMatchObject({ level: levels[highest], resources: same.length })
          if (highest > 0) expect(cell.confidence === 'always').toBe(same.every(({ confidence }) => confidence === 'always'))
          if (same.length < own.length && highest > 0) some++
        }
      }
    }
    expect(some).toBeGreaterThan(5)
  })
})

describe('compare', () => {
  test('lists exactly what `can` allows one identity and not the other, at every time and from every address', () => {
    const random = randomOf(23)
    let differing = 0
    for (let i = 0; i < effort(150, 10); i++) {
      const world = someWorld(random)
      const { identities, resources } = knownNamesIn([world])
      const [first, second] = [pick(random, identities), pick(random, identities)]
      if (first === second) continue
      const from = pick(random, [0, ...instants])
      const { only, undecided } = compareIdentities(world, [first, second], resources, { actions: everyAction, time: notBefore(from) })
      expect(undecided).toBe(false)
      for (const resource of resources) {
        for (const action of actions) {
          const rows = only.map((list) => list.filter((row) => row.actions.includes(action) && row.resources.includes(resource)))
          for (const point of gridFor(world, resource).filter(({ at }) => at >= from)) {
            const named = rows.map((list) => list.some(({ condition }) => evaluate(condition, point.model) === true))
            const [one, other] = [first, second].map((identity) => isAllowed(world, { identity, resource }, action, point))
            const expected = [one && !other, other && !one]
            if (expected.includes(true)) differing++
            expect({ first, second, resource, action, named }).toEqual({ first, second, resource, action, named: expected })
          }
        }
      }
    }
    expect(differing).toBeGreaterThan(effort(3_000, 10))
  })

  test('gives a witness of each row, and the entries that decide both', () => {
    const random = randomOf(24)
    let rows = 0
    for (let i = 0; i < effort(1_500, 10); i++) {
      const world = someWorld(random)
      const { identities, resources } = knownNamesIn([world])
      const pair = [pick(random, identities), pick(random, identities)] as const
      if (pair[0] === pair[1]) continue
      const { only } = compareIdentities(world, pair, resources, { actions: everyAction })
      for (const [side, list] of only.entries()) {
        for (const { witness, grants, denies } of list) {
          rows++
          const [mine, theirs] = [decide(world, witness), decide(world, { ...witness, identity: pair[1 - side] as string })]
          expect([mine.verdict, theirs.verdict]).toEqual(['allow', 'deny'])
          for (const { entry } of mine.clauses) expect(grants.map((clause) => clause.entry)).toContain(entry)
          if (theirs.reason === 'denied')
            for (const { entry } of theirs.clauses) expect(denies.map((clause) => clause.entry)).toContain(entry)
        }
      }
    }
    expect(rows).toBeGreaterThan(effort(100, 10))
  })
})

describe('policies', () => {
  test('lists every policy that decides about an identity or a resource, and says when it applies', () => {
    const random = randomOf(25)
    const seen = new Set<string>()
    for (let i = 0; i < effort(60, 10); i++) {
      const world = someWorld(random)
      const { identities, resources } = knownNamesIn([world])
      const from = pick(random, instants)
      const options = { actions: everyAction, from, time: notBefore(from) }
      for (const identity of identities) {
        const about = concerning(world, { kind: 'identity', urn: identity }, options)
        for (const resource of resources) {
          const on = concerning(world, { kind: 'resource', urn: resource }, options)
          for (const { state } of [...about, ...on]) seen.add(state)
          for (const point of gridFor(world, resource).filter(({ at }) => at >= from)) {
            for (const action of actions) {
              const { at, ip, tags, model } = point
              const { clauses } = decide(world, { identity, action, resource, groups: [], at, ip, ...(tags && { tags }) })
              for (const { policy, list, entry } of clauses) {
                expect(about.find((concern) => concern.policy === policy)?.state).toBe('applies')
                const concern = on.find((each) => each.policy === policy)
                expect(concern && evaluate(concern.condition, model)).toBe(true)
                expect(concern?.effects.flatMap((effect) => effect[list])).toContain(entry.value)
              }
            }
          }
        }
      }
    }
    expect([...seen].sort()).toEqual(['applies', 'expired', 'never'])
  })

  test('of a pattern are those of everything described that it matches', () => {
    const random = randomOf(26)
    let found = 0
    for (let i = 0; i < effort(60, 10); i++) {
      const world = someWorld(random)
      const { identities, resources } = knownNamesIn([world])
      const options = { actions: everyAction, from: 0 }
      for (const [kind, urns] of [
        ['identity', identities],
        ['resource', resources],
      ] as const) {
        for (const urn of urns) {
          const one = concerning(world, { kind, urn }, options)
          const about = new Set(concerning(world, { kind, urn: `${urn.slice(0, -1)}*` }, options).map(({ policy }) => policy))
          for (const { policy } of one) expect(about.has(policy)).toBe(true)
          found += one.length
        }
      }
      const none = concerning(world, { kind: 'resource', urn: 'urn:v1:zz:resource:none:*' }, options)
      expect(none.filter(({ certain }) => certain)).toEqual([])
    }
    expect(found).toBeGreaterThan(50)
  })
})
