import type { Diagnostic, Severity } from '../diagnostic.ts'
import { position } from '../source.ts'
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
  /** One sentence for each code: what is wrong in general. */
  readonly summaries: ReadonlyMap<string, string>
}

export const severities: readonly Severity[] = ['error', 'warning', 'info']

/** How many findings there are of each severity; in this order. */
export function countSeverities(findings: readonly Diagnostic[]): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) counts[severity]++
  return counts
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
  const start = position(span.source, span.start)
  const end = position(span.source, span.end)
  return {
    code,
    severity,
    message,
    help: help ?? null,
    file: span.source.path,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    policy: policy ?? null,
    fixable: false,
    url: rulePage(code),
  }
}
