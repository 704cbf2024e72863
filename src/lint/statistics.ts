import type { Diagnostic, Severity } from '../diagnostic.ts'

/** How often a rule found something. */
export interface RuleCount {
  readonly code: string
  /** The worst one of its findings. */
  readonly severity: Severity
  readonly count: number
  /** How many of them `--fix` fixes. */
  readonly fixable: number
}

const worst: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

/** The findings by rule: the most frequent rule first, those of equal counts by their codes. */
export function statisticsOf(findings: readonly Diagnostic[]): readonly RuleCount[] {
  const counts = new Map<string, RuleCount>()
  for (const { code, severity, fix } of findings) {
    const ruleCount = counts.get(code) ?? { code, severity, count: 0, fixable: 0 }
    counts.set(code, {
      code,
      severity: worst[severity] < worst[ruleCount.severity] ? severity : ruleCount.severity,
      count: ruleCount.count + 1,
      fixable: ruleCount.fixable + (fix?.safe ? 1 : 0),
    })
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
}
