import type { Diagnostic, Severity } from '../diagnostic.ts'
import { paint } from './colour.ts'
import { type LintReport, severities } from './lint.ts'
import { summaryLine } from './pretty.ts'
import { shown } from './safe.ts'
import { linesText } from './words.ts'

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
  const fixes = ({ count, fixable }: RuleCount) => (fixable === 0 ? '-' : `${fixable} (${Math.floor((100 * fixable) / count)}%)`)
  const first = Math.max(5, ...statistics.map(({ count }) => String(count).length))
  const second = Math.max(7, ...statistics.map((each) => fixes(each).length))
  const line = (count: string, fixable: string, level: string, rule: string) =>
    `${count.padStart(first)}  ${fixable.padStart(second)}  ${level}  ${rule}`
  return linesText(
    statistics.length > 0 && colours.dim(line('count', 'fixable', 'level  ', 'rule')),
    statistics.map((each) => {
      const { code, severity, count } = each
      return line(String(count), fixes(each), colours[severity](severity.padEnd(7)), shown(code))
    }),
    summaryLine(report, colours),
  )
}

/** The same for tools: `count code severity fixable`, a line each. */
export function statisticsLines({ statistics = [] }: LintReport): string {
  return statistics.map(({ code, severity, count, fixable }) => `${count} ${shown(code)} ${severity} ${fixable}\n`).join('')
}
