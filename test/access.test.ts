import { describe, expect, test } from 'vitest'
import { allOf, anyOf, inUnknownGroup, judgeOf, notSo } from '../src/access/residue.ts'
import { type What, what } from '../src/access/what.ts'
import { type Who, who } from '../src/access/who.ts'
import { always, type Formula, never } from '../src/analysis/formula.ts'
import { glob, matches } from '../src/glob.ts'
import type { World } from '../src/policy.ts'
import { decide } from '../src/simulate/decide.ts'
import type { Question, Verdict } from '../src/simulate/decision.ts'
import { nothingAssumed, testHolds } from '../src/simulate/facts.ts'
import { type ResourceGroupUrn, readResourceGroup } from '../src/urn/resource.ts'
import { inResourceGroup } from '../src/world.ts'
import { generate, pick, questionOf, type Random, randomOf, worldOf } from './support/worlds.ts'

/** A formula with the comparisons that a question decides put in. */
function given(formula: Formula, world: World, question: Question): Formula {
  switch (formula.kind) {
    case 'and':
      return allOf(formula.operands.map((part) => given(part, world, question)))
    case 'or':
      return anyOf(formula.operands.map((part) => given(part, world, question)))
    case 'not':
      return notSo(anyOf(formula.operands.map((part) => given(part, world, question))))
    case 'test': {
      const truth = testHolds(formula.test, world, question, nothingAssumed)
      return truth === undefined ? formula : truth ? always : never
    }
    default:
      return formula
  }
}

function verdictOf(formula: Formula): Verdict {
  const { certainty, approximate } = judgeOf()(formula)
  expect(approximate).toBe(false)
  return certainty === 'always' ? 'allow' : certainty === 'never' ? 'deny' : 'unknown'
}

/** The owning account is the same in each region. */
const anyRegion = (urn: string | undefined) => urn?.replace(/^urn:v1:[^:]*/, '')

/** What the rows of `who` say of somebody who comes with these identities. */
function byWho(answer: Who, members: readonly string[], isKnown: boolean): Formula {
  const [self] = members
  const hits = (pattern: string) => members.some((member) => matches(glob(pattern), member))
  return anyOf(
    [...answer.who, ...answer.unknown]
      .filter((row) => {
        if (row.reason === 'root') return anyRegion(row.identity) === anyRegion(self)
        return row.isKnown ? isKnown && row.identity === self : hits(row.identity)
      })
      .map((row) =>
        allOf([
          row.except.some(hits) ? never : always,
          row.condition,
          notSo(anyOf(row.unless.filter(({ identity }) => hits(identity)).map(({ condition }) => condition))),
        ]),
      ),
  )
}

/** What the rows of `what` say of an action on a resource. */
function byWhat(answer: What, world: World, question: Question): Formula {
  const groups = answer.what
    .flatMap(({ resource, unless }) => [resource, ...unless.map((leaving) => leaving.resource)])
    .flatMap((text): ResourceGroupUrn[] => [readResourceGroup(text, { pattern: true }).value ?? []].flat())
  const unknown = groups.filter((urn) => inResourceGroup(world, urn, question.resource) === undefined)
  const holds = (text: string): Formula => {
    const group = readResourceGroup(text, { pattern: true }).value
    if (!group) return matches(glob(text), question.resource) ? always : never
    const member = inResourceGroup(world, group, question.resource)
    return member === undefined ? inUnknownGroup(group, unknown) : member ? always : never
  }
  const hits = (patterns: readonly string[]) => patterns.some((pattern) => matches(glob(pattern), question.action))
  return anyOf(
    answer.what
      .filter(({ actions, except }) => hits(actions) && !hits(except))
      .map(({ resource, condition, unless }) =>
        given(
          allOf([
            holds(resource),
            condition,
            notSo(
              anyOf(unless.filter(({ actions }) => hits(actions)).map((leaving) => allOf([holds(leaving.resource), leaving.condition]))),
            ),
          ]),
          world,
          question,
        ),
      ),
  )
}

const letter = '\u{ffff}'

/** Somebody near what the policies write: each pattern's own point, those known, those asked about. */
function someIdentity(random: Random, world: World, question: Question): string {
  const written = world.policies.flatMap(({ identities }) =>
    identities.map(({ value }) => value.text.replace('*', pick(random, ['x', letter, 'a']))),
  )
  return pick(random, [question.identity, pick(random, written), ...world.identities.keys()])
}

describe('agreement with can', () => {
  const floor = { allow: 400, deny: 1000, unknown: 150 }

  test('who: in both directions, whoever asks', () => {
    const seen: Record<Verdict, number> = { allow: 0, deny: 0, unknown: 0 }
    const random = randomOf(2026)
    for (let i = 0; i < 1000; i++) {
      const { world: written, questions } = generate(random, 1)
      const world = worldOf(written)
      for (const each of questions) {
        const { identity: _, groups: __, ...asked } = questionOf(each)
        const shared = random() < 0.15 ? [pick(random, ['urn:v1:eu:identity:group:ab/g', 'urn:v1:eu:identity:group:ab/ga'])] : []
        const answer = who(world, { ...asked, groups: shared })
        for (let k = 0; k < 3; k++) {
          const identity = someIdentity(random, world, questionOf(each))
          const isKnown = world.identities.has(identity)
          const more =
            !isKnown && random() < 0.5 ? [someIdentity(random, world, questionOf(each))].filter((urn) => urn.includes(':group:')) : []
          const groups = [...shared, ...more]
          const question: Question = { ...asked, identity, groups }
          const decision = decide(world, question)
          if (decision.caveats.includes('approximate')) continue
          seen[decision.verdict]++
          const said = verdictOf(byWho(answer, [identity, ...groups, ...(world.identities.get(identity)?.groups ?? [])], isKnown))
          if (said !== decision.verdict)
            throw new Error(
              `can ${decision.verdict}, who ${said}: ${JSON.stringify({ ...question, ip: undefined, tags: [...(question.tags ?? [])] })}\n${written.policies.map((p) => JSON.stringify(p)).join('\n')}\n${JSON.stringify({ ...written, policies: undefined })}\n${JSON.stringify(answer, (key, value) => (key === 'clauses' || typeof value === 'bigint' ? undefined : value), 1)}`,
            )
        }
      }
    }
    for (const verdict of ['allow', 'deny', 'unknown'] as const) expect(seen[verdict], verdict).toBeGreaterThan(floor[verdict])
  })

  test('what: in both directions, whatever is asked', () => {
    const seen: Record<Verdict, number> = { allow: 0, deny: 0, unknown: 0 }
    const random = randomOf(51)
    for (let i = 0; i < 1000; i++) {
      const { world: written, questions } = generate(random, 1)
      const world = worldOf(written)
      for (const each of questions) {
        const first = questionOf(each)
        const { action: _, resource: __, ...asked } = { ...first, identity: someIdentity(random, world, first) }
        const within = random() < 0.25 ? first.resource : undefined
        const answer = what(world, asked, within === undefined ? undefined : glob(within))
        const actions = world.policies.flatMap(({ permissions: p }) =>
          [...p.allow, ...p.except, ...p.deny].map(({ value }) => value.text.replaceAll('*', pick(random, ['a', letter, '']))),
        )
        const resources = world.policies.flatMap(({ resources }) =>
          resources.flatMap(({ value }) =>
            value.kind === 'resource' ? [value.text.replaceAll('*', pick(random, ['a', 'x:y', 'b']))] : [],
          ),
        )
        for (let k = 0; k < 3; k++) {
          const action = pick(random, [first.action, ...actions])
          const resource = within ?? pick(random, [first.resource, ...resources, ...world.resources.keys()])
          if (resource.split(':').length < 6) continue
          const question: Question = { ...asked, action, resource }
          const decision = decide(world, question)
          if (decision.caveats.includes('approximate')) continue
          seen[decision.verdict]++
          const said = verdictOf(byWhat(answer, world, question))
          if (said !== decision.verdict)
            throw new Error(
              `can ${decision.verdict}, what ${said}: ${JSON.stringify({ ...question, ip: undefined, tags: [...(question.tags ?? [])] })}\n${written.policies.map((p) => JSON.stringify(p)).join('\n')}\n${JSON.stringify({ ...written, policies: undefined })}\n${JSON.stringify(answer, (key, value) => (key === 'clauses' || typeof value === 'bigint' ? undefined : value), 1)}`,
            )
        }
      }
    }
    for (const verdict of ['allow', 'deny', 'unknown'] as const) expect(seen[verdict], verdict).toBeGreaterThan(floor[verdict])
  })
})
