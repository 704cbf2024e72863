import type { RuleCode } from '../codes.ts'
import type { RuleExamples } from './rule.ts'

/** The examples of every rule, by code. Linting does not need them: they are loaded when asked for. */
export async function ruleExamples(): Promise<Readonly<Record<RuleCode, RuleExamples>>> {
  return (await import('./examples.ts')).examples
}
