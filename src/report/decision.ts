import { place } from '../diagnostic.ts'
import { matches, writtenAs } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { type Policy, titled, type World } from '../policy.ts'
import {
  type Caveat,
  type Clause,
  caveats,
  type Decision,
  type Explanation,
  type Missing,
  type Question,
  type Trace,
  type Verdict,
} from '../simulate/decision.ts'
import { type Fact, type FactValue, factText, valueText } from '../simulate/facts.ts'
import { decidingOperands, identityMatch, type Operand, openGroups, resourceMatch } from '../simulate/why.ts'
import type { Span } from '../source.ts'
import type { Turning } from '../symbolic/turns.ts'
import { byAddressWords } from './addresses.ts'
import type { Paint } from './colour.ts'
import { momentWords } from './instants.ts'
import { Names } from './names.ts'
import type { Remedies } from './remedy.ts'
import { shown } from './safe.ts'
import { type Asked, type GateRow, gatePlace, gateRows, gatesJson, operandWords, turningJson, turningWords } from './why.ts'
import { entryWords, linesText, placeJson, placeWords, plural, policyJson, quoted, said, some } from './words.ts'

/** An entry as machines read it. */
export function clauseJson({ policy, list, entry, group }: Clause) {
  return {
    ...policyJson(policy),
    ...placeJson(entry.span),
    list,
    entry: writtenAs(entry.value),
    group: group ?? null,
  }
}

/** A decision as machines read it. `jsonOf`: its entries. */
export function decisionJson({ verdict, reason, clauses, missing, caveats }: Decision, jsonOf: (clause: Clause) => object = clauseJson) {
  return { verdict, reason, clauses: withoutRepeats(clauses).map(jsonOf), missing: missing.map(({ fact }) => factText(fact)), caveats }
}

/** The same with what let each policy apply, and how the time turns the answer: for one question, not for many. */
export function answerJson(decision: Decision, world: World, question: Question, turning: Turning | undefined) {
  const jsonOf = (clause: Clause) => ({ ...clauseJson(clause), ...gatesJson(clause.policy, world, question) })
  return { ...decisionJson(decision, jsonOf), time: turningJson(turning) }
}

/** A decision with everything behind it: the part of each policy, and completions of what is missing. */
export function explanationJson(explanation: Explanation, world: World, question: Question, turning: Turning | undefined) {
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
    policies: traces.map(({ policy, stoppedAt, applies, grants, denies, excepted, unknownGroups }) => ({
      ...policyJson(policy),
      stoppedAt: stoppedAt ?? null,
      applies: applies ?? 'unknown',
      grants: grants.map(clauseJson),
      denies: denies.map(clauseJson),
      excepted: excepted.map(clauseJson),
      unknownGroups,
      ...gatesJson(policy, world, question),
    })),
  }
}

const titleOf = ({ name, address }: Policy) => titled(name.value, address)

/** One line: verdict, reason, the entries and the missing facts. */
export function decisionLine({ verdict, reason, clauses, missing, caveats }: Decision): string {
  return said(
    [verdict, reason],
    withoutRepeats(clauses).map((clause) => `${placeWords(clause.entry.span)} ${entryWords(clause)}`),
    missing.length > 0 && `missing ${missing.map(({ fact }) => shown(factText(fact))).join(', ')}`,
    caveats.length > 0 && `caveats ${caveats.join(', ')}`,
  ).join(' · ')
}

const nearestShown = 4
/** Of how many policies the gates are shown below the entries that decide. */
const mostDetailed = 3

export interface DecisionTextOptions {
  /** Show the part of every policy. */
  readonly all?: boolean
  /** What else there is to say of the question. */
  readonly notes?: readonly string[]
  readonly names?: Names
  /** How the time turns the answer, where it does. */
  readonly turning?: Turning | undefined
  /** What would have to differ for the nearest policies to apply. */
  readonly remedies?: Remedies | undefined
}

/** What there is to say of a decision, in words. Rows begin with a place. */
export interface DecisionWords {
  readonly turning?: string
  readonly sentence: string
  /** The entries that decide, and below the last one of each policy what let that policy apply. */
  readonly entries: readonly { readonly row: GateRow; readonly gates: readonly GateRow[] }[]
  readonly missing: readonly string[]
  /** What settles what is missing. */
  readonly settling: readonly string[]
  /**
   * The policies that would grant it but for one gate, and what would have to differ, with how many others there are;
   * undefined where that is not the question.
   */
  readonly nearest?: { readonly rows: readonly GateRow[]; readonly left: number }
  readonly notes: readonly string[]
  readonly caveats: readonly (readonly [words: string, caveat: Caveat])[]
}

/** A decision in words. `world`: in which it was decided. */
export function decisionWords(
  question: Question,
  explanation: Explanation,
  world: World,
  { notes = [], names = new Names([], true), turning, remedies }: DecisionTextOptions = {},
): DecisionWords {
  const { decision, nearest } = explanation
  const asked: Asked = { world, question, names }
  return {
    ...(turning && { turning: turningWords(turning) }),
    sentence: sentences[decision.reason][decision.clauses.length > 0 ? 0 : 1],
    entries: entryRows(withoutRepeats(decision.clauses), asked),
    missing: decision.missing.map((each) => missingWords(each, explanation, names)),
    settling: [...new Set(decision.missing.map(({ fact }) => settling[fact.kind]))],
    ...(decision.reason === 'default' && world.policies.length > 0 ? { nearest: nearestRows(nearest, asked, remedies) } : {}),
    notes,
    caveats: decision.caveats
      .filter((caveat) => isNews(caveat, question, world))
      .map((caveat) => [caveatWords(caveat, explanation, names), caveat]),
  }
}

/** A decision for people: the verdict, why, and what it depends on. `world`: in which it was decided. */
export function decisionText(
  question: Question,
  explanation: Explanation,
  world: World,
  paint: Paint,
  options: DecisionTextOptions = {},
): string {
  const { all = false, names = new Names([], true) } = options
  const { decision, traces } = explanation
  const words = decisionWords(question, explanation, world, options)
  const rows = table(words.entries.map(({ row }) => row))
  const deciding = new Set(decision.clauses.map(({ policy }) => policy))
  return linesText(
    `${verdictWord(decision.verdict, paint)}  ${names.identity(question.identity)}  ${paint.bold(shown(question.action))}  ${names.resource(question.resource)}`,
    words.notes.map((note) => `  ${paint.warning('note:')} ${shown(note)}`),
    words.turning !== undefined && `  ${words.turning}`,
    `  ${words.sentence}`,
    words.entries.map(({ gates }, i) => [rows[i] as string, ...gateLines(gates, paint)]),
    words.missing.map((each) => `  ${each}`),
    words.settling.length > 0 && `  ${paint.dim(`settle it with ${words.settling.join(', ')}`)}`,
    words.nearest && !all && nearestLines(words.nearest, paint),
    all && traceLines(traces, deciding, { world, question, names }, paint, mostLines - words.entries.length),
    words.caveats.map(([text, caveat]) => `  ${paint.warning('note:')} ${text} ${paint.dim(`(${caveat})`)}`),
  )
}

/** A verdict as the first word of an answer. */
export function verdictWord(verdict: Verdict, paint: Paint): string {
  return { allow: paint.good, deny: paint.error, unknown: paint.warning }[verdict](verdict.toUpperCase())
}

function entryRows(clauses: readonly Clause[], asked: Asked): DecisionWords['entries'] {
  const detailed = [...new Set(clauses.map(({ policy }) => policy))].slice(0, mostDetailed)
  return clauses.map((clause, i) => {
    const { policy, entry } = clause
    const isLast = !clauses.some((other, j) => j > i && other.policy === policy)
    return {
      row: [place(entry.span), titleOf(policy), entryWords(clause, asked.names)],
      gates: isLast && detailed.includes(policy) ? gateRows(policy, asked) : [],
    }
  })
}

function gateLines(rows: readonly GateRow[], paint: Paint): readonly string[] {
  return table(rows, '      ').map((line) => paint.dim(line))
}

function nearestRows(nearest: readonly Trace[], asked: Asked, remedies: Remedies | undefined): NonNullable<DecisionWords['nearest']> {
  const rows = nearest.slice(0, nearestShown).map((trace): GateRow => {
    const remedy = remedies?.get(trace.policy)
    const [at, title, words] = traceRow(trace, gatePlace(trace, asked), asked)
    return [at, title, remedy === undefined ? words : `${words}; ${remedy}`]
  })
  return { rows, left: nearest.length - rows.length }
}

/** The part of a policy in a decision, with a place. */
function traceRow(trace: Trace, at: Span, { world, question, names }: Asked): GateRow {
  return [place(at), titleOf(trace.policy), traceWords(trace, world, question, names)]
}

function nearestLines({ rows, left }: NonNullable<DecisionWords['nearest']>, paint: Paint): readonly string[] {
  if (rows.length === 0) return [`  ${paint.dim('no policy would grant it if only one thing were different')}`]
  const more = left > 0 && `    ${paint.dim(`and ${left} more: \`--explain\` shows every policy`)}`
  return said(`  ${paint.dim('nearest policies')}`, table(rows), more)
}

/** The lines of a long answer, past which policies that do not concern the question are counted. */
const mostLines = 40

/**
 * Every policy with its part, and the gates that it passed; those of the policies that decide are shown already. Where that
 * takes more room than there is, policies that are about other identities or resources are one line, and of the others those
 * that there is room for are shown.
 */
function traceLines(
  traces: readonly Trace[],
  shownAlready: ReadonlySet<Policy>,
  asked: Asked,
  paint: Paint,
  room: number,
): readonly string[] {
  const head = `  ${paint.dim(`policies (${countOf(traces)})`)}`
  if (traces.length === 0) return [head, '    none']
  const whole = traceBlocks(traces, shownAlready, asked, paint)
  if (whole.flat().length <= room) return [head, ...whole.flat()]
  const isAside = ({ policy }: Trace) =>
    !identityMatch(policy, asked.world, asked.question) || !resourceMatch(policy, asked.world, asked.question)
  const aside = traces.filter((trace) => trace.applies === false && isAside(trace))
  const concerned = traces.filter((trace) => !aside.includes(trace))
  const blocks = traceBlocks(concerned, shownAlready, asked, paint)
  const lines: string[] = []
  let count = 0
  for (const block of blocks) {
    if (count > 0 && lines.length + block.length > room) break
    lines.push(...block)
    count++
  }
  const left = blocks.length - count
  const counted = `${plural(countOf(aside), 'policy')} about other identities or resources: \`--format json\` lists all`
  return said(head, lines, left > 0 && `    and ${left} more that concern the question`, aside.length > 0 && `    ${paint.dim(counted)}`)
}

const countOf = (traces: readonly Trace[]) => new Set(traces.map(({ policy }) => policy.node)).size

/** The lines of each policy, once where several variants of it say the same. */
function traceBlocks(
  traces: readonly Trace[],
  shownAlready: ReadonlySet<Policy>,
  asked: Asked,
  paint: Paint,
): readonly (readonly string[])[] {
  const rows = table(traces.map((trace) => traceRow(trace, trace.policy.name.span, asked)))
  const seen = new Set<string>()
  const blocks: (readonly string[])[] = []
  for (const [i, { policy, stoppedAt }] of traces.entries()) {
    const own = [rows[i] as string, ...(shownAlready.has(policy) ? [] : gateLines(gateRows(policy, asked, stoppedAt), paint))]
    if (!seen.has(keyOf(own))) blocks.push(own)
    seen.add(keyOf(own))
  }
  return blocks
}

/** Why it is decided so, before the entries that decide and without any. */
const sentences: Readonly<Record<Decision['reason'], readonly [before: string, without: string]>> = {
  granted: ['granted by', 'granted, whatever the missing facts are'],
  denied: ['explicitly denied by', 'denied, whatever the missing facts are'],
  root: ['', 'the account owns the resource, and the owning account cannot be restricted'],
  unknown: ['it depends; these entries may decide', 'it depends on unknown facts'],
  default: ['', 'no policy grants it'],
}

/** What settles a missing fact, after "settle it with". */
const settling: Readonly<Record<Fact['kind'], string>> = {
  address: '`--ip ADDRESS`',
  tag: '`--tag KEY=VALUE` for each tag it has, or its tags in a world file',
  resourceGroup: 'the members of the resource group in a world file',
  permissionsGroup: 'the permissions group in a world file',
  condition: 'a condition that can be understood (`grantwise lint` explains what is wrong)',
  expression: 'the values of these expressions: a `.tfvars` file, or a plan',
}

/** The subject of "…: X allows, Y denies". */
function factTitle(fact: Fact, names: Names): string {
  switch (fact.kind) {
    case 'resourceGroup':
      return names.resourceGroup(fact.urn)
    case 'permissionsGroup':
      return `permissions group ${quoted(fact.urn)} is not described`
    case 'condition':
      return `condition ${quoted(conditionText(fact.text))} cannot be understood`
    case 'expression':
      return `what depends on ${quoted(fact.text)} is unknown`
    default:
      return shown(factText(fact))
  }
}

/** The name of a condition without what marks it as one. */
const conditionText = (text: string) => text.replace(/^condition:/, '')

/** That a value allows, or denies. */
function effectWords(value: FactValue, effect: 'allow' | 'deny'): string {
  const [verb, past] = effect === 'allow' ? ['allows', 'allowed'] : ['denies', 'denied']
  const text = valueText(value)
  switch (value.kind) {
    case 'address':
      return `${shown(text ?? '')} ${verb}`
    case 'tag':
      return `${text === null ? 'no such tag' : quoted(text)} ${verb}`
    case 'resourceGroup':
      return `${value.isMember ? '' : 'not '}being in it ${verb}`
    case 'permissionsGroup':
      return `${past} if it ${effect === 'allow' ? grants[value.outcome] : text}`
    default:
      return `${past} if it ${text}`
  }
}

const grants = { allow: 'allows the action', deny: 'denies the action', nothing: 'says nothing of the action' }

/** That a fact has a value, as a clause after "where". */
function valueWords(value: FactValue, names: Names): string {
  const text = valueText(value)
  switch (value.kind) {
    case 'address':
      return `the request comes from ${shown(text ?? '')}`
    case 'tag':
      return text === null ? `the resource has no tag ${quoted(value.key)}` : `the tag ${quoted(value.key)} is ${quoted(text)}`
    case 'resourceGroup':
      return `the resource is ${value.isMember ? 'in' : 'not in'} ${names.resourceGroup(value.urn)}`
    case 'permissionsGroup':
      return `permissions group ${quoted(value.urn)} ${text}`
    case 'condition':
      return `condition ${quoted(conditionText(value.text))} ${text}`
    default:
      return `what depends on ${quoted(value.text)} ${text}`
  }
}

/** What a missing fact decides, with the other facts that the example rests on. */
function missingWords({ fact, allows, denies }: Missing, { decision, byAddress }: Explanation, names: Names): string {
  if (fact.kind === 'address' && byAddress) {
    const others = decision.missing.filter((each) => each.fact !== fact).map((each) => shown(factText(each.fact)))
    return byAddressWords(byAddress, some(others, mostListed))
  }
  const name = factText(fact)
  const circumstances = allows.filter((value) => factText(value) !== name).map((value) => valueWords(value, names))
  const where = circumstances.length === 0 ? '' : ` (where ${circumstances.join(' and ')})`
  const of = (completion: readonly FactValue[]) => completion.find((value) => factText(value) === name) as FactValue
  return `${factTitle(fact, names)}: ${effectWords(of(allows), 'allow')}, ${effectWords(of(denies), 'deny')}${where}`
}

/** Entries, each once: a policy whose lists have unknown parts is judged in several variants. */
function withoutRepeats(clauses: readonly Clause[]): readonly Clause[] {
  if (clauses.length < 2) return clauses
  const seen = new Map<object, Set<string>>()
  return clauses.filter(({ policy: { node }, list, entry: { span }, group }) => {
    const key = keyOf(list, span.start, span.source.path, group)
    const known = seen.get(node) ?? new Set()
    seen.set(node, known)
    return !known.has(key) && known.add(key)
  })
}

/** Whether a caveat says something new: not that groups may be missing of an identity whose groups a world file lists. */
function isNews(caveat: Caveat, { identity }: Question, world: World): boolean {
  return caveat !== 'groups-unknown' || !world.identities.has(identity)
}

/** A caveat in a sentence about this decision. */
function caveatWords(caveat: Caveat, { lift, withoutInnerWildcards }: Explanation, names: Names): string {
  if (caveat === 'groups-unknown' && lift) {
    const member = lift.group.includes('*') ? 'a member of a group that fits' : 'a member of'
    return `${member} \`${names.identity(lift.group)}\` ${lift.verdict === 'allow' ? 'would be allowed' : 'might be allowed'}: give the groups of the identity with \`--group\` to be sure`
  }
  if (caveat === 'inner-wildcard' && withoutInnerWildcards)
    return `${caveats[caveat]}; if it matched nothing the verdict would be ${withoutInnerWildcards}`
  return caveats[caveat]
}

/** The part of a policy in a decision, in a sentence. */
export function traceWords(
  { policy, stoppedAt, applies, grants, denies, excepted, unknownGroups }: Trace,
  world: World,
  question: Question,
  names = new Names([], true),
): string {
  const perhaps = applies === undefined ? 'perhaps ' : ''
  const words = (clause: Clause) => entryWords(clause, names)
  // A time or a tag would not help where the policy does not name the action at all.
  if ((stoppedAt === 'expiry' || stoppedAt === 'condition') && !isAboutAction(policy, question.action))
    return `stops at action: ${listed(actionsOf(policy, names))}`
  switch (stoppedAt) {
    case 'expiry':
      return `stops at expiry: expired ${momentWords(policy.expiresAt?.value ?? 0)}`
    case 'identity':
      return `stops at identity: applies to ${listed(policy.identities.map(({ value }) => names.identity(writtenAs(value))))}`
    case 'resource':
      return `stops at resource: applies to ${listed(policy.resources.map(({ value }) => names.resource(writtenAs(value))))}`
    case 'condition': {
      const operands = decidingOperands(policy, world, question)
      return `stops at condition: ${operands.length === 0 ? 'it never holds' : some([...new Set(operands.map(operandWords))], mostListed)}`
    }
    case 'action':
      if (excepted.length > 0) return `stops at action: allowed, but ${excepted.map(words).join(', ')} removes it`
      return `stops at action: ${listed(actionsOf(policy, names))}`
    default:
      return said(
        [...denies, ...grants].map((clause) => `${perhaps}${words(clause)}`),
        unknownGroups.map((urn) => `permissions group ${names.permissionsGroup(urn)} is unknown`),
        applies === undefined && openWords(policy, world, question, names),
      ).join('; ')
  }
}

/** Whether an entry of a policy is about an action; one that includes permissions groups may be. */
function isAboutAction({ permissions: { allow, deny }, permissionsGroups }: Policy, action: string): boolean {
  return permissionsGroups.length > 0 || [...allow, ...deny].some(({ value }) => matches(value, action))
}

/** Which gates of a policy that may apply are open, and what would close them or let it through. */
function openWords(policy: Policy, world: World, question: Question, names: Names): readonly string[] {
  const groups = openGroups(policy, world, question).map((urn) => names.resource(urn))
  const operands = decidingOperands(policy, world, question).filter(({ holds }) => holds === undefined)
  const why = ({ leaf }: Operand) => (leaf.kind !== 'opaque' ? '' : leaf.isValue ? ' (unknown)' : ' (cannot be understood)')
  return said(
    groups.length > 0 && `open at resource: whether it is in ${listed(groups)}`,
    operands.length > 0 &&
      `open at condition: ${some(
        operands.map((operand) => `${operandWords(operand)}${why(operand)}`),
        mostListed,
      )}`,
  )
}

function actionsOf({ permissions, permissionsGroups }: Policy, names: Names): readonly string[] {
  return [
    ...[...permissions.allow, ...permissions.deny].map(({ value }) => quoted(writtenAs(value))),
    ...permissionsGroups.map(({ value }) => `\`${names.permissionsGroup(value.text)}\``),
  ]
}

const mostListed = 3

function listed(texts: readonly string[]): string {
  return texts.length === 0 ? 'nothing' : some([...new Set(texts)], mostListed)
}

function table(rows: readonly GateRow[], indent = '    '): readonly string[] {
  const cells = rows.map((row) => row.map(shown) as [string, string, string])
  const first = Math.min(60, Math.max(0, ...cells.map((row) => row[0].length)))
  const second = Math.min(40, Math.max(0, ...cells.map((row) => row[1].length)))
  return cells.map(([a, b, c]) => `${indent}${a.padEnd(first)}  ${b.padEnd(second)}  ${c}`)
}
