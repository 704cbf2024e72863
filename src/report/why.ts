import { countIn, hasNumber, matchTypes, samplesOf } from '../conditions/sets.ts'
import { operators, type Test } from '../conditions/test.ts'
import { weekdays } from '../conditions/time.ts'
import { place } from '../diagnostic.ts'
import { isPattern, writtenAs } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import { type Gate, gates, type Question, type Verdict } from '../simulate/decision.ts'
import { decidingOperands, identityMatch, type Operand, placeOf, resourceMatch } from '../simulate/why.ts'
import type { Span } from '../source.ts'
import type { DecisionChange, DecisionInterval } from '../symbolic/decision-interval.ts'
import { daysWords, endWords, fromWords, hourRanges, momentWords } from './instants.ts'
import { orList } from './lists.ts'
import type { Names } from './names.ts'
import { shown } from './safe.ts'
import { placeJson, placeWords, quoted, quotedIfNeeded } from './words.ts'

/** Why a policy applies to a question or not: what let it through each gate, in words and for machines. */

export interface Asked {
  readonly world: World
  readonly question: Question
  readonly names: Names
}

/** Where something is, what gate it opens, and how. */
export type GateRow = readonly [place: string, gate: string, words: string]

/** The gates that a policy passes, each with the entry or the comparison that opens it. `before`: only the gates before this one. */
export function gateRows(policy: Policy, { world, question, names }: Asked, before: Gate = 'action'): readonly GateRow[] {
  const isPassed = (gate: Gate) => gates.indexOf(gate) < gates.indexOf(before)
  const rows: (readonly [span: Span, gate: string, words: string])[] = []
  const { expiresAt } = policy
  const identity = isPassed('identity') && identityMatch(policy, world, question)
  if (identity) {
    const { entry, through, described } = identity
    const [who, pattern] = [names.identity(question.identity), names.identity(writtenAs(entry.value))]
    const matched = isPattern(entry.value.glob) ? `${pattern} matches ${through === undefined ? who : names.identity(through)}` : pattern
    const by = shown(described ? place(described.urn.span) : '--group')
    rows.push([entry.span, 'identity', through === undefined ? matched : `${matched}, which ${who} is in (${by})`])
  }
  const resource = isPassed('resource') && resourceMatch(policy, world, question)
  if (resource) {
    const { entry, group } = resource
    const [what, pattern] = [names.resource(question.resource), names.resource(writtenAs(entry.value))]
    const matched = isPattern(entry.value.glob) ? `${pattern} matches ${what}` : pattern
    rows.push([entry.span, 'resource', group ? `${pattern}, which ${what} is in (${placeWords(group.urn.span)})` : matched])
  }
  for (const operand of isPassed('condition') ? decidingOperands(policy, world, question) : []) {
    const from = tagPlace(operand, world, question)
    if (operand.holds !== undefined)
      rows.push([placeOf(operand), 'condition', `${operandWords(operand)}${from === undefined ? '' : ` (${from})`}`])
  }
  if (expiresAt && isPassed('condition')) rows.push([expiresAt.span, 'expiry', `until ${momentWords(expiresAt.value)}`])
  // Comparisons of one thing that have to hold together are one row.
  return rows
    .filter(([, gate, words], i) => rows.findIndex((other) => other[1] === gate && other[2] === words) === i)
    .map(([span, gate, words]) => [place(span), gate, words])
}

/** Where the tag that a comparison looks at is described; undefined where the question gives it, or for another comparison. */
function tagPlace({ leaf, fact }: Operand, world: World, { resource }: Question): string | undefined {
  if (leaf.kind !== 'match' || leaf.test.subject.kind !== 'tag' || fact === undefined) return undefined
  const described = world.resources.get(resource)
  if (!described?.tags) return undefined
  return (described.tags.get(leaf.test.subject.parameter) ?? null) === fact ? placeWords(described.urn.span) : undefined
}

/** The same for machines. */
export function gatesJson(policy: Policy, world: World, question: Question) {
  const identity = identityMatch(policy, world, question)
  const resource = resourceMatch(policy, world, question)
  const json = ({ value, span }: Policy['identities'][number] | Policy['resources'][number]) => ({
    entry: writtenAs(value),
    ...placeJson(span),
  })
  const groupOf = ({ group }: NonNullable<typeof resource>) => (group ? (group.name ?? group.urn.value) : null)
  return {
    identity: identity ? json(identity.entry) : null,
    through: identity?.through ?? null,
    resource: resource ? { ...json(resource.entry), group: groupOf(resource) } : null,
    conditions: decidingOperands(policy, world, question).map(({ leaf, holds, fact, isExcluded }) => ({
      condition: leaf.kind === 'match' ? leaf.key.value : leaf.text,
      value: leaf.kind === 'match' ? leaf.value.value : null,
      actual: fact ?? null,
      holds: holds ?? null,
      excluded: isExcluded,
      ...placeJson(placeOf({ leaf })),
    })),
  }
}

/** A comparison with the value that met it or failed: `hour 14 in Europe/Paris is not within 01:00–05:00`. */
export function operandWords(operand: Operand): string {
  const { leaf, holds, isExcluded, fact } = operand
  if (leaf.kind === 'opaque') return quoted(leaf.text)
  if (fact === undefined) return unknownWords(leaf.test, writtenValue(operand))
  const words = comparedWords(leaf.test, operand, fact, holds === true)
  return isExcluded && holds ? `${words}, which is excluded` : words
}

function comparedWords(test: Test, operand: Operand, fact: string | null, holds: boolean): string {
  const { set, subject } = test
  const { kind, parameter } = subject
  const isNot = holds ? 'is' : 'is not'
  const place = `${fact} in ${shown(parameter)} ${isNot}`
  switch (set.kind) {
    case 'addresses':
      return `${fact} ${isNot} ${relationWords(test)}${shown(writtenValue(operand))}`
    case 'numbers':
      if (set.part === 'date') return `${place} ${relationWords(test)}${shown(writtenValue(operand))}`
      return `${set.part === 'hour' ? 'hour ' : ''}${place} within ${withinWords(set.part, testsOf(operand))}`
    case 'strings': {
      const what = kind === 'tag' ? `tag ${quotedIfNeeded(parameter)}` : `resource ${kind}`
      const { verb } = matchTypes[set.matchType]
      const wanted = orList(set.values.map(quotedIfNeeded))
      if (fact === null) return `the resource has no ${what}; it must ${verb?.must ?? 'be'} ${wanted}`
      if (verb) return `${what} = ${quotedIfNeeded(fact)} ${holds ? verb.does : `does not ${verb.must}`} ${wanted}`
      return `${what} = ${quotedIfNeeded(fact)}${holds ? '' : `, not ${wanted}`}`
    }
    default:
      return set satisfies never
  }
}

/** The relation that a date or an address must have to the values that are written, before these. */
function relationWords({ operator, set }: Test): string {
  const relation = operators[operator].relation ?? (countIn(set) > 1 ? 'one of' : '')
  return relation && `${relation} `
}

/** A comparison whose fact is not known. */
function unknownWords(test: Test, value: string): string {
  const { set, subject } = test
  if (set.kind !== 'strings') return `whether the address is ${relationWords(test)}${shown(value)}`
  return `whether tag ${quotedIfNeeded(subject.parameter)} ${matchTypes[set.matchType].verb?.does ?? 'is'} ${orList(set.values.map(quotedIfNeeded))}`
}

const writtenValue = ({ leaf }: Operand) => (leaf.kind === 'match' ? leaf.value.value : '')

/** A comparison with those that have to hold together with it. */
const testsOf = ({ leaf, together }: Operand): readonly Test[] => (leaf.kind === 'match' ? [leaf.test, ...together] : together)

/** The hours or the weekdays for which all of some tests hold. */
function withinWords(part: 'hour' | 'weekday', tests: readonly Test[]): string {
  const held = samplesOf(part, []).map((number) => tests.every(({ set }) => set.kind === 'numbers' && hasNumber(set, number)))
  if (part === 'hour') return hourRanges(held.map((holds) => (holds ? '1' : '0')).join(''), true).join(' and ') || 'any hour'
  const days = [...weekdays.keys()].filter((day) => held[day])
  return days.length === 0 ? 'any day' : daysWords(days, false)
}

/** `at 2026-11-22 22:10 UTC; allowed from Monday 2026-11-23 00:00 Europe/Paris until Saturday 2026-11-28 00:00 Europe/Paris`. */
export function turningWords(turning: DecisionInterval): string {
  const instant = turningInstant(turning)
  const words = turnsWords(turning) ?? (turning.isFinal ? 'no later time changes this' : undefined)
  return words === undefined ? instant : `${instant}; ${words}`
}

/** `at 2026-11-22 22:10:05 UTC`: the instant of an answer. */
export const turningInstant = ({ at, next }: DecisionInterval): string => `at ${momentWords(Math.floor(at / 1000) * 1000, next?.zone)}`

/** When time alone turns the answer; undefined where it never does. */
export function turnsWords({ verdict, next, after }: DecisionInterval): string | undefined {
  if (!next) return undefined
  if (verdict === 'allow') {
    const again = after?.verdict === 'allow' ? ` and again ${fromWords(after.at, after.zone)}` : ''
    return `allowed until ${endWords(next.at, next.zone)}${again}`
  }
  return `${turned[next.verdict]} ${fromWords(next.at, next.zone)}${after ? ` until ${endWords(after.at, after.zone)}` : ''}`
}

const turned: Readonly<Record<Verdict, string>> = { allow: 'allowed', deny: 'denied', unknown: 'it depends on unknown facts' }

export function turningJson(turning: DecisionInterval | undefined) {
  if (!turning) return null
  const json = (turn: DecisionChange | undefined) => (turn ? { at: new Date(turn.at).toISOString(), verdict: turn.verdict } : null)
  return { at: new Date(turning.at).toISOString(), next: json(turning.next), after: json(turning.after) }
}
