import { groupedBy } from '../collections.ts'
import { type Diagnostic, factsIn, type Severity } from '../diagnostic.ts'
import { type BaselineEntry, baselineVersion } from '../lint/baseline.ts'
import type { RuleCount } from '../lint/statistics.ts'
import type { Suppressed, SuppressedBy } from '../lint/suppress.ts'
import type { Meaning } from '../rules/rule.ts'
import { position, type Span } from '../source.ts'
import { json, shown } from './safe.ts'
import { compactLine, countsOf, placeJson, placeWords, plural, presentParts, rulePage } from './words.ts'

/** A file or folder that could not be read, as it is shown; '' for the whole run; and why. */
export interface Unread {
  readonly path: string
  readonly message: string
}

export interface LintReport {
  /** The files that were looked at. */
  readonly files: readonly string[]
  /** Files that could not be read: the report is then incomplete. Absent if there is none. */
  readonly unread?: readonly Unread[]
  /** Whether something was not read or understood, as findings or `unread` report. */
  readonly isPartial?: boolean
  /** Sorted, and filtered. */
  readonly findings: readonly Diagnostic[]
  /** Findings that comments, the configuration and a baseline suppress, in the order of findings. */
  readonly suppressed: readonly Suppressed[]
  /** Whether to show these as well, and not only their number. */
  readonly showSuppressed: boolean
  /** How many findings are below the level that is shown. */
  readonly hidden: number
  /** The expressions whose values are unknown; sorted, each once. Absent if there is none. */
  readonly unknown?: readonly string[]
  /** Resources that configurations describe but create no instance of. Absent if there is none. */
  readonly uncreated?: readonly { readonly address: string; readonly head: Span; readonly why: string }[]
  /** The recorded calls that were counted for the findings, as data. */
  readonly calls?: object
  /** The commit since which findings are new, and how many are not, as data. */
  readonly newSince?: object
  /** How often each rule found something, where that is asked for. */
  readonly statistics?: readonly RuleCount[]
  /** Every rule, including disabled ones: what the code of a finding means. */
  readonly rules: readonly Meaning[]
  /** Of the program: three numbers with dots between them. */
  readonly version: string
  /** Where the documentation is: an absolute address without a slash at its end. Absent if no page explains the rules. */
  readonly docs?: string
}

export const unreadCode = 'unread'

/** A text about what could not be read, and of what: one line. */
export const unreadLine = ({ path, message }: Unread): string =>
  `${path === '' ? '' : `${shown(path)}: `}error ${unreadCode}: ${shown(message)}`

/** How much could not be read, in words; '' for none. */
export const unreadText = ({ unread = [] }: LintReport): string => (unread.length === 0 ? '' : `${plural(unread.length, 'path')} not read`)

export const severities: readonly Severity[] = ['error', 'warning', 'info']

export const countSeverities = (findings: readonly Diagnostic[]) => countsOf(severities, findings, ({ severity }) => severity)

/** At most so many findings: errors before warnings before the rest, otherwise in the order given. */
export const worstFirst = (findings: readonly Diagnostic[], most = findings.length): readonly Diagnostic[] =>
  severities.flatMap((each) => findings.filter(({ severity }) => severity === each)).slice(0, most)

/** `3 errors, 1 warning`; without severities that do not occur, and '' for none at all. */
export function countsText(findings: readonly Diagnostic[]): string {
  const counts = countSeverities(findings)
  return presentParts(severities.map((each) => counts[each] > 0 && plural(counts[each], each))).join(', ')
}

/** The findings of each file, with files in the order in which they first occur. */
export const byFile = (findings: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> =>
  groupedBy(findings, ({ span }) => span.source.path)

export function compactReport({ findings, unread = [], suppressed, showSuppressed }: LintReport): string {
  const lines = presentParts(
    findings.map(withFactsSaid).map(compactLine),
    showSuppressed && suppressed.map(suppressedLine),
    unread.map(unreadLine),
  )
  return lines.map((line) => `${line}\n`).join('')
}

/** One line for a suppressed finding: `file:line:column: suppressed code: message (by a comment: reason)`. */
export const suppressedLine = ({ finding: { code, message, span }, by, reason }: Suppressed): string =>
  `${placeWords(span)}: suppressed ${code}: ${shown(message)} (${whose[by]}: ${shown(reason)})`

const whose: Readonly<Record<SuppressedBy, string>> = {
  comment: 'by a comment',
  configuration: 'by the configuration',
  baseline: 'by the baseline',
}

/** How many findings are suppressed, and by what: `3 suppressed: 1 by a comment, 2 by the configuration`; '' for none. */
export function suppressedText(suppressed: readonly Suppressed[]): string {
  if (suppressed.length === 0) return ''
  const counts = countSuppressed(suppressed)
  const name = (by: SuppressedBy) => (by === 'comment' && counts[by] > 1 ? 'by comments' : whose[by])
  const kinds = (Object.keys(whose) as SuppressedBy[]).filter((by) => counts[by] > 0)
  const words = kinds.length === 1 ? ` ${kinds.map(name)}` : `: ${kinds.map((by) => `${counts[by]} ${name(by)}`).join(', ')}`
  return `${suppressed.length} suppressed${words}`
}

const countSuppressed = (suppressed: readonly Suppressed[]) => countsOf(Object.keys(whose) as SuppressedBy[], suppressed, ({ by }) => by)

/** Every finding and their numbers as one JSON object on one line. */
export function jsonReport(report: LintReport): string {
  const { files, findings, unread = [], suppressed, showSuppressed, unknown = [], uncreated = [], statistics, docs } = report
  const omitted = {
    ...countSuppressed(suppressed),
    ...(showSuppressed && { findings: suppressed.map(({ finding, by, reason }) => ({ ...record(finding, docs), by, reason })) }),
  }
  const isNamed = showSuppressed || suppressed.length > 0
  return `${json({
    version: 1,
    files: files.length,
    summary: countSeverities(findings),
    findings: findings.map((finding) => record(finding, docs)),
    ...(statistics && { statistics }),
    ...(isNamed && { suppressed: omitted }),
    ...(unknown.length > 0 && { unknown }),
    ...(uncreated.length > 0 && {
      uncreated: uncreated.map(({ address, head, why }) => ({ address, ...placeJson(head), why: why.replaceAll('`', '') })),
    }),
    ...(unread.length > 0 && { unread: unread.map(unreadRecord) }),
    ...(report.calls && { calls: report.calls }),
    ...(report.newSince && { newSince: report.newSince }),
  })}\n`
}

/** Each finding as a JSON object on a separate line, then each thing that could not be read under the key `unread`. */
export function ndjsonReport({ findings, unread = [], docs }: LintReport): string {
  const lines = [...findings.map((finding) => record(finding, docs)), ...unread.map((each) => ({ unread: unreadRecord(each) }))]
  return lines.map((line) => `${json(line)}\n`).join('')
}

const unreadRecord = ({ path, message }: Unread) => ({ file: path === '' ? null : path, message })

/** A finding in the machine-readable shape: lines and columns from 1, columns in UTF-16 units, end exclusive. */
export function record(finding: Diagnostic, docs?: string) {
  const { code, severity, message, help, span, policy, fix } = finding
  return {
    code,
    severity,
    message,
    help: help ?? null,
    file: span.source.path,
    ...region(span),
    policy: policy ?? null,
    fixable: fix?.safe === true,
    url: urlOf(finding, docs) ?? null,
    ...factsJson(finding),
  }
}

/** A finding whose message has its facts: for formats that have no other place for them. */
export function withFactsSaid(finding: Diagnostic): Diagnostic {
  const words = factsIn(finding).flatMap(([, fact]) => fact.words)
  return words.length === 0 ? finding : { ...finding, message: [finding.message, ...words].join('; ') }
}

/** The facts about a finding, each under its name. */
export const factsJson = (finding: Diagnostic): Readonly<Record<string, object>> =>
  Object.fromEntries(factsIn(finding).map(([name, { json }]) => [name, json]))

/** The page that explains a finding; undefined where there is no documentation. */
export const urlOf = ({ code, link }: Pick<Diagnostic, 'code' | 'link'>, docs: string | undefined): string | undefined =>
  docs === undefined ? undefined : (link ?? rulePage(code, docs))

export const relativePath = (path: string) => path.replace(/^(\.\/+)+/, '')

/** The place of a span: lines and columns from 1, columns in UTF-16 units, end exclusive. */
export function region({ source, start, end }: Span) {
  const first = position(source, start)
  const last = position(source, end)
  return { line: first.line, column: first.column, endLine: last.line, endColumn: last.column }
}

/** A baseline as the text of its file: JSON, an entry a line. */
export function baselineText(entries: readonly BaselineEntry[]): string {
  const lines = entries.map(
    ({ file, code, policy, text, count, fingerprint }) => `    ${json({ file, code, policy, text, count, fingerprint })}`,
  )
  return `{\n  "version": ${baselineVersion},\n  "findings": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`
}
