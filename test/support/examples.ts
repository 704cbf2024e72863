import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { type ExampleRead, exampleTime, lintExample as lintWith } from '../../src/lint/rule-examples.ts'
import { rules } from '../../src/rules/index.ts'
import type { RuleExample, RuleExamples } from '../../src/rules/rule.ts'
import { lintUpkeep } from './upkeep.ts'

export { type ExampleRead as Example, exampleTime, type Mark, markOf, readExample } from '../../src/lint/rule-examples.ts'

/** The examples of a rule, as its file has them. */
export function examplesOf(code: string): RuleExamples {
  const text = readFileSync(new URL(`../../examples/rules/${code}.yaml`, import.meta.url), 'utf8')
  const { bad, good } = parse(text) as Readonly<Record<keyof RuleExamples, readonly (string | RuleExample)[]>>
  const full = (example: string | RuleExample) => (typeof example === 'string' ? { text: example } : example)
  return { bad: bad.map(full), good: good.map(full) }
}

/**
 * All that the readers and the rules together find in an example: the recommended rules, and `code`, which is the rule
 * that the example's options are for.
 */
export async function lintExample(example: ExampleRead, code?: string): Promise<readonly Diagnostic[]> {
  const own = rules.find((rule) => rule.code === code)
  return own && 'upkeep' in own ? lintUpkeep(example.exampleSet, exampleTime) : lintWith(example, own)
}
