/**
 * Write src/rules/examples.ts, the table of the examples of all rules, from examples/rules/CODE.yaml: node scripts/rule-examples.mjs
 * Git ignores the table; the build writes it, and so do the tests before they run.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const root = new URL('..', import.meta.url)
const folder = 'examples/rules'
const target = new URL('src/rules/examples.ts', root)

/** The examples by the codes of the rules, in the form of `RuleExamples`. Throws where a file is malformed. */
export function ruleExamples() {
  const files = readdirSync(new URL(folder, root)).filter((file) => file.endsWith('.yaml'))
  const codes = files.map((file) => basename(file, '.yaml')).sort()
  return new Map(codes.map((code) => [code, examplesIn(`${folder}/${code}.yaml`)]))
}

function examplesIn(file) {
  const { bad = [], good = [], ...others } = parse(readFileSync(new URL(file, root), 'utf8')) ?? {}
  if (bad.length === 0 || good.length === 0) throw new Error(`${file} must have bad and good examples`)
  const refuse = ([name]) => {
    if (name !== undefined) throw new Error(`${file}: unknown field ${name}`)
  }
  const full = (example) => {
    const { text, options, path, catalogue, ...rest } = typeof example === 'string' ? { text: example } : example
    refuse(Object.keys(rest))
    // A text begins on a line of its own.
    return { text: `\n${text.trimEnd()}`, options, path, catalogue }
  }
  refuse(Object.keys(others))
  return { bad: bad.map(full), good: good.map(full) }
}

/** Write the table, unless it is current. */
export function writeRuleExamples() {
  const text = `// Written from ${folder} by scripts/rule-examples.mjs: do not edit.
import type { RuleCode } from '../codes.ts'
import type { RuleExamples } from './rule.ts'

export const examples: Readonly<Record<RuleCode, RuleExamples>> = ${JSON.stringify(Object.fromEntries(ruleExamples()), null, 2)}
`
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeRuleExamples()
