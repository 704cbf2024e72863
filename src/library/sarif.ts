import type { Diagnostic } from '../diagnostic.ts'
import type { LintResult } from '../lint/lint-files.ts'
import { sarifReport } from '../report/sarif.ts'
import { rules as builtIn } from '../rules/index.ts'
import type { Rule } from '../rules/rule.ts'
import { version } from '../version.ts'

/** The contents of a SARIF file. */
export interface SarifOptions {
  /** Suppressed findings, which are results with a suppression. */
  readonly suppressed?: LintResult['suppressed']
  /** The rules that the findings are of, besides the built-in ones. */
  readonly rules?: readonly Rule[]
  /** Where the documentation of the rules is: an absolute address without a slash at its end. */
  readonly docs?: string
}

/** Findings as SARIF 2.1.0, as `grantwise lint --format sarif` writes them. */
export function sarif(findings: readonly Diagnostic[], { suppressed = [], rules = [], docs }: SarifOptions = {}): string {
  const all = [...builtIn, ...rules]
  const shown = { showSuppressed: suppressed.length > 0, hidden: 0, files: [], rules: all, version }
  return sarifReport({ findings, suppressed, ...shown, ...(docs !== undefined && { docs }) })
}
