import { compareDiagnostics, type Diagnostic } from '../../diagnostic.ts'
import { shown } from '../../report/safe.ts'
import { compactLine } from '../../report/words.ts'
import { Refusal, refuseProblems } from '../app/refusal.ts'

/** Diagnostics in order, a line each, with their help below. */
export function diagnosticLines(diagnostics: readonly Diagnostic[]): string {
  return [...diagnostics]
    .sort(compareDiagnostics)
    .map((each) => `${compactLine(each)}${each.help ? `\n  help: ${shown(each.help)}` : ''}\n`)
    .join('')
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

/** Refuse with all errors together, each at its place. */
export function refuseErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(isError).sort(compareDiagnostics)
  refuseProblems(errors.map((each) => ({ message: compactLine(each), help: each.help })))
}

/** Refuse a file that says how to work, with all errors in it, if there are any. */
export function refuseAll(problems: readonly Diagnostic[], what = 'configuration'): void {
  const errors = problems.filter(isError)
  if (errors.length > 0) throw new Refusal(`the ${what} cannot be used\n${diagnosticLines(errors).trimEnd()}`, undefined, [], errors)
}
