import type { Diagnostic, Severity } from '../diagnostic.ts'
import type { Rule } from '../rules/rule.ts'
import { position, type Span } from '../source.ts'
import { json, shown } from './safe.ts'

/** What `lint` has to show. */
export interface LintReport {
  /** The files that were looked at. */
  readonly files: readonly string[]
  /** Sorted, and already without what is not to be shown. */
  readonly findings: readonly Diagnostic[]
  /** How many findings the configuration says to ignore. */
  readonly ignored: number
  /** How many findings are below the level that is shown. */
  readonly hidden: number
  /** Every rule there is, those that are switched off too: what a finding's code means. */
  readonly rules: readonly Rule[]
  /** Of the program: three numbers with dots between them. */
  readonly version: string
}

export const severities: readonly Severity[] = ['error', 'warning', 'info']

/** How many findings there are of each severity; in this order. */
export function countSeverities(findings: readonly Diagnostic[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) counts[severity]++
  return counts
}

/** At most so many findings: errors before warnings before the rest, otherwise in the order given. */
export function worstFirst(findings: readonly Diagnostic[], most = findings.length): readonly Diagnostic[] {
  return severities.flatMap((each) => findings.filter(({ severity }) => severity === each)).slice(0, most)
}

/** `3 errors, 1 warning`; without severities that do not occur, and '' for none at all. */
export function countsText(findings: readonly Diagnostic[]): string {
  const counts = countSeverities(findings)
  return severities
    .filter((each) => counts[each] > 0)
    .map((each) => plural(counts[each], each))
    .join(', ')
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 || noun === 'info' ? '' : 's'}`
}

/** The findings of each file, with files in the order in which they first occur. */
export function byFile(findings: readonly Diagnostic[]): ReadonlyMap<string, readonly Diagnostic[]> {
  const files = new Map<string, Diagnostic[]>()
  for (const finding of findings) {
    const known = files.get(finding.span.source.path)
    if (known) known.push(finding)
    else files.set(finding.span.source.path, [finding])
  }
  return files
}

/** One line a finding, for editors and for searching: `file:line:column: severity code: message`. */
export function compactLine({ code, severity, message, span }: Diagnostic): string {
  const { line, column } = position(span.source, span.start)
  return `${shown(span.source.path)}:${line}:${column}: ${severity} ${shown(code)}: ${shown(message)}`
}

export function compactReport({ findings }: LintReport): string {
  return findings.map((finding) => `${compactLine(finding)}\n`).join('')
}

/** Every finding and their numbers as one JSON object on one line (spec: command line, `lint --format json`). */
export function jsonReport({ files, findings }: LintReport): string {
  return `${json({ version: 1, files: files.length, summary: countSeverities(findings), findings: findings.map(record) })}\n`
}

/** Each finding as a JSON object on a line of its own. */
export function ndjsonReport({ findings }: LintReport): string {
  return findings.map((finding) => `${json(record(finding))}\n`).join('')
}

/** The page that explains a rule, relative to the project. */
export function rulePage(code: string): string {
  return `docs/rules/${code}.md`
}

/** A finding in the machine-readable shape: lines and columns from 1, columns in UTF-16 units, end exclusive. */
export function record({ code, severity, message, help, span, policy }: Diagnostic) {
  return {
    code,
    severity,
    message,
    help: help ?? null,
    file: span.source.path,
    ...region(span),
    policy: policy ?? null,
    fixable: false,
    url: rulePage(code),
  }
}

/** Where a span lies: lines and columns from 1, columns in UTF-16 units, end exclusive. */
export function region({ source, start, end }: Span) {
  const first = position(source, start)
  const last = position(source, end)
  return { line: first.line, column: first.column, endLine: last.line, endColumn: last.column }
}
