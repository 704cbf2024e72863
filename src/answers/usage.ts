import { RiskRanking } from '../actions/risk-ranking.ts'
import { callFactText } from '../calls/facts.ts'
import { clauseJson } from '../report/decision.ts'
import { fieldsJson } from '../report/fields.ts'
import { momentWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { firstFew, plural, presentParts, recordsUsed } from '../report/words.ts'
import { levels } from '../usage/generalise.ts'
import { type Least, type LeastVerdict, leastVerdict } from '../usage/least.ts'
import { type Change, decidingNeeds, type JudgedNeed, type Replay, type ReplayedUse } from '../usage/replay.ts'
import type { OmissionReason, Tally, Use } from '../usage/tally.ts'
import type { Unused, UnusedEntry } from '../usage/unused.ts'
import { asideWords, differenceAnswer, differenceJson, sectionsOf, type View } from './difference.ts'
import {
  type Answer,
  type Basis,
  counted,
  entries,
  plainLines,
  type Row,
  rowOf,
  say,
  type Tone,
  type Wording,
  wordsBasis,
} from './model.ts'
import { reasonLine, reasonWords } from './wording.ts'

/** Answers about recorded calls. */

type Times = Pick<Use, 'count' | 'first' | 'last'>

const instant = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())

const timesJson = ({ count, first, last }: Times) => ({ count, first: instant(first), last: instant(last) })

/** From when to when something was recorded, to the second: ` from … to …`. */
function spanWords(first: number | undefined, last: number | undefined): string {
  if (first === undefined || last === undefined) return ''
  const [from, to] = [first, last].map((at) => momentWords(Math.floor(at / 1000) * 1000))
  return first === last ? ` at ${from}` : ` from ${from} to ${to}`
}

/** `3 times, from … to …`. */
function timesWords({ count, first, last }: Times): string {
  const span = spanWords(first, last)
  return `${count === 1 ? 'once' : `${count} times`}${span === '' ? '' : `,${span}`}`
}

const skipped = ({ others, bad }: SkippedRecords, why = '') =>
  presentParts(
    others > 0 && `${plural(others, 'log entry')} of other kinds skipped: they are not decisions`,
    bad > 0 && `${plural(bad, 'line')} skipped that cannot be read${why}`,
  )

/** Log entries that are not decisions, and lines that could not be read. */
interface SkippedRecords {
  readonly others: number
  readonly bad: number
}

const did = { may: 'did' } as const

// The smallest policies.

export interface LeastReport extends SkippedRecords {
  readonly tally: Tally
  readonly least: Least
  readonly level: keyof typeof levels
  readonly view?: View
  /** Unused grants of the policies in force, where they are asked for. */
  readonly unused?: Unused
  /** The only instant at which the proposal is compared with the policies in force. */
  readonly at?: number
}

const useJson = (use: Use) => {
  const { account = null, identity, action, resource } = use
  return { account, identity, action, resource, ...timesJson(use) }
}

const useRow = (use: Use) =>
  rowOf({
    who: [use.identity],
    actions: [use.action],
    on: presentParts(use.resource),
    details: () => [{ label: 'used', items: [timesWords(use)], isList: true }],
  })

const outcomes = { allow: 'allowed', deny: 'refused', unknown: 'unknown' } as const

/** Uses that are not granted, including those that only the policies in force show. */
const leftOf = ({ tally, least }: LeastReport, why: OmissionReason): readonly Use[] =>
  why === 'root' ? [...tally.left.root, ...(least.against?.root ?? [])] : tally.left[why]

const leftWords: Readonly<Record<OmissionReason, string>> = {
  refused: 'refused, and not granted',
  undecided: 'recorded as neither allowed nor refused, and not granted',
  'unknown-resource': 'without a recorded resource, and not granted: policies never refuse list calls',
  root: 'by the owning account, which cannot be restricted and needs no policy',
}
const leftKinds = Object.keys(leftWords) as OmissionReason[]

export function leastJson(report: LeastReport) {
  const { tally, least, level, others, bad } = report
  const { policies, isFewest, widened, unmet, against } = least
  return {
    verdict: leastVerdict(least),
    policies,
    fewest: isFewest,
    generalise: level,
    widened: widened.map(({ kind, pattern, identities, used, adds }) => ({ kind, pattern, identities, used, adds: adds ?? null })),
    ...fieldsJson(tally, 'records', 'letThrough'),
    uses: tally.uses.map(useJson),
    refused: tally.left.refused.map(useJson),
    alsoRefused: tally.alsoRefused.map(useJson),
    leftOut: leftKinds.flatMap((why) => (why === 'refused' ? [] : leftOf(report, why).map((use) => ({ ...useJson(use), why })))),
    unmet: unmet.map(useJson),
    difference: against ? differenceJson(against.difference) : null,
    noLongerAllowed: against ? against.noLonger.map(useJson) : null,
    ...(report.unused && { unused: report.unused.entries.map(entryJson) }),
    otherEntries: others,
    badLines: bad,
  }
}

/** The answer of `least`, without the policies. */
export function leastAnswer(report: LeastReport): Answer {
  const { tally, least, level, view } = report
  const { policies, widened, unmet, against } = least
  const uses = (title: string, list: readonly Use[]) => counted(title, 'plain', list.map(useRow), did)
  const compared = against && policies.length > 0 ? against : undefined
  const changed = compared && { difference: compared.difference }
  const over = view?.over ?? 'everything'
  const [gained, lost] = changed ? sectionsOf(changed, over) : []
  const nothing = widened.length === 0 && policies.length > 0 ? '; nothing was widened' : ''
  const isWithin = leastVerdict(least) === 'within'
  return {
    subject: () => [proposalWords(report)],
    summary: () => [
      ...plainLines(level !== 'none' && `widened by ${level}: ${levels[level].text}${nothing}`),
      ...(compared ? [{ text: againstWords(report, compared), tone: isWithin ? ('good' as const) : ('warning' as const) }] : []),
    ],
    sections: [
      counted('widened', 'plain', widened.map(widenedRow), did),
      ...leftKinds.map((why) => uses(leftWords[why], leftOf(report, why))),
      uses('refused at some times and allowed at others, and granted', tally.alsoRefused),
      uses('only allowed under conditions that are kept; the records do not show whether they held', unmet),
      uses('used, but no longer allowed by the policies in force', compared?.noLonger ?? []),
      counted('unused access that would be lost', 'info', lost?.rows ?? [], { may: 'could', name: 'lost' }),
      counted('new access: AFTER is the proposal, BEFORE the policies in force', 'warning', gained?.rows ?? [], { name: 'gained' }),
    ],
    ...(changed && { rest: differenceAnswer(changed, over).rest ?? [] }),
    notes: skipped(report, ': they are not in the proposal'),
    seeAll: '`--format json`',
    json: () => leastJson(report),
  }
}

function widenedRow({ kind, pattern, identities, used, adds }: Least['widened'][number]): Row {
  const addedWords = adds === undefined ? '' : adds.length === 0 ? ', and no other known one' : `, and ${firstFew(adds.map(shown), 6)}`
  const words = `${used.length} that ${used.length === 1 ? 'was' : 'were'} used${addedWords}, and every future matching ${kind}`
  const cells = kind === 'action' ? { actions: [pattern], on: [] } : { actions: [], on: [pattern] }
  const details = () => [{ label: 'matches', items: [words], isList: true } as const]
  return rowOf({ who: identities, ...cells, details })
}

function proposalWords({ tally, least: { policies, isFewest }, level }: LeastReport): string {
  if (policies.length === 0) return `nothing to grant: of ${plural(tally.records, 'record')}, none is a use that a policy allows`
  const what = `${policies.length === 1 ? 'allows' : 'allow'} ${level === 'none' ? 'exactly' : 'at least'} what was used`
  const fewest = policies.length === 1 ? '' : isFewest ? '; fewer policies would allow more than that' : '; fewer were not found'
  return `${plural(policies.length, 'policy')} ${what}: ${plural(tally.uses.length, 'use')} in ${recordsUsed(tally)}${fewest}`
}

function againstWords({ least, at }: LeastReport, { difference, isWhole }: NonNullable<Least['against']>): string {
  const verdict = leastVerdict(least)
  const words: Readonly<Partial<Record<LeastVerdict, string>>> = {
    within: 'proved: the proposal grants nothing that the policies in force do not grant',
    beyond: 'the proposal grants more than the policies in force',
    undecided: 'whether the proposal grants more than the policies in force is not decided',
  }
  const onLost = difference.undecided.some(({ side }) => side === 'lost') ? '; not all lost access was found' : ''
  const isNothingLost = isWhole && difference.lost.length === 0 && onLost === '' && verdict === 'within'
  return `${words[verdict]}${isNothingLost ? ', and nothing would be lost' : ''}${onLost}${at === undefined ? '' : `, at ${momentWords(at)}`}`
}

// Entries that no call used.

/** The answer of `least --unused`. A row is an entry of a policy. */
export function unusedAnswer(unused: Unused, tally: Tally, bad: number): Answer {
  const ranking = new RiskRanking()
  const rowsOf = (isWhole: boolean) => unused.entries.filter((entry) => entry.isWhole === isWhole).map((entry) => unusedRow(entry, ranking))
  const [whole, partly] = [rowsOf(true), rowsOf(false)]
  const uses = [...tally.uses, ...Object.values(tally.left).flat()]
  const times = uses.flatMap(({ first = [], last = [] }) => [first, last].flat()).sort((a, b) => a - b)
  const groups = unused.unknownGroups
  return {
    subject: () => [
      `${whole.length} of ${plural(unused.of, 'entry')} unused, ${partly.length} partly used, in ${recordsUsed(tally)}${spanWords(times[0], times.at(-1))}`,
    ],
    sections: [counted('unused', 'warning', whole, { name: 'unused' }), counted('partly used', 'plain', partly, { name: 'partly used' })],
    none: { text: 'every action that an entry grants was used', tone: 'good' },
    notes: presentParts(
      skipped({ others: 0, bad }, `: what ${bad === 1 ? 'it uses' : 'they use'} counts as unused`),
      unused.isByTags && 'resources are taken to have had the tags that they have today',
      groups.length > 0 && `what permissions groups grant that are not described is not listed: ${firstFew(groups, 3)}`,
    ),
    lead: 'by',
    given: ['actions'],
    json: () => ({ unused: unused.entries.map(entryJson) }),
  }
}

const entryJson = ({ clause, actions, isWhole }: UnusedEntry) => ({
  ...clauseJson(clause),
  identities: clause.policy.identities.map(({ value }) => value.text),
  resources: clause.policy.resources.map(({ value }) => value.text),
  actions,
  whole: isWhole,
})

function unusedRow(entry: UnusedEntry, ranking: RiskRanking): Row {
  const { clause, actions } = entry
  const { identities, resources } = entryJson(entry)
  const isSaid = actions.length === 1 && actions[0] === clause.entry.value.text
  return rowOf({
    who: identities,
    actions,
    on: resources,
    by: entries([clause]),
    details: () => [{ label: 'unused', items: isSaid ? [] : ranking.ordered(actions) }],
  })
}

// Replay.

const changes: Readonly<Record<Change, readonly [words: string, tone: Tone]>> = {
  refused: ['would be refused', 'error'],
  allowed: ['would be allowed', 'warning'],
  unknown: ['cannot be determined', 'info'],
  same: ['stays as it is', 'good'],
}
const kinds = Object.keys(changes) as Change[]

const needJson = (need: JudgedNeed) => ({
  ...fieldsJson(need, 'action', 'resource', 'required', 'recorded', 'verdict', 'reason', 'clauses'),
  missing: need.missing.map(callFactText),
})

const replayedJson = (use: ReplayedUse) => ({
  ...fieldsJson(use, 'change', 'identity', 'groups', 'call', 'recorded', 'verdict', 'credential'),
  actions: use.needs.map(needJson),
  ...timesJson(use),
})

export interface ReplayReport extends SkippedRecords {
  readonly replay: Replay
  readonly all: boolean
  /** Whether a use is listed when printed; the others are counted. */
  readonly isListed: (use: ReplayedUse) => boolean
}

const reported = ({ replay, all }: ReplayReport) => replay.uses.filter(({ change }) => all || change !== 'same')

/** The uses that are reported, a value for each line of `--format ndjson`. */
export const replayRows = (report: ReplayReport) => reported(report).map(replayedJson)

/** A replay as machines read it. `unknown`: nothing is known to change, and something may. */
export function replayJson(report: ReplayReport) {
  const { replay, others, bad } = report
  const { records, counts } = replay
  const rows = replayRows(report)
  const of = (change: Change) => rows.filter((row) => row.change === change)
  return {
    verdict: counts.refused + counts.allowed > 0 ? 'changed' : counts.unknown > 0 ? 'unknown' : 'same',
    records,
    counts,
    refused: of('refused'),
    allowed: of('allowed'),
    unknown: of('unknown'),
    ...(report.all && { same: of('same') }),
    otherEntries: others,
    badLines: bad,
  }
}

/** The answer of `replay`. A row is a use. */
export function replayAnswer(report: ReplayReport): Answer {
  const { counts, records } = report.replay
  const all = reported(report)
  const uses = all.filter(report.isListed)
  const skippedCount = all.length - uses.length
  const parts = kinds.filter((change) => change !== 'same' && counts[change] > 0).map((change) => `${counts[change]} ${changes[change][0]}`)
  return {
    subject: () => [
      parts.length > 0 ? `of ${plural(records, 'record')}: ${parts.join(', ')}` : `nothing would change: ${plural(records, 'record')}`,
    ],
    sections: kinds.map((change) =>
      counted(...changes[change], uses.filter((use) => use.change === change).map(replayRow), { ...did, name: change }),
    ),
    rest: asideWords(skippedCount, 'more use', 'identity, action or resource'),
    notes: skipped(report),
    seeAll: '`--format json`',
    json: () => replayJson(report),
  }
}

function replayRow(use: ReplayedUse): Row {
  const { call, identity, recorded, verdict } = use
  const needs = decidingNeeds(use)
  const [only] = call ? [] : use.needs
  const needWords = ({ action, resource, ...need }: JudgedNeed, wording: Wording) => {
    const why = whyOf(need).map((basis) => reasonLine(reasonWords(basis, wording)))
    return `${presentParts(shown(action), resource !== null && `on ${wording.names.resource(resource)}`).join(' ')}${why.length > 0 ? `: ${why.join('; ')}` : ''}`
  }
  return rowOf({
    who: [identity],
    actions: presentParts(only?.action),
    on: presentParts(only?.resource),
    by: [...callBasis(use), ...(call ? [] : needs.flatMap(whyOf))],
    details: (wording) => [
      { label: 'call', items: call ? [shown(`${call.method} ${call.path}`)] : [] },
      { label: 'needs', items: call ? needs.map((need) => needWords(need, wording)) : [], isList: true },
      { label: 'was', items: [`${outcomes[recorded]}, now ${outcomes[verdict]}; ${timesWords(use)}`], isList: true },
    ],
  })
}

const unwritten: Readonly<Record<string, string>> = {
  default: say.noPolicy,
  root: say.owning,
  listing: 'policies never refuse list calls',
}

function whyOf({ clauses, reason, missing }: Pick<JudgedNeed, 'clauses' | 'reason' | 'missing'>): readonly Basis[] {
  const open = missing.length > 0 && `it depends on ${missing.map((fact) => shown(callFactText(fact))).join(', ')}`
  return [...entries(clauses), ...presentParts(open || (clauses.length === 0 && unwritten[reason])).map(wordsBasis)]
}

function callBasis({ call, credential, needs, verdict }: ReplayedUse): readonly Basis[] {
  const isOpen = call && needs.length === 0 && verdict === 'unknown' && credential?.verdict !== 'unknown'
  const isShut = credential && credential.verdict !== 'allow'
  const words = isOpen
    ? 'the permissions that the call needs are unknown'
    : isShut && `the rules of the consumer key ${credential.verdict === 'deny' ? 'do' : 'may'} not allow it`
  return presentParts(words).map(wordsBasis)
}
