import { describe, expect, test } from 'vitest'
import { compareAnswer } from '../../src/answers/compare.ts'
import { differenceJson } from '../../src/answers/difference.ts'
import { timelineJson } from '../../src/answers/timeline.ts'
import { compareIdentities } from '../../src/diff/compare.ts'
import { diff } from '../../src/diff/diff.ts'
import { diffBetween, timeline } from '../../src/diff/timeline.ts'
import type { World } from '../../src/policy.ts'
import { decide } from '../../src/simulate/decide.ts'
import type { Question } from '../../src/simulate/decision.ts'
import { type ActionsByType, knownNamesIn } from '../../src/symbolic/described.ts'
import { counted } from '../support/counted.ts'
import { effort } from '../support/effort.ts'
import { inRegionJson, type RegionJson } from '../support/region-json.ts'
import { expectSame } from '../support/same.ts'
import { generate, pick, type QuestionJson, questionOf, type Random, randomOf, type WorldJson, worldOf } from '../support/worlds.ts'

/** The output of commands is read back from the JSON: nothing else of an answer is looked at. */
const printed = <T>(value: unknown): T => JSON.parse(JSON.stringify(value)) as T

interface Shown extends RegionJson {
  readonly certain: boolean
  readonly witness: QuestionJson
  readonly causes: readonly { readonly policy: string; readonly what: string; readonly side: string }[]
}

const actions = ['p', 'q'].flatMap((product) => ['a', 'b', 'a/b', 'b/a', 'ab'].map((path) => `${product}:apisvc:${path}`))
const everyAction = { of: () => actions } as unknown as ActionsByType

/** Edits of a world: by the name of the policy, or the URN, that it was done to. */
type Done = ReadonlyMap<string, (world: WorldJson) => WorldJson>

interface Change {
  readonly before: WorldJson
  readonly after: WorldJson
  /** The edit that undoes each. */
  readonly undo: Done
}

const knobs = { policies: 5, conditions: 0.5, missing: 0, groups: 0.2 }

/** An inventory that describes some of the tags and owners, and a change of policies and of what is described. */
function changeOf(random: Random): Change {
  const { world } = generate(random, 0, knobs)
  const { world: other } = generate(random, 0, knobs)
  const before: WorldJson = {
    ...world,
    identities: [...world.identities, ...other.identities.filter(({ urn }) => !world.identities.some((each) => each.urn === urn))],
    resources: world.resources.map((each) => (random() < 0.8 ? { tags: {}, ...each } : each)),
  }
  const undo = new Map<string, (world: WorldJson) => WorldJson>()
  const replaced = <T extends { readonly name?: string; readonly urn?: string }>(list: readonly T[], name: string, item: T | undefined) => [
    ...list.filter((each) => (each.urn ?? each.name) !== name),
    ...(item ? [item] : []),
  ]
  let after = before
  for (const policy of before.policies) {
    const roll = random()
    if (roll > 0.45) continue
    undo.set(policy.name, (now) => ({ ...now, policies: replaced(now.policies, policy.name, policy) }))
    const edited = { ...pick(random, other.policies), name: policy.name }
    after = { ...after, policies: replaced(after.policies, policy.name, roll < 0.15 ? undefined : edited) }
  }
  if (random() < 0.5) {
    const added = { ...pick(random, other.policies), name: 'new' }
    undo.set('new', (now) => ({ ...now, policies: replaced(now.policies, 'new', undefined) }))
    after = { ...after, policies: [...after.policies, added] }
  }
  for (const each of before.identities) {
    if (random() < 0.7) continue
    undo.set(each.urn, (now) => ({ ...now, identities: replaced(now.identities, each.urn, each) }))
    const groups = random() < 0.5 ? [] : [...each.groups, 'urn:v1:eu:identity:group:ab/ga']
    after = { ...after, identities: replaced(after.identities, each.urn, { ...each, groups: [...new Set(groups)] }) }
  }
  for (const each of before.resources) {
    if (random() < 0.7) continue
    undo.set(each.urn, (now) => ({ ...now, resources: replaced(now.resources, each.urn, each) }))
    const roll = random()
    const changed = roll < 0.4 ? { tags: { k: pick(random, ['a', 'b']) } } : roll < 0.7 ? { owner: pick(random, ['ab', 'ba']) } : undefined
    after = { ...after, resources: replaced(after.resources, each.urn, changed && { ...each, ...changed }) }
  }
  return { before, after, undo }
}

/** A witness as `can --batch` reads it. */
const asked = (witness: QuestionJson): Question => questionOf(witness)

/** The question with the tags that the side with the new access describes, where it gives none. */
const whole = (witness: QuestionJson, world: WorldJson): QuestionJson => ({
  tags: world.resources.find(({ urn, tags }) => urn === witness.resource && tags)?.tags ?? {},
  ...witness,
})

/** The verdicts of the side with the new access and of the other one. */
function expectNewAccess(list: readonly Shown[], granting: World, other: World, all: object): void {
  for (const { witness, certain } of list) {
    const verdicts = [decide(granting, asked(witness)).verdict, decide(other, asked(witness)).verdict]
    const right = certain ? verdicts[0] === 'allow' && verdicts[1] !== 'allow' : verdicts[0] !== 'deny' && verdicts[1] !== 'allow'
    expectSame(right, true, () => JSON.stringify({ verdicts, certain, witness, ...all }))
  }
}

describe('a witness that is printed replays through `can --batch`', () => {
  // covers: M33
  test('of `diff`, in its region, and what causes it turns it', () => {
    const random = randomOf(41)
    let [regions, known, changes, flipped] = [0, 0, 0, 0]
    for (let i = 0; i < effort(400); i++) {
      const { before, after, undo } = changeOf(random)
      const [first, second] = [worldOf(before), worldOf(after)]
      const found = printed<{ gained: Shown[]; lost: Shown[]; described: { gained: Shown[]; lost: Shown[] } }>(
        differenceJson(diff(first, second, { described: everyAction })),
      )
      for (const [side, from, to] of [
        ['gained', [before, first], [after, second]],
        ['lost', [after, second], [before, first]],
      ] as const) {
        const about = { i, before, after }
        expectNewAccess(found[side], to[1], from[1], about)
        expectNewAccess(found.described[side], to[1], from[1], about)
        changes += found.described[side].length
        for (const region of found[side]) {
          const { witness } = region
          const isIn = inRegionJson(region, whole(witness, to[0]), to[0], from[0])
          expectSame(isIn, true, () => JSON.stringify({ region, ...about }))
          regions++
          if (to[0].identities.some(({ urn }) => urn === witness.identity)) known++
        }
        for (const { witness, causes, certain } of [...found[side], ...found.described[side]]) {
          const names = [...new Set(causes.map(({ policy }) => policy))]
          expectSame(names.length > 0 && names.every((name) => undo.has(name)), true, () => JSON.stringify({ causes, ...about }))
          if (!certain) continue
          // Undone one by one, or all of them, the second world answers as the first.
          const verdictWithout = (list: readonly string[]) =>
            decide(worldOf(list.reduce((now, name) => (undo.get(name) as (world: WorldJson) => WorldJson)(now), after)), asked(witness))
              .verdict
          const isTurned = [...names.map((name) => [name]), names].some((list) => (verdictWithout(list) === 'allow') === (side === 'lost'))
          expectSame(isTurned, true, () => JSON.stringify({ witness, causes, ...about }))
          flipped++
        }
      }
    }
    counted(regions + changes)
    expect(regions).toBeGreaterThan(effort(400))
    expect(known).toBeGreaterThan(effort(40))
    expect(changes).toBeGreaterThan(effort(200))
    expect(flipped).toBeGreaterThan(effort(600))
  })

  test('of `compare`: the one identity may, and the other may not', () => {
    const random = randomOf(42)
    let rows = 0
    for (let i = 0; i < effort(600); i++) {
      const { before } = changeOf(random)
      const world = worldOf(before)
      const { identities, resources } = knownNamesIn([world])
      if (identities.length < 2) continue
      const [one, two] = [pick(random, identities), pick(random, identities)]
      if (one === two) continue
      const times = { at: undefined, from: 0 } as never
      const found = printed<Record<'first' | 'second', { only: { witness: QuestionJson; certain: boolean }[] }>>(
        compareAnswer(compareIdentities(world, [one, two], resources, { actions: everyAction }), {
          world,
          identities: [one, two],
          times,
        }).json(),
      )
      for (const [side, other] of [
        [found.first, two],
        [found.second, one],
      ] as const) {
        for (const { witness, certain } of side.only) {
          rows++
          const verdicts = [witness, { ...witness, identity: other }].map((each) => decide(world, asked(each)).verdict)
          const right = (certain ? verdicts[0] === 'allow' : verdicts[0] !== 'deny') && verdicts[1] !== 'allow'
          expectSame(right, true, () => JSON.stringify({ witness, other, verdicts, before }))
        }
      }
    }
    expect(rows).toBeGreaterThan(effort(100))
  })

  test('of `timeline` and of `diff` at two instants, at its own instant and not at the other one', () => {
    const random = randomOf(43)
    const day = 24 * 3_600_000
    let shown = 0
    for (let i = 0; i < effort(60); i++) {
      const { before, after } = changeOf(random)
      const [first, second] = [worldOf(before), worldOf(after)]
      const [at, to] = [Date.parse('2026-06-30T22:00:00Z'), Date.parse('2026-06-30T22:00:00Z') + 9 * day]
      const { changes } = printed<{
        changes: { at: string; gained: Shown[]; lost: Shown[]; described: { gained: Shown[]; lost: Shown[] } }[]
      }>(timelineJson(timeline(first, { from: at, to, described: everyAction }), undefined))
      const between = printed<(typeof changes)[number]>(
        differenceJson(diffBetween({ world: first, at }, { world: second, at: to }, { described: everyAction })),
      )
      const lists = [
        ...changes.flatMap(({ gained, lost, described }) => [
          { list: [...gained, ...described.gained], here: first, there: first, step: -1 },
          { list: [...lost, ...described.lost], here: first, there: first, step: 1 },
        ]),
        { list: [...between.gained, ...between.described.gained], here: second, there: first, step: at - to },
        { list: [...between.lost, ...between.described.lost], here: first, there: second, step: to - at },
      ]
      for (const { list, here, there, step } of lists) {
        for (const { witness, certain } of list) {
          shown++
          const question = asked(witness)
          const verdicts = [decide(here, question).verdict, decide(there, { ...question, at: question.at + step }).verdict]
          const right = (certain ? verdicts[0] === 'allow' : verdicts[0] !== 'deny') && verdicts[1] !== 'allow'
          expectSame(right, true, () => JSON.stringify({ witness, verdicts, step, before, after }))
        }
      }
    }
    expect(shown).toBeGreaterThan(effort(100))
  })
})
