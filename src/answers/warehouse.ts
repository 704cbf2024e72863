import { clauseJson } from '../report/decision.ts'
import { fieldsJson } from '../report/fields.ts'
import { momentWords } from '../report/instants.ts'
import { shown } from '../report/safe.ts'
import { plural, presentParts } from '../report/words.ts'
import type { Clause, Verdict } from '../simulate/decision.ts'
import type { Change } from '../usage/replay.ts'
import { type Answer, counted, entries, type Line, type Row, rowOf, say, type Tone, wordsBasis } from './model.ts'

/** Answers about the calls of a log that an SQL engine decided. */

/** Calls that ask the same and have the same verdict. */
export interface LoggedUse {
  readonly identity: string
  readonly action: string
  readonly resource: string
  /** The groups that the calls give, where they give some. */
  readonly groups?: readonly string[]
  readonly verdict: Verdict | 'error'
  readonly reason: string
  /** The verdict of the state before, where two are compared. */
  readonly before?: Verdict | 'error'
  readonly calls: number
  readonly first: number | undefined
  readonly last: number | undefined
  readonly clauses: readonly Clause[]
  /** The facts on which an unknown verdict depends. */
  readonly missing: readonly string[]
}

export interface LogReport {
  readonly calls: number
  readonly questions: number
  /** Rows of the log that no call can be made of. */
  readonly refusedRows: number
  /** The first of them, each with its row and what is wrong. */
  readonly refusals: readonly { readonly row: number; readonly why: string }[]
  /** Of the denied calls, in a comparison of those newly refused: how many are by identities whose groups are not known, and how many such. */
  readonly groupsUnknown: { readonly calls: number; readonly identities: number }
  readonly uses: readonly LoggedUse[]
  /** How many there are, of which `uses` may be the first. */
  readonly allUses: number
}

export interface DecidedLog extends LogReport {
  readonly counts: Readonly<Record<Verdict | 'error', number>>
  /** How many distinct questions have each verdict, in some situation. */
  readonly distinct: Readonly<Record<Verdict | 'error', number>>
}

export interface ComparedLog extends LogReport {
  readonly counts: Readonly<Record<Change | 'error', number>>
  readonly distinct: Readonly<Record<Change | 'error', number>>
}

/** The change of a call from one verdict to another. */
export function changeOf(before: LoggedUse['verdict'], after: LoggedUse['verdict']): Change | 'error' {
  if (before === 'error' || after === 'error') return 'error'
  if (before === 'unknown' || after === 'unknown') return 'unknown'
  return before === after ? 'same' : after === 'deny' ? 'refused' : 'allowed'
}

const instant = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())

const useJson = (use: LoggedUse) => ({
  ...fieldsJson(use, 'identity', 'action', 'resource', 'verdict', 'reason'),
  ...(use.groups && { groups: use.groups }),
  ...(use.before !== undefined && { before: use.before }),
  calls: use.calls,
  first: instant(use.first),
  last: instant(use.last),
  clauses: use.clauses.map(clauseJson),
  missing: use.missing,
})

const logJson = (report: LogReport) => ({
  ...fieldsJson(report, 'calls', 'questions', 'refusedRows'),
  refusals: report.refusals,
  groupsUnknown: report.groupsUnknown,
})

const reasons: Readonly<Record<string, string>> = { default: say.noPolicy, root: say.owning }

function useRow(use: LoggedUse): Row {
  const open = use.missing.length > 0 && `it depends on ${use.missing.map(shown).join(', ')}`
  const words = use.verdict === 'error' ? shown(use.reason) : open || (use.clauses.length === 0 && reasons[use.reason])
  const [first, last] = [use.first, use.last].map((at) => (at === undefined ? '' : momentWords(Math.floor(at / 1000) * 1000)))
  const times = first === '' ? '' : first === last ? `, at ${first}` : `, from ${first} to ${last}`
  return rowOf({
    verdict: use.verdict === 'error' ? 'unknown' : use.verdict,
    who: [use.identity],
    actions: [shown(use.action)],
    on: [use.resource],
    by: [...entries(use.clauses), ...presentParts(words).map(wordsBasis)],
    details: () => [
      ...(use.groups ? [{ label: 'groups', items: use.groups.map(shown), isList: true } as const] : []),
      { label: 'calls', items: [`${use.calls.toLocaleString('en')}${times}`], isList: true },
    ],
  })
}

const did = { may: 'did' } as const

/** Rows that are no calls, in notes. */
function refusalNotes({ refusedRows, refusals }: LogReport): readonly string[] {
  if (refusedRows === 0) return []
  const some = refusals.map(({ row, why }) => `row ${row}: ${shown(why)}`).join('; ')
  return [`${plural(refusedRows, 'row')} of the log left out, since no call can be made of ${refusedRows === 1 ? 'it' : 'them'}: ${some}`]
}

/** Groups that denials do not count. */
function groupNotes({ groupsUnknown: { calls, identities } }: LogReport, isComparison: boolean): readonly string[] {
  if (calls === 0) return []
  const [denied, of] = [isComparison ? 'newly refused' : 'denied', calls === 1 ? 'is' : 'are']
  return [
    `${plural(calls, `${denied} call`)} ${of} by ${plural(identities, 'identity')} whose groups are not known, and policies are for groups: describe the identities in a world file, or give a column \`groups\``,
  ]
}

const verdictWords: Readonly<Record<Verdict | 'error', readonly [words: string, tone: Tone]>> = {
  deny: ['denied', 'error'],
  unknown: ['cannot be determined', 'info'],
  error: ['malformed', 'warning'],
  allow: ['allowed', 'good'],
}

const changeWords: Readonly<Record<Change | 'error', readonly [words: string, tone: Tone]>> = {
  refused: ['would be refused', 'error'],
  allowed: ['would be allowed', 'warning'],
  unknown: ['cannot be determined', 'info'],
  error: ['malformed', 'warning'],
  same: ['stays as it is', 'good'],
}

/** The answer of `sql decide`: the calls by verdict, and those that are not allowed. */
export function decidedAnswer(report: DecidedLog): Answer {
  return logAnswer(report, verdictWords, 'allow', ({ verdict }) => verdict)
}

/** The answer of `sql replay`: the calls that change. */
export function comparedAnswer(report: ComparedLog): Answer {
  return logAnswer(report, changeWords, 'same', ({ before = 'error', verdict }) => changeOf(before, verdict))
}

function logAnswer<Kind extends string>(
  report: LogReport & { readonly counts: Readonly<Record<Kind, number>>; readonly distinct: Readonly<Record<Kind, number>> },
  words: Readonly<Record<Kind, readonly [words: string, tone: Tone]>>,
  usual: Kind,
  kindOf: (use: LoggedUse) => Kind,
): Answer {
  const { counts, distinct, uses, allUses } = report
  const kinds = Object.keys(words) as Kind[]
  const summary: readonly Line[] = kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => ({ text: `${counts[kind].toLocaleString('en')} ${words[kind][0]}`, tone: words[kind][1] }))
  const listed = kinds.filter((kind) => kind !== usual)
  return {
    subject: () => [`${plural(report.calls, 'call')}, ${plural(report.questions, 'distinct question')}`],
    summary: () => summary,
    sections: listed.map((kind) => {
      const [title, tone] = words[kind]
      return counted(title, tone, uses.filter((use) => kindOf(use) === kind).map(useRow), { ...did, name: kind })
    }),
    rest: allUses > uses.length ? [`${plural(allUses - uses.length, 'more row')}: ${say.listAll()}`] : [],
    notes: [...groupNotes(report, usual === 'same'), ...refusalNotes(report)],
    json: () => ({ ...logJson(report), counts, distinct, uses: uses.map(useJson) }),
  }
}
