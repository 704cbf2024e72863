import { callFactText } from '../calls/facts.ts'
import { policyFile, spaced } from '../propose/insert.ts'
import type { Paint } from '../report/colour.ts'
import { clauseJson } from '../report/decision.ts'
import { momentWords } from '../report/instants.ts'
import type { Names } from '../report/names.ts'
import { shown } from '../report/safe.ts'
import { more, placedEntry, plural, recordsUsed, some } from '../report/words.ts'
import { levels } from '../usage/generalise.ts'
import type { Least, LeastPolicy } from '../usage/least.ts'
import type { Change, JudgedNeed, Replay, ReplayedUse } from '../usage/replay.ts'
import type { LeftOut, Tally, Use } from '../usage/tally.ts'
import type { Unused } from '../usage/unused.ts'
import { differenceAnswer, differenceWords, rowSentence, sectionsOf, type View, viewWording } from './difference.ts'
import { differenceJson } from './difference-json.ts'
import { sectionsText } from './text.ts'
import { unusedJson } from './unused.ts'
import { wholeWording } from './wording.ts'

/** Reports about recorded calls, for people and for programs. */

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

const useJson = ({ account, identity, action, resource, count, first, last }: Use) => ({
  account: account ?? null,
  identity,
  action,
  resource,
  count,
  first: instant(first),
  last: instant(last),
})

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

/** A title with the number of uses, and the uses; nothing without any. */
function section(title: string, uses: readonly Use[], names: UrnNames): readonly string[] {
  const line = (use: Use) =>
    `  ${names.identity(use.identity)}  ${shown(use.action)}  ${resourceWords(use.resource, names)}  ${whenWords(use)}`
  return uses.length === 0 ? [] : [`${title} (${uses.length})`, ...someLines(uses, line)]
}

/** A proposal for people, without the policies. */
export function leastText(report: LeastReport, paint: Paint): string {
  const { tally, least, level, others, bad, view: { names } = { names: whole } } = report
  const { policies, isFewest, widened, unmet, against } = least
  const lines: string[] = []
  const uses = `${plural(tally.uses.length, 'use')} in ${recordsUsed(tally)}`
  if (policies.length === 0)
    lines.push(`${paint.warning('nothing to grant')}: of ${plural(tally.records, 'record')}, none is a use that a policy allows`)
  else {
    const what = level === 'none' ? 'exactly' : 'at least'
    const fewest = policies.length === 1 ? '' : isFewest ? '; fewer cannot, since these uses do not fit together' : '; fewer were not found'
    lines.push(
      `${paint.bold(`${plural(policies.length, 'policy')} ${policies.length === 1 ? 'allows' : 'allow'} ${what} what was used`)}: ${uses}${fewest}`,
    )
  }
  if (level !== 'none') {
    lines.push(`widened by ${level}: ${levels[level].text}`)
    if (widened.length === 0 && policies.length > 0) lines.push('  nothing was widened')
    lines.push(
      ...someLines(widened, ({ kind, pattern, used, adds }) => {
        const known = adds === undefined ? '' : adds.length === 0 ? ', and no other known one' : `, and ${some(adds.map(shown), 6)}`
        return `  ${shown(pattern)}  matches ${used.length} that ${used.length === 1 ? 'was' : 'were'} used${known}, and every future matching ${kind}`
      }),
    )
  }
  for (const why of leftKinds) lines.push(...section(leftWords[why], leftOf(report, why), names))
  lines.push(...section('refused at some times and allowed at others, and granted', tally.alsoRefused, names))
  lines.push(...section('only allowed under conditions that are kept; the records do not show whether they held', unmet, names))
  if (others > 0) lines.push(`${plural(others, 'log entry')} of other kinds skipped: they are not decisions`)
  if (bad > 0) lines.push(paint.warning(`${plural(bad, 'line')} skipped that cannot be read: they are not in the proposal`))
  if (against && policies.length > 0) lines.push(...againstLines(report, paint))
  return `${lines.join('\n')}\n`
}

function againstLines({ least, view, at }: LeastReport, paint: Paint): readonly string[] {
  const { difference, isWhole, noLonger } = least.against as NonNullable<Least['against']>
  const { lost, undecided } = difference
  const lines = [...section(`${paint.warning('used, but no longer allowed')} by the policies in force`, noLonger, view?.names ?? whole)]
  const isDescribed = view?.over === 'known' && difference.described !== undefined
  if (isDescribed) {
    const answer = differenceAnswer({ difference, beyond: undefined }, view.over)
    const wording = viewWording(view, difference.described?.from)
    lines.push(
      differenceWords({ difference, beyond: undefined }, view.over, wording),
      ...sectionsText(answer, { paint, wording }),
      ...(answer.rest ?? []),
    )
  } else {
    const wording = view ? viewWording(view) : wholeWording()
    const titles = {
      lost: 'unused access that would be lost',
      gained: 'new access that the proposal (AFTER) grants and the policies in force (BEFORE) do not',
    }
    for (const { name, rows } of sectionsOf({ difference, beyond: undefined }, view?.over ?? 'everything').toReversed())
      if (rows.length > 0 && (name === 'gained' || name === 'lost'))
        lines.push(`${titles[name]} (${rows.length})`, ...someLines(rows, (row) => `  ${rowSentence(row, 'may', wording, 8)}`))
  }
  const words: Readonly<Record<LeastVerdict, string>> = {
    none: '',
    proposed: '',
    within: 'proved: the proposal grants nothing that the policies in force do not grant',
    beyond: 'the proposal grants more than the policies in force',
    undecided: 'whether the proposal grants more than the policies in force is not decided',
  }
  const verdict = leastVerdict(least)
  const colour = verdict === 'within' ? paint.good : paint.warning
  const onLost = undecided.some(({ side }) => side === 'lost') ? '; not all lost access was found' : ''
  const nothingLost = isWhole && lost.length === 0 && onLost === '' && verdict === 'within' ? ', and nothing would be lost' : ''
  const when = at === undefined ? '' : `, at ${momentWords(at)}`
  lines.push(`${colour(words[verdict])}${nothingLost}${onLost}${when}`)
  return lines
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

const needJson = ({ action, resource, required, recorded, verdict, reason, clauses, missing }: JudgedNeed) => ({
  action,
  resource,
  required,
  recorded,
  verdict,
  reason,
  clauses: clauses.map(clauseJson),
  missing: missing.map(callFactText),
})

/** A use as machines read it: a line of `--format ndjson`. */
function replayedJson({ change, identity, groups, call, recorded, verdict, credential, needs, count, first, last }: ReplayedUse) {
  return {
    change,
    identity,
    groups,
    call,
    recorded,
    verdict,
    credential,
    actions: needs.map(needJson),
    count,
    first: instant(first),
    last: instant(last),
  }
}

/** A replay, and whether to report unchanged uses. */
export interface ReplayReport {
  readonly replay: Replay
  readonly all: boolean
  /** Whether a use is listed for people; the others are counted. All are when not given. */
  readonly isListed?: (use: ReplayedUse) => boolean
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

type UrnNames = Pick<Names, 'identity' | 'resource' | 'permissionsGroup'>

/** URNs as they are. */
const whole: UrnNames = { identity: shown, resource: shown, permissionsGroup: shown }

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
  return [
    credential.verdict === 'deny' ? 'the rules of the consumer key do not allow it' : 'the rules of the consumer key may not allow it',
  ]
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
export function replayText(report: ReplayReport, paint: Paint, names: UrnNames = whole): string {
  const { replay, others, bad, isListed = () => true } = report
  const all = reported(report)
  const uses = all.filter(isListed)
  const lines: string[] = []
  const colour: Readonly<Record<Change, (text: string) => string>> = {
    refused: paint.error,
    allowed: paint.warning,
    unknown: paint.info,
    same: paint.good,
  }
  const isShort = uses.flatMap((use) => useText(use, names)).length <= mostDetail
  const text = (use: ReplayedUse) => (isShort ? useText(use, names).join('\n') : useInOneLine(use, names))
  for (const change of ['refused', 'allowed', 'unknown', 'same'] as const) {
    const own = uses.filter((use) => use.change === change)
    if (own.length > 0) lines.push(`${colour[change](changeWords[change])} (${own.length})`, ...someLines(own, text))
  }
  const left = all.length - uses.length
  if (left > 0)
    lines.push(
      `${plural(left, 'more use')} ${left === 1 ? 'concerns' : 'concern'} no known identity, action or resource; \`--over everything\` lists ${left === 1 ? 'it' : 'them'}`,
    )
  const { counts } = replay
  const parts = (['refused', 'allowed', 'unknown'] as const).flatMap((change) =>
    counts[change] > 0 ? [`${counts[change]} ${changeWords[change]}`] : [],
  )
  if (others > 0) lines.push(`${plural(others, 'log entry')} of other kinds skipped: they are not decisions`)
  if (bad > 0) lines.push(paint.warning(`${plural(bad, 'line')} skipped that cannot be read`))
  lines.push(
    parts.length === 0
      ? `${paint.good('nothing would change')}: ${plural(replay.records, 'record')}`
      : `of ${plural(replay.records, 'record')}: ${parts.join(', ')}`,
  )
  return `${lines.join('\n')}\n`
}

/** Who, what, how often, and the first reason. */
function useInOneLine(use: ReplayedUse, names: UrnNames): string {
  const needs = decidingNeeds(use)
  const actions = use.call ? needs.map(({ action, resource }) => `  ${shown(action)} ${resourceWords(resource, names)}`) : []
  const [why] = [...callWords(use), ...needs.flatMap((need) => whyWords(need, names))]
  return `  ${subject(use, names)}${some(actions, 1)}  ${whenWords(use)}${why === undefined ? '' : `; ${why}`}`
}

function useText(use: ReplayedUse, names: UrnNames): readonly string[] {
  const { recorded, verdict } = use
  const lines = [
    `  ${subject(use, names)}`,
    `    was ${recorded}, would be ${verdict}; ${whenWords(use)}`,
    ...callWords(use).map((words) => `    ${words}`),
  ]
  for (const need of decidingNeeds(use)) {
    if (use.call) lines.push(`    ${shown(need.action)}  ${resourceWords(need.resource, names)}`)
    lines.push(...whyWords(need, names).map((words) => `    ${use.call ? '  ' : ''}${words}`))
  }
  return lines
}
