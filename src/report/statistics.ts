import type { Diagnostic, Severity } from '../diagnostic.ts'
import { paint } from './colour.ts'
import { type LintReport, severities } from './lint.ts'
import { summaryLine } from './pretty.ts'
import { shown } from './safe.ts'

/** How often a rule found something. */
export interface RuleCount {
  readonly code: string
  /** The worst one of its findings. */
  readonly severity: Severity
  readonly count: number
  /** How many of them `--fix` fixes. */
  readonly fixable: number
}

/** The findings by rule: the most frequent rule first, those of equal counts by their codes. */
export function statisticsOf(findings: readonly Diagnostic[]): readonly RuleCount[] {
  const counts = new Map<string, RuleCount>()
  for (const { code, severity, fix } of findings) {
    const known = counts.get(code) ?? { code, severity, count: 0, fixable: 0 }
    counts.set(code, {
      code,
      severity: severities.indexOf(severity) < severities.indexOf(known.severity) ? severity : known.severity,
      count: known.count + 1,
      fixable: known.fixable + (fix?.safe ? 1 : 0),
    })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
}

/** A table of the rules that found something, in place of the findings. */
export function statisticsText(report: LintReport, inColour = false): string {
  const { statistics = [] } = report
  const colours = paint(inColour)
  const rows = statistics.map(({ code, severity, count, fixable }) => ({
    count: String(count),
    fixable: fixable === 0 ? '-' : `${fixable} (${Math.floor((100 * fixable) / count)}%)`,
    severity,
    code: shown(code),
  }))
  const width = (name: 'count' | 'fixable') => Math.max(name.length, ...rows.map((row) => row[name].length))
  const [first, second] = [width('count'), width('fixable')]
  const head = `${'count'.padStart(first)}  ${'fixable'.padStart(second)}  ${'level'.padEnd(7)}  rule`
  const lines = rows.map(
    ({ count, fixable, severity, code }) =>
      `${count.padStart(first)}  ${fixable.padStart(second)}  ${colours[severity](severity.padEnd(7))}  ${code}\n`,
  )
  return `${rows.length === 0 ? '' : `${colours.dim(head)}\n`}${lines.join('')}${summaryLine(report, colours)}\n`
}

/** The same for tools: `count code severity fixable`, a line each. */
export function statisticsLines({ statistics = [] }: LintReport): string {
  return statistics.map(({ code, severity, count, fixable }) => `${count} ${shown(code)} ${severity} ${fixable}\n`).join('')
}
