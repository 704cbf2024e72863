#!/usr/bin/env node
/**
 * Asks the reference implementation of HCL (Go, from Debian: golang-go, golang-github-hashicorp-hcl-v2-dev and
 * golang-github-zclconf-go-cty-dev) what the expressions of `test/hcl/reference.json` are.
 *
 *   node scripts/hcl-reference.mjs           writes its answers
 *   node scripts/hcl-reference.mjs --check   exits with 1 where one is another
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const path = join(root, 'test/hcl/reference.json')
const corpus = JSON.parse(readFileSync(path, 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'grantwise-reference-'))
try {
  const program = join(folder, 'reference')
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOCACHE: join(folder, 'cache') }
  execFileSync('go', ['build', '-o', program, join(root, 'test/hcl/reference/main.go')], { env, stdio: 'inherit' })
  const expressions = Object.values(corpus).flatMap((answers) => Object.keys(answers))
  const input = expressions.map((each) => `${JSON.stringify(each)}\n`).join('')
  const lines = execFileSync(program, { input, encoding: 'utf8', maxBuffer: 2 ** 28 })
    .trim()
    .split('\n')
  const answers = new Map(lines.map((line, i) => [expressions[i], answerOf(JSON.parse(line))]))
  const wrong = []
  for (const known of Object.values(corpus)) {
    for (const [expression, answer] of Object.entries(known)) {
      const given = answers.get(expression)
      if (JSON.stringify(given) !== JSON.stringify(answer)) wrong.push(expression)
      known[expression] = given
    }
  }
  if (!process.argv.includes('--check')) writeFileSync(path, `${JSON.stringify(corpus, undefined, 2)}\n`)
  process.stdout.write(`${expressions.length} expressions, ${wrong.length} with another answer than recorded\n`)
  for (const expression of wrong.slice(0, 20)) process.stdout.write(`  ${expression}\n`)
  process.exitCode = process.argv.includes('--check') && wrong.length > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function answerOf({ value, error }) {
  return error === undefined ? { is: value } : 'fails'
}
