#!/usr/bin/env node
/**
 * Asks the reference implementation of HCL (Go, from Debian: golang-go, golang-github-hashicorp-hcl-v2-dev and
 * golang-github-zclconf-go-cty-dev) what the expressions of `test/hcl/reference.cases` are, and those of
 * `test/hcl/typed-world.json` over a variable of each of its types with each of its values.
 *
 *   node scripts/hcl-reference.mjs           writes its answers
 *   node scripts/hcl-reference.mjs --check   exits with 1 where one is another
 *   node scripts/hcl-reference.mjs --all FILE   writes all answers about types to a file, where others are a third of them
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answerTables, answerTablesText, headOf } from '../test/support/answer-tables.mjs'
import { goBuild } from './go.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = join(root, 'test/hcl/reference.cases')
const typedPath = join(root, 'test/hcl/typed.cases')
const typedHead = `Values of variables with types, and what the reference implementation of the language (scripts/hcl-reference.mjs) makes of them.
Under a type: what each value of typed-world.json is as a variable of this type. Under \`TYPE = VALUE\`: what expressions over this
variable are. Comparisons with \`V\` have a letter for each value: t true, f false, ? unknown, - neither.`
const folder = mkdtempSync(join(tmpdir(), 'grantwise-reference-'))
const isCheck = process.argv.includes('--check')
const all = process.argv.includes('--all') ? process.argv.at(-1) : undefined
try {
  const program = join(folder, 'reference')
  if (!goBuild(join(root, 'test/hcl/reference/main.go'), program)) throw new Error('the reference implementation cannot be built')
  const ask = (questions) =>
    execFileSync(program, { input: questions.map((each) => `${JSON.stringify(each)}\n`).join(''), encoding: 'utf8', maxBuffer: 2 ** 28 })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  if (all === undefined) answerExpressions(ask)
  answerTyped(ask)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function answerExpressions(ask) {
  const text = readFileSync(path, 'utf8')
  const recorded = answerTables(text)
  const expressions = [...recorded.values()].flatMap((answers) => [...answers.keys()])
  const answers = new Map(ask(expressions).map((answer, i) => [expressions[i], answerOf(answer)]))
  const wrong = [...recorded.values()].flatMap((known) =>
    [...known].filter(([expression, answer]) => answers.get(expression) !== answer).map(([expression]) => expression),
  )
  const given = new Map(
    [...recorded].map(([title, known]) => [title, new Map([...known.keys()].map((expression) => [expression, answers.get(expression)]))]),
  )
  if (!isCheck) writeFileSync(path, answerTablesText(headOf(text), given))
  process.stdout.write(`${expressions.length} expressions, ${wrong.length} with another answer than recorded\n`)
  for (const expression of wrong.slice(0, 20)) process.stdout.write(`  ${expression}\n`)
  if (isCheck && wrong.length > 0) process.exitCode = 1
}

function answerOf({ value, error }) {
  return error === undefined ? JSON.stringify(value) : 'fails'
}

/** Of each type and value: what the variable is; once for each such value what comparisons give, and what expressions do. */
function answerTyped(ask) {
  const { types, values, pairs, expressions } = JSON.parse(readFileSync(join(root, 'test/hcl/typed-world.json'), 'utf8'))
  const variables = types.flatMap((type) => values.map((value) => ({ type, value })))
  const given = ask(variables.map((each) => ({ ...each, expression: 'var.x' }))).map(textOf)
  const seen = new Map()
  for (const [i, text] of given.entries()) if (text !== 'unfit' && !seen.has(text)) seen.set(text, variables[i])
  const askedOf = (row) => expressions.filter((_, i) => all !== undefined || (i + row) % 3 === 0)
  const tables = new Map(types.map((type, i) => [type, new Map(values.map((value, j) => [value, given[i * values.length + j]]))]))
  // All at once: a program is started for each call.
  const questions = [...seen.values()].flatMap((variable, row) => [
    ...pairs.flatMap((pair) => values.map((value) => ({ ...variable, expression: pair.replaceAll('V', value) }))),
    ...askedOf(row).map((expression) => ({ ...variable, expression })),
  ])
  const answers = ask(questions)[Symbol.iterator]()
  for (const [row, { type, value }] of [...seen.values()].entries()) {
    const compared = pairs.map((pair) => [pair, values.map(() => letterOf(answers.next().value)).join('')])
    const others = askedOf(row).map((expression) => [expression, textOf(answers.next().value)])
    tables.set(`${type} = ${value}`, new Map([...compared, ...others]))
  }
  const text = answerTablesText(typedHead, tables)
  if (all !== undefined) writeFileSync(all, text)
  else if (!isCheck) writeFileSync(typedPath, text)
  const isSame = all !== undefined || !isCheck || text === readFileSync(typedPath, 'utf8')
  process.stdout.write(`${variables.length} variables, ${seen.size} values of them${isSame ? '' : ': other answers than recorded'}\n`)
  if (!isSame) process.exitCode = 1
}

/** The description of a value: its type and its value as JSON with sorted keys, or `fails` or `unknown`. */
function textOf({ value, type, error, unknown }) {
  if (error !== undefined) return error === 'unfit' ? error : error === 'panic' ? 'panics' : error === 'fails' ? error : `error ${error}`
  return unknown ? 'unknown' : `${type} ${JSON.stringify(sorted(value))}`
}

function letterOf(answer) {
  const text = textOf(answer)
  return { 'bool true': 't', 'bool false': 'f', unknown: '?' }[text] ?? '-'
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  )
}
