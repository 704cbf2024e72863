import { callFactText } from '../calls/facts.ts'
import type { Difference } from '../diff/diff.ts'
import { policyFile, spaced } from '../propose/insert.ts'
import type { Paint } from '../report/colour.ts'
import { clauseJson } from '../report/decision.ts'
import { momentWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { linesText, more, placedEntry, plural, recordsUsed, said, some } from '../report/words.ts'
import { levels } from '../usage/generalise.ts'
import type { Least, LeastPolicy } from '../usage/least.ts'
import type { Change, JudgedNeed, Replay, ReplayedUse } from '../usage/replay.ts'
import type { LeftOut, Tally, Use } from '../usage/tally.ts'
import type { Unused } from '../usage/unused.ts'
import { differenceAnswer, differenceWords, rowSentence, sectionsOf, type View, viewWording } from './difference.ts'
import { differenceJson } from './difference-json.ts'
import type { Row, Wording } from './model.ts'
import { sectionsText } from './text.ts'
import { unusedJson } from './unused.ts'
import { wholeWording } from './wording.ts'

/** Reports about recorded calls, for people and for programs. */

const timesJson = ({ count, first, last }: Pick<Use, 'count' | 'first' | 'last'>) => ({
  count,
  first: instant(first),
  last: instant(last),
})

const instant = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())

/** The instant of a record, to the second. */
const logged = (at: number) => momentWords(Math.floor(at / 1000) * 1000)

/** `3 times, from … to …`. */
function whenWords({ count, first, last }: Pick<Use, 'count' | 'first' | 'last'>): string {
  const times = count === 1 ? 'once' : `${count} times`
  if (first === undefined || last === undefined) return times
  return first === last ? `${times}, at ${logged(first)}` : `${times}, from ${logged(first)} to ${logged(last)}`
}

// The smallest policies.

/** What a proposal was made with. */
export interface LeastReport {
  readonly tally: Tally
  readonly least: Least
  readonly level: keyof typeof levels
  /** Log entries that are not decisions, and lines that could not be read. */
  readonly others: number
  readonly bad: number
  /** How differences are listed. */
  readonly view?: View
  /** What the policies in force grant and nobody used, where it is asked for. */
  readonly unused?: Unused
  /** The only instant at which the proposal is compared with the policies in force. */
  readonly at?: number
}

/**
 * `none`: nothing was used. `proposed`: nothing to compare with. `within`: it grants nothing that the policies in force do
 * not grant. `beyond`: it does. `undecided`: that could not be determined.
 */
export type LeastVerdict = 'none' | 'proposed' | 'within' | 'beyond' | 'undecided'

export function leastVerdict({ policies, against }: Least): LeastVerdict {
  if (policies.length === 0) return 'none'
  if (!against) return 'proposed'
  const { gained, undecided } = against.difference
  if (gained.some(({ certain }) => certain)) return 'beyond'
  return gained.length > 0 || undecided.some(({ side }) => side === 'gained') ? 'undecided' : 'within'
}

/** The policies as a YAML file, as `-p` and `lint` read it. */
export function leastYaml(policies: readonly LeastPolicy[]): string {
  return policies
    .map(({ conditions, ...fields }) => {
      const lines = policyFile(fields).trimEnd().split('\n')
      // JSON is YAML: conditions nest, and stay as one line.
      if (conditions !== undefined) lines.push(`conditions: ${spaced(conditions)}`)
      return `${lines.map((line, i) => `${i === 0 ? '- ' : '  '}${line}`).join('\n')}\n`
    })
    .join('')
}

const useJson = (use: Use) => {
  const { account = null, identity, action, resource } = use
  return { account, identity, action, resource, ...timesJson(use) }
}

type Against = NonNullable<Least['against']>

/** What is not granted, including what only the policies in force show. */
const leftOf = ({ tally, least }: LeastReport, why: LeftOut): readonly Use[] =>
  why === 'root' ? [...tally.left.root, ...(least.against?.root ?? [])] : tally.left[why]

/** A proposal as machines read it. */
export function leastJson(report: LeastReport) {
  const { tally, least, level, others, bad } = report
  const { policies, isFewest, widened, unmet, against } = least
  return {
    verdict: leastVerdict(least),
    policies,
    fewest: isFewest,
    generalise: level,
    widened: widened.map(({ kind, pattern, identities, used, adds }) => ({ kind, pattern, identities, used, adds: adds ?? null })),
    records: tally.records,
    letThrough: tally.letThrough,
    uses: tally.uses.map(useJson),
    refused: tally.left.refused.map(useJson),
    alsoRefused: tally.alsoRefused.map(useJson),
    leftOut: leftKinds.flatMap((why) => (why === 'refused' ? [] : leftOf(report, why).map((use) => ({ ...useJson(use), why })))),
    unmet: unmet.map(useJson),
    difference: against ? differenceJson(against.difference) : null,
    noLongerAllowed: against ? against.noLonger.map(useJson) : null,
    ...(report.unused && { unused: unusedJson(report.unused) }),
    otherEntries: others,
    badLines: bad,
  }
}

const leftKinds: readonly LeftOut[] = ['refused', 'undecided', 'unknown-resource', 'root']

const leftWords: Readonly<Record<LeftOut, string>> = {
  refused: 'refused, and not granted',
  undecided: 'recorded as neither allowed nor refused, and not granted',
  'unknown-resource': 'without a recorded resource, and not granted: policies never refuse list calls',
  root: 'by the owning account, which cannot be restricted and needs no policy',
}

/** How many lines a list shows. */
const mostLines = 20

function someLines<T>(items: readonly T[], line: (item: T) => string): readonly string[] {
  return [...items.slice(0, mostLines).map(line), ...more(items.length - mostLines)]
}

/** A title with the number of items, and the items; nothing without any. */
function section<T>(title: string, items: readonly T[], line: (item: T) => string): readonly string[] {
  return items.length === 0 ? [] : [`${title} (${items.length})`, ...someLines(items, line)]
}

/** Of what records nothing is said. */
function skippedLines({ others, bad }: Pick<LeastReport, 'others' | 'bad'>, paint: Paint, why = ''): readonly string[] {
  return said(
    others > 0 && `${plural(others, 'log entry')} of other kinds skipped: they are not decisions`,
    bad > 0 && paint.warning(`${plural(bad, 'line')} skipped that cannot be read${why}`),
  )
}

/** A proposal for people, without the policies. */
export function leastText(report: LeastReport, paint: Paint): string {
  const { tally, least, level, view } = report
  const { policies, widened, unmet, against } = least
  const line = useLine(view?.names ?? whole)
  const widenedLine = ({ kind, pattern, used, adds }: (typeof widened)[number]) => {
    const known = adds === undefined ? '' : adds.length === 0 ? ', and no other known one' : `, and ${some(adds.map(shown), 6)}`
    return `  ${shown(pattern)}  matches ${used.length} that ${used.length === 1 ? 'was' : 'were'} used${known}, and every future matching ${kind}`
  }
  return linesText(
    proposalWords(report, paint),
    level !== 'none' && [
      `widened by ${level}: ${levels[level].text}`,
      widened.length === 0 && policies.length > 0 && '  nothing was widened',
      someLines(widened, widenedLine),
    ],
    leftKinds.map((why) => section(leftWords[why], leftOf(report, why), line)),
    section('refused at some times and allowed at others, and granted', tally.alsoRefused, line),
    section('only allowed under conditions that are kept; the records do not show whether they held', unmet, line),
    skippedLines(report, paint, ': they are not in the proposal'),
    against && policies.length > 0 && againstLines(report, against, paint),
  )
}

/** What is proposed, in one line. */
function proposalWords({ tally, least: { policies, isFewest }, level }: LeastReport, paint: Paint): string {
  if (policies.length === 0)
    return `${paint.warning('nothing to grant')}: of ${plural(tally.records, 'record')}, none is a use that a policy allows`
  const what = `${policies.length === 1 ? 'allows' : 'allow'} ${level === 'none' ? 'exactly' : 'at least'} what was used`
  const fewest = policies.length === 1 ? '' : isFewest ? '; fewer cannot, since these uses do not fit together' : '; fewer were not found'
  return `${paint.bold(`${plural(policies.length, 'policy')} ${what}`)}: ${plural(tally.uses.length, 'use')} in ${recordsUsed(tally)}${fewest}`
}

const useLine = (names: UrnNames) => (use: Use) =>
  `  ${names.identity(use.identity)}  ${shown(use.action)}  ${resourceWords(use.resource, names)}  ${whenWords(use)}`

/** How a proposal compares with the policies in force, in words. */
const verdictWords: Readonly<Record<LeastVerdict, string>> = {
  none: '',
  proposed: '',
  within: 'proved: the proposal grants nothing that the policies in force do not grant',
  beyond: 'the proposal grants more than the policies in force',
  undecided: 'whether the proposal grants more than the policies in force is not decided',
}

function againstLines({ least, view, at }: LeastReport, against: Against, paint: Paint): readonly string[] {
  const { difference, isWhole, noLonger } = against
  const verdict = leastVerdict(least)
  const colour = verdict === 'within' ? paint.good : paint.warning
  const onLost = difference.undecided.some(({ side }) => side === 'lost') ? '; not all lost access was found' : ''
  const isNothingLost = isWhole && difference.lost.length === 0 && onLost === '' && verdict === 'within'
  const when = at === undefined ? '' : `, at ${momentWords(at)}`
  return [
    ...section(`${paint.warning('used, but no longer allowed')} by the policies in force`, noLonger, useLine(view?.names ?? whole)),
    ...changedLines(difference, view, paint),
    `${colour(verdictWords[verdict])}${isNothingLost ? ', and nothing would be lost' : ''}${onLost}${when}`,
  ]
}

/** What the proposal grants and takes, for what is described where that is listed. */
function changedLines(difference: Difference, view: View | undefined, paint: Paint): readonly string[] {
  const report = { difference, beyond: undefined }
  if (view?.over === 'known' && difference.described) {
    const answer = differenceAnswer(report, view.over)
    const wording = viewWording(view, difference.described.from)
    return [differenceWords(report, view.over, wording), ...sectionsText(answer, { paint, wording }), ...(answer.rest ?? [])]
  }
  const wording = view ? viewWording(view) : wholeWording()
  const [gained, lost] = sectionsOf(report, view?.over ?? 'everything').map(({ rows }) => rows)
  const line = (row: Row) => `  ${rowSentence(row, 'may', wording, 8)}`
  return [
    ...section('unused access that would be lost', lost ?? [], line),
    ...section('new access that the proposal (AFTER) grants and the policies in force (BEFORE) do not', gained ?? [], line),
  ]
}

// Replay.

const changeWords: Readonly<Record<Change, string>> = {
  refused: 'would be refused',
  allowed: 'would be allowed',
  unknown: 'cannot be determined',
  same: 'stays as it is',
}

type ReplayVerdict = 'same' | 'changed' | 'unknown'

/** `unknown`: nothing is known to change, and something may. */
function replayVerdict({ counts }: Replay): ReplayVerdict {
  if (counts.refused + counts.allowed > 0) return 'changed'
  return counts.unknown > 0 ? 'unknown' : 'same'
}

const needJson = ({ action, resource, required, recorded, verdict, reason, clauses, missing }: JudgedNeed) => {
  const answer = { verdict, reason, clauses: clauses.map(clauseJson), missing: missing.map(callFactText) }
  return { action, resource, required, recorded, ...answer }
}

/** A use as machines read it: a line of `--format ndjson`. */
function replayedJson(use: ReplayedUse) {
  const { change, identity, groups, call, recorded, verdict, credential, needs } = use
  return { change, identity, groups, call, recorded, verdict, credential, actions: needs.map(needJson), ...timesJson(use) }
}

/** A replay, and whether to report unchanged uses. */
export interface ReplayReport {
  readonly replay: Replay
  readonly all: boolean
  /** Whether a use is listed when printed; the others are counted. */
  readonly isListed: (use: ReplayedUse) => boolean
  readonly others: number
  readonly bad: number
}

const reported = ({ replay, all }: ReplayReport) => replay.uses.filter(({ change }) => all || change !== 'same')

/** A replay as machines read it. */
export function replayJson(report: ReplayReport) {
  const { replay, others, bad } = report
  const uses = reported(report)
  const of = (change: Change) => uses.filter((use) => use.change === change).map(replayedJson)
  return {
    verdict: replayVerdict(replay),
    records: replay.records,
    counts: replay.counts,
    refused: of('refused'),
    allowed: of('allowed'),
    unknown: of('unknown'),
    ...(report.all && { same: of('same') }),
    otherEntries: others,
    badLines: bad,
  }
}

/** The uses that change, a value for each line of `--format ndjson`. */
export function replayRows(report: ReplayReport) {
  return reported(report).map(replayedJson)
}

type UrnNames = Wording['names']

/** URNs as they are. */
const whole: UrnNames = wholeWording().names

const resourceWords = (resource: string | null, names: UrnNames) => (resource === null ? '-' : names.resource(resource))

const subject = ({ identity, call, needs }: ReplayedUse, names: UrnNames) => {
  const [only] = needs
  const what = call ? shown(`${call.method} ${call.path}`) : only ? `${shown(only.action)}  ${resourceWords(only.resource, names)}` : '-'
  return `${names.identity(identity)}  ${what}`
}

/** Why the call comes out as it does: of its actions those that decide. */
function decidingNeeds({ verdict, needs }: ReplayedUse): readonly JudgedNeed[] {
  const required = needs.filter((need) => need.required)
  return verdict === 'allow' ? required : required.filter((need) => need.verdict === verdict)
}

const whyWords = ({ clauses, reason, missing }: JudgedNeed, names: UrnNames): readonly string[] => {
  const entries = clauses.map((clause) => placedEntry(clause, names))
  if (missing.length > 0) return [...entries, `it depends on ${missing.map((fact) => shown(callFactText(fact))).join(', ')}`]
  if (entries.length > 0) return entries
  if (reason === 'default') return ['no policy grants it']
  if (reason === 'root') return ['the owning account cannot be restricted']
  return reason === 'listing' ? ['policies never refuse list calls'] : []
}

/** What is reported of the call as a whole. */
function callWords({ call, credential, needs, verdict }: ReplayedUse): readonly string[] {
  if (call && needs.length === 0 && verdict === 'unknown' && credential?.verdict !== 'unknown')
    return ['the permissions that the call needs are unknown']
  if (!credential || credential.verdict === 'allow') return []
  return [`the rules of the consumer key ${credential.verdict === 'deny' ? 'do' : 'may'} not allow it`]
}

/** A replay in a line for each use. */
export function replayLines(report: ReplayReport): string {
  return reported(report)
    .map((use) => {
      const { change, recorded, verdict } = use
      const why = [...callWords(use), ...decidingNeeds(use).flatMap((need) => whyWords(need, whole))]
      return `${[change, `${recorded} -> ${verdict}`, subject(use, whole), whenWords(use), ...why].join(' · ')}\n`
    })
    .join('')
}

/** How many lines all uses have, past which each has one. */
const mostDetail = 36

/** A replay for people. */
export function replayText(report: ReplayReport, paint: Paint, names: UrnNames): string {
  const { replay, isListed } = report
  const all = reported(report)
  const uses = all.filter(isListed)
  const colour = { refused: paint.error, allowed: paint.warning, unknown: paint.info, same: paint.good }
  const isShort = uses.flatMap((use) => useText(use, names)).length <= mostDetail
  const text = (use: ReplayedUse) => (isShort ? useText(use, names).join('\n') : useInOneLine(use, names))
  const left = all.length - uses.length
  const [verb, object] = left === 1 ? ['concerns', 'it'] : ['concern', 'them']
  const { counts, records } = replay
  const parts = (['refused', 'allowed', 'unknown'] as const)
    .filter((change) => counts[change] > 0)
    .map((change) => `${counts[change]} ${changeWords[change]}`)
  return linesText(
    (['refused', 'allowed', 'unknown', 'same'] as const).map((change) => {
      const own = uses.filter((use) => use.change === change)
      return section(colour[change](changeWords[change]), own, text)
    }),
    left > 0 && `${plural(left, 'more use')} ${verb} no known identity, action or resource; \`--over everything\` lists ${object}`,
    skippedLines(report, paint),
    parts.length > 0
      ? `of ${plural(records, 'record')}: ${parts.join(', ')}`
      : `${paint.good('nothing would change')}: ${plural(records, 'record')}`,
  )
}

/** Who, what, how often, and the first reason. */
function useInOneLine(use: ReplayedUse, names: UrnNames): string {
  const needs = decidingNeeds(use)
  const actions = use.call ? needs.map(({ action, resource }) => `  ${shown(action)} ${resourceWords(resource, names)}`) : []
  const [why] = [...callWords(use), ...needs.flatMap((need) => whyWords(need, names))]
  return `  ${subject(use, names)}${some(actions, 1)}  ${whenWords(use)}${why === undefined ? '' : `; ${why}`}`
}

function useText(use: ReplayedUse, names: UrnNames): readonly string[] {
  const { recorded, verdict, call } = use
  return said(
    `  ${subject(use, names)}`,
    `    was ${recorded}, would be ${verdict}; ${whenWords(use)}`,
    callWords(use).map((words) => `    ${words}`),
    decidingNeeds(use).map((need) => [
      call && `    ${shown(need.action)}  ${resourceWords(need.resource, names)}`,
      whyWords(need, names).map((words) => `    ${call ? '  ' : ''}${words}`),
    ]),
  )
}
