import { place } from '../diagnostic.ts'
import { matches, writtenAs } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { type Policy, titled, type World } from '../policy.ts'
import type { Caveat, Clause, Decision, Explanation, Gate, Missing, Question, Trace, Verdict } from '../simulate/decision.ts'
import { asMemberWords, caveats, type Fact, type FactValue } from '../simulate/decision.ts'
import { factText, valueText } from '../simulate/facts.ts'
import { decidingOperands, gatePlace, identityMatch, type Operand, openGroups, resourceMatch } from '../simulate/why.ts'
import type { Span } from '../source.ts'
import type { DecisionInterval } from '../symbolic/decision-interval.ts'
import type { Remedies } from '../symbolic/remedies.ts'
import { areGroupsKnown } from '../world.ts'
import { byAddressWords } from './addresses.ts'
import type { Paint } from './colour.ts'
import { momentWords } from './instants.ts'
import { Names } from './names.ts'
import { shown } from './safe.ts'
import { type Asked, type GateRow, gateRows, gatesJson, operandWords, turningJson, turningWords } from './why.ts'
import {
  entryWords,
  firstFew,
  linesText,
  placeJson,
  placeWords,
  plural,
  policyJson,
  presentParts,
  quoted,
  quotedIfNeeded,
  quotedPolicy,
} from './words.ts'

export const clauseJson = ({ policy, list, entry, group }: Clause) => ({
  ...policyJson(policy),
  ...placeJson(entry.span),
  list,
  entry: writtenAs(entry.value),
  group: group ?? null,
})

export const decisionJson = ({ verdict, reason, clauses, missing, caveats }: Decision) => ({
  verdict,
  reason,
  clauses: withoutRepeats(clauses).map(clauseJson),
  missing: missing.map(({ fact }) => factText(fact)),
  caveats,
})

/** The same with what let each policy apply, and how the time turns the answer: for one question, not for many. */
export const answerJson = (decision: Decision, world: World, question: Question, turning: DecisionInterval | undefined) => ({
  ...decisionJson(decision),
  clauses: withoutRepeats(decision.clauses).map((clause) => ({ ...clauseJson(clause), ...gatesJson(clause.policy, world, question) })),
  time: turningJson(turning),
})

/** A decision with everything behind it: the part of each policy, and completions of what is missing. */
export function explanationJson(explanation: Explanation, world: World, question: Question, turning: DecisionInterval | undefined) {
  const { decision, traces, withoutInnerWildcards } = explanation
  const valuesJson = (values: readonly FactValue[]) => Object.fromEntries(values.map((value) => [factText(value), valueText(value)]))
  return {
    ...answerJson(decision, world, question, turning),
    completions: decision.missing.map(({ fact, allows, denies }) => ({
      fact: factText(fact),
      allows: valuesJson(allows),
      denies: valuesJson(denies),
    })),
    ...(withoutInnerWildcards && { withoutInnerWildcards }),
    policies: traces.map(({ policy, stoppedAt = null, applies = 'unknown', unknownGroups, ...lists }) => ({
      ...policyJson(policy),
      stoppedAt,
      applies,
      grants: lists.grants.map(clauseJson),
      denies: lists.denies.map(clauseJson),
      excepted: lists.excepted.map(clauseJson),
      unknownGroups,
      ...gatesJson(policy, world, question),
    })),
  }
}

const titleOf = ({ name, address }: Policy) => titled(name.value, address)

/** One line: verdict, reason, the entries and the missing facts. */
export const decisionLine = ({ verdict, reason, clauses, missing, caveats }: Decision): string =>
  presentParts(
    [verdict, reason],
    withoutRepeats(clauses).map((clause) => `${placeWords(clause.entry.span)} ${entryWords(clause)}`),
    missing.length > 0 && `missing ${missing.map(({ fact }) => shown(factText(fact))).join(', ')}`,
    caveats.length > 0 && `caveats ${caveats.join(', ')}`,
  ).join(' · ')

/** How many of the nearest policies are shown, of how many that decide the gates, and how many that are about something else. */
const [mostNearest, mostDetailed, mostAside] = [4, 3, 12]

export interface ExplainedQuestion {
  readonly question: Question
  readonly explanation: Explanation
  readonly all?: boolean
  readonly notes?: readonly string[]
  readonly names?: Names
  readonly turning?: DecisionInterval | undefined
  readonly remedies?: Remedies | undefined
}

/** A decision in words. `world`: in which it was decided. Rows begin with a place. */
export function decisionWords(explained: ExplainedQuestion, world: World) {
  const { question, explanation, notes = [], names = new Names([], true), turning, remedies } = explained
  const { decision, nearest } = explanation
  const asked: Asked = { world, question, names }
  const isOpen = decision.reason === 'default' && world.policies.length > 0
  return {
    ...(turning && { turning: turningWords(turning) }),
    sentence: sentenceOf(decision),
    entries: entryRows(withoutRepeats(decision.clauses), asked),
    missing: decision.missing.map((each) => missingWords(each, explanation, names)),
    settling: settlingOf(decision),
    ...(isOpen && { nearest: nearestRows(nearest, asked, remedies) }),
    notes,
    // That groups may be missing is no news of an identity whose groups a world file lists.
    caveats: decision.caveats
      .filter((caveat) => caveat !== 'groups-unknown' || !areGroupsKnown(world, question.identity))
      .map((caveat) => [caveatWords(caveat, explanation, names), caveat] as const),
  }
}

/** A decision as text: the verdict, why, and what it depends on. `world`: in which it was decided. */
export function decisionText(explained: ExplainedQuestion, world: World, paint: Paint): string {
  const { question, explanation, all = false, names = new Names([], true) } = explained
  const words = decisionWords(explained, world)
  const rows = table(words.entries.map(({ row }) => row))
  return linesText(
    `${verdictWord(explanation.decision.verdict, paint)}  ${names.identity(question.identity)}  ${paint.bold(shown(question.action))}  ${names.resource(question.resource)}`,
    words.notes.map((note) => `  ${paint.warning('note:')} ${shown(note)}`),
    words.turning !== undefined && `  ${words.turning}`,
    `  ${words.sentence}`,
    words.entries.map(({ gates }, i) => [rows[i], ...gateLines(gates, paint)]),
    words.missing.map((each) => `  ${each}`),
    words.settling.length > 0 && `  ${paint.dim(`settle it with ${words.settling.join(', ')}`)}`,
    words.nearest && !all && nearestLines(words.nearest, paint),
    all && traceLines(explanation, { world, question, names }, paint),
    words.caveats.map(([text, caveat]) => `  ${paint.warning('note:')} ${text} ${paint.dim(`(${caveat})`)}`),
  )
}

/** A verdict as the first word of an answer. */
export const verdictWord = (verdict: Verdict, { good, error, warning }: Paint): string =>
  ({ allow: good, deny: error, unknown: warning })[verdict](verdict.toUpperCase())

/** The entries that decide, and below the last one of each policy what let that policy apply. */
function entryRows(clauses: readonly Clause[], asked: Asked) {
  const detailed = [...new Set(clauses.map(({ policy }) => policy))].slice(0, mostDetailed)
  return clauses.map((clause, i) => {
    const { policy, entry } = clause
    const isLast = clauses.findLastIndex((other) => other.policy === policy) === i
    const row: GateRow = [place(entry.span), titleOf(policy), entryWords(clause, asked.names)]
    return { row, gates: isLast && detailed.includes(policy) ? gateRows(policy, asked) : [] }
  })
}

const gateLines = (rows: readonly GateRow[], paint: Paint) => table(rows, '      ').map(paint.dim)

/** The policies that would grant it but for one gate, and what would have to differ, with how many others there are. */
function nearestRows(nearest: readonly Trace[], asked: Asked, remedies: Remedies | undefined) {
  const rows = nearest
    .slice(0, mostNearest)
    .map((trace) => traceRow(trace, gatePlace(trace, asked.world, asked.question), asked, remedies?.get(trace.policy)))
  return { rows, left: nearest.length - rows.length }
}

const traceRow = (trace: Trace, at: Span, { world, question, names }: Asked, remedy?: string): GateRow => [
  place(at),
  titleOf(trace.policy),
  presentParts(traceWords(trace, world, question, names), remedy).join('; '),
]

function nearestLines({ rows, left }: ReturnType<typeof nearestRows>, { dim }: Paint): readonly string[] {
  if (rows.length === 0) return [`  ${dim('no policy would grant it if only one thing were different')}`]
  return presentParts(
    `  ${dim('nearest policies')}`,
    table(rows),
    left > 0 && `    ${dim(`and ${left} more: \`--explain\` shows every policy`)}`,
  )
}

/** Every policy with its part, and the gates that it passed; those of the policies that decide are shown already. */
function traceLines({ traces, decision }: Explanation, asked: Asked, paint: Paint): readonly string[] {
  const { world, question } = asked
  const deciding = new Set(decision.clauses.map(({ policy }) => policy))
  const rows = table(traces.map((trace) => traceRow(trace, trace.policy.name.span, asked)))
  const blocks = traces.map((trace, i) => {
    const { policy, stoppedAt, applies } = trace
    // Where it is not known whether the resource is in a group, the policy may be about it.
    const isOnIt = resourceMatch(policy, world, question) !== undefined || openGroups(policy, world, question).length > 0
    const isAside = applies === false && !(isOnIt && identityMatch(policy, world, question))
    const gates = deciding.has(policy) ? [] : gateRows(policy, asked, stoppedAt)
    return { isAside, node: policy.node, lines: [rows[i] as string, ...gateLines(gates, paint)] }
  })
  // Several variants of a policy may say the same.
  const distinct = [...new Map(blocks.map((block) => [keyOf(block.lines), block])).values()]
  // Where there are many policies about other identities or resources, they are counted.
  const isLong = distinct.filter(({ isAside }) => isAside).length > mostAside
  const hiddenCount = new Set(blocks.filter(({ isAside }) => isAside && isLong).map(({ node }) => node)).size
  return presentParts(
    `  ${paint.dim(`policies (${new Set(blocks.map(({ node }) => node)).size})`)}`,
    traces.length === 0 && '    none',
    distinct.filter(({ isAside }) => !isAside || !isLong).map(({ lines }) => lines),
    hiddenCount > 0 &&
      `    ${paint.dim(`${plural(hiddenCount, 'policy')} about other identities or resources: \`--format json\` lists all`)}`,
  )
}

const sentences: Readonly<Record<Decision['reason'], readonly [before: string, without: string]>> = {
  granted: ['granted by', 'granted, whatever the missing facts are'],
  denied: ['explicitly denied by', 'denied, whatever the missing facts are'],
  root: ['', 'the account owns the resource, and the owning account cannot be restricted'],
  unknown: ['it depends; these entries may decide', 'it depends on unknown facts'],
  default: ['', 'no policy grants it'],
}

/** Why it is decided so: the words before the entries that decide, or without any. */
export const sentenceOf = ({ reason, clauses }: Decision): string => sentences[reason][clauses.length > 0 ? 0 : 1]

/** Advice after "settle it with". */
const settling: Readonly<Record<Fact['kind'], string>> = {
  address: '`--ip ADDRESS`',
  tag: '`--tag KEY=VALUE` for each tag it has, or its tags in a world file',
  resourceGroup: 'the members of the resource group in a world file',
  permissionsGroup: 'the permissions group in a world file',
  condition: 'a condition that can be understood (`grantwise lint` explains what is wrong)',
  expression: 'the values of these expressions: a `.tfvars` file, or a plan',
}

/** The advice on the missing facts, once for each kind. */
export const settlingOf = ({ missing }: Decision) => [...new Set(missing.map(({ fact }) => adviceOn(fact)))]

const adviceOn = (fact: Fact) =>
  fact.kind === 'expression' && fact.about === 'account' ? '`account` in a world file: whose account it is applied to' : settling[fact.kind]

const lacking: Readonly<Partial<Record<Fact['kind'], string>>> = {
  permissionsGroup: ' is not described',
  condition: ' cannot be understood',
  expression: ' is unknown',
}

/** A fact as the subject of a sentence. */
function factName(fact: Fact, names: Names): string {
  if (fact.kind === 'resourceGroup') return names.resourceGroup(fact.urn)
  if (fact.kind === 'permissionsGroup') return `permissions group ${quoted(fact.urn)}`
  if (fact.kind === 'condition') return `condition ${quoted(fact.text.replace(/^condition:/, ''))}`
  if (fact.kind === 'tag') return `tag ${quotedIfNeeded(fact.key)}`
  return fact.kind === 'expression' ? `what depends on ${quoted(fact.text)}` : shown(factText(fact))
}

/** A value before "allows" or "denies"; undefined where it goes behind "allowed if it". With the fact as a clause after "where". */
function valueWords(value: FactValue, names: Names): readonly [subject: string | undefined, where: string] {
  const text = valueText(value)
  switch (value.kind) {
    case 'address':
      return [shown(text ?? ''), `the request comes from ${shown(text ?? '')}`]
    case 'tag':
      if (text === null) return ['no such tag', `the resource has no tag ${quoted(value.key)}`]
      return [quoted(text), `the tag ${quoted(value.key)} is ${quoted(text)}`]
    case 'resourceGroup': {
      const not = value.isMember ? '' : 'not '
      return [`${not}being in it`, `the resource is ${not}in ${factName(value, names)}`]
    }
    default:
      return [undefined, `${factName(value, names)} ${text}`]
  }
}

function effectWords(value: FactValue, [verb, past]: readonly [string, string], names: Names): string {
  const [subject] = valueWords(value, names)
  if (subject !== undefined) return `${subject} ${verb}`
  return `${past} if it ${value.kind === 'permissionsGroup' && past === 'allowed' ? grants[value.outcome] : valueText(value)}`
}

const grants = { allow: 'allows the action', deny: 'denies the action', nothing: 'says nothing of the action' }

/** The verdicts by the values of a missing fact, with the other facts that the example rests on. */
function missingWords({ fact, allows, denies }: Missing, { decision, byAddress, traces }: Explanation, names: Names): string {
  if (fact.kind === 'address' && byAddress) {
    const others = decision.missing.filter((each) => each.fact !== fact).map((each) => factName(each.fact, names))
    return byAddressWords(byAddress, firstFew(others, mostListed))
  }
  const isOwn = (value: FactValue) => factText(value) === factText(fact)
  const circumstances = allows.filter((value) => !isOwn(value)).map((value) => valueWords(value, names)[1])
  const where = circumstances.length === 0 ? '' : ` (where ${circumstances.join(' and ')})`
  const [allowing, denying] = [allows, denies].map((values) => values.find(isOwn) as FactValue) as [FactValue, FactValue]
  const effects = `${effectWords(allowing, ['allows', 'allowed'], names)}, ${effectWords(denying, ['denies', 'denied'], names)}`
  const policies = traces.filter(({ unknownGroups }) => fact.kind === 'permissionsGroup' && unknownGroups.includes(fact.urn))
  const of =
    policies.length === 0 ? '' : ` of ${firstFew([...new Set(policies.map(({ policy }) => policy))].map(quotedPolicy), mostListed)}`
  return `${factName(fact, names)}${of}${lacking[fact.kind] ?? ''}: ${effects}${where}`
}

/** Entries, each once: a policy whose lists have unknown parts is judged in several variants. */
export function withoutRepeats(clauses: readonly Clause[]): readonly Clause[] {
  if (clauses.length < 2) return clauses
  const seen = new Map<object, Set<string>>()
  return clauses.filter(({ policy: { node }, list, entry: { span }, group }) => {
    const key = keyOf(list, span.start, span.source.path, group)
    const seenKeys = seen.get(node) ?? new Set()
    seen.set(node, seenKeys)
    return !seenKeys.has(key) && seenKeys.add(key)
  })
}

function caveatWords(caveat: Caveat, { lift, withoutInnerWildcards }: Explanation, names: Names): string {
  if (caveat === 'groups-unknown' && lift) return asMemberWords(lift, 'allowed', names.identity(lift.group))
  const isOpen = caveat === 'inner-wildcard' && withoutInnerWildcards
  return `${caveats[caveat]}${isOpen ? `; if it matched nothing the verdict would be ${withoutInnerWildcards}` : ''}`
}

/** The part of a policy in a decision, in a sentence. */
export function traceWords(trace: Trace, world: World, question: Question, names = new Names([], true)): string {
  const { policy, stoppedAt, applies, grants, denies, excepted, unknownGroups } = trace
  const words = (clause: Clause) => entryWords(clause, names)
  const operands = decidingOperands(policy, world, question)
  const { allow, deny } = policy.permissions
  const isAboutAction = policy.permissionsGroups.length > 0 || [...allow, ...deny].some(({ value }) => matches(value, question.action))
  const actions = [
    ...[...allow, ...deny].map(({ value }) => quoted(writtenAs(value))),
    ...policy.permissionsGroups.map(({ value }) => `\`${names.permissionsGroup(value.text)}\``),
  ]
  const stops: Readonly<Record<Gate, () => string>> = {
    expiry: () => `expired ${momentWords(policy.expiresAt?.value ?? 0)}`,
    identity: () => `applies to ${listed(policy.identities.map(({ value }) => names.identity(writtenAs(value))))}`,
    resource: () => `applies to ${listed(policy.resources.map(({ value }) => names.resource(writtenAs(value))))}`,
    condition: () => (operands.length === 0 ? 'it never holds' : listed(operands.map(operandWords))),
    action: () => (excepted.length > 0 ? `allowed, but ${excepted.map(words).join(', ')} removes it` : listed(actions)),
  }
  // A time or a tag does not help where the policy does not name the action at all.
  if (stoppedAt === 'condition' && !isAboutAction) return `stops at action: ${listed(actions)}`
  if (stoppedAt) return `stops at ${stoppedAt}: ${stops[stoppedAt]()}`
  const perhaps = applies === undefined ? 'perhaps ' : ''
  return presentParts(
    [...denies, ...grants].map((clause) => `${perhaps}${words(clause)}`),
    unknownGroups.map((urn) => `permissions group ${names.permissionsGroup(urn)} is unknown`),
    applies === undefined && openWords(policy, operands, { world, question, names }),
  ).join('; ')
}

/** Which gates of a policy that may apply are open, and what would close them or let it through. */
function openWords(policy: Policy, operands: readonly Operand[], { world, question, names }: Asked): readonly string[] {
  const groups = openGroups(policy, world, question).map((urn) => names.resource(urn))
  const open = operands.filter(({ holds }) => holds === undefined)
  const why = ({ leaf }: Operand) => (leaf.kind !== 'opaque' ? '' : leaf.isValue ? ' (unknown)' : ' (cannot be understood)')
  return presentParts(
    groups.length > 0 && `open at resource: whether it is in ${listed(groups)}`,
    open.length > 0 && `open at condition: ${listed(open.map((operand) => `${operandWords(operand)}${why(operand)}`))}`,
  )
}

const mostListed = 3

const listed = (strings: readonly string[]) => (strings.length === 0 ? 'nothing' : firstFew([...new Set(strings)], mostListed))

function table(rows: readonly GateRow[], indent = '    '): readonly string[] {
  const cells = rows.map((row) => row.map(shown) as [string, string, string])
  const width = (i: number, most: number) => Math.min(most, Math.max(0, ...cells.map((row) => row[i]?.length ?? 0)))
  const [first, second] = [width(0, 60), width(1, 40)]
  return cells.map(([a, b, c]) => `${indent}${a.padEnd(first)}  ${b.padEnd(second)}  ${c}`)
}
