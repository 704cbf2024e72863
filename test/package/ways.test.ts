import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { commands } from '../../src/cli/app/commands.ts'
import { examples, fromPages, quickstart } from './commands.ts'
import { type Ran, root, run } from './run.ts'

/** Whichever way a user has the program, it says and writes the same. */

const [home, executable] = [inject('home'), inject('executable')]
const program = join(home, 'node_modules/grantwise/bin/grantwise.js')

const isFirst = ({ args }: { readonly args: readonly string[] }, i: number, all: readonly { readonly args: readonly string[] }[]) =>
  all.findIndex((other) => other.args[0] === args[0]) === i

const [ann, server] = ['urn:v1:eu:identity:user:ab12-svc/ann', 'urn:v1:eu:resource:vps:vps-1']
/** Commands that no page of an example shows: at least one command line for each other command that ends by itself. */
const others = [
  ['blame', '--help'],
  ['call', 'GET', '/v1/vps/vps-1', '--identity', ann, '-p', 'acme/policies'],
  ['catalogue', 'info', 'vps'],
  ['compare', ann, 'urn:v1:eu:identity:user:ab12-svc/bob', '-p', 'acme/policies'],
  ['completions', 'bash'],
  ['convert', '--to', 'hcl', 'convert/world.yaml'],
  ['escalate', ann, '-p', 'acme/policies'],
  ['expand', 'vps:apisvc:ips/*'],
  ['explain', 'expired'],
  ['explore', '--help'],
  ['export', '--to', 'cedar', '-p', 'quickstart'],
  ['export', 'sql', '--dialect', 'duckdb', '-p', 'quickstart', '--out', 'sql'],
  ['filter', ann, 'vps:apisvc:get', '--dialect', 'duckdb', '-p', 'acme/policies'],
  ['fmt', '--check', 'acme/policies'],
  ['from-operations', 'GET /v1/vps/{serviceName}'],
  ['graph', 'acme/policies', '--format', 'mermaid'],
  ['history', '--help'],
  ['init', '--help'],
  ['matrix', '-p', 'acme/policies'],
  ['merge-driver', '--diff', 'merge/driver/base.yaml', 'merge/driver/ours.yaml', 'merge/driver/theirs.yaml'],
  ['least', '--from', 'usage/calls.ndjson', '--identity', 'urn:v1:eu:identity:user:ab12-svc/*'],
  ['minimise', '-p', 'acme/policies'],
  ['policies', ann, '-p', 'acme/policies'],
  ['pull', '--help'],
  ['repl', '--help'],
  ['report', 'acme/policies', '-o', 'report.html', '--at', '2026-01-01T00:00:00Z'],
  ['review', '--check', 'access-review/review.yaml', '-p', 'access-review/policies', '--at', '2026-12-01T09:00:00Z'],
  ['rules', 'expired'],
  ['settle', '--help'],
  ['sql', '--help'],
  ['suggest', ann, 'vps:apisvc:get', server, '-p', 'acme/policies'],
  ['lint', 'terraform', 'crossplane', 'pulumi', '--format', 'sarif'],
]
  .map((args) => ({ folder: '.', args }))
  .concat({ folder: 'custom-rules', args: ['lint', '--allow-rules-from', 'acme-rules'] })
const shown = [...quickstart, ...fromPages.filter(isFirst).filter(({ folder }) => folder !== 'quickstart'), ...others]

test('every command that ends by itself is among them', () => {
  const asked = new Set(shown.map(({ args }) => args[0]))
  expect(
    commands
      .map(({ name }) => name)
      .filter((name) => !asked.has(name))
      .sort(),
  ).toEqual(['lsp', 'mcp', 'serve'])
  expect(quickstart.length).toBeGreaterThan(3)
})

/** When a report was made, which it says. */
const instant = /"made":\d+/

/** Output and files of all of them, in a copy of the examples. */
function outcomes(
  first: string,
  ...before: readonly string[]
): { readonly said: readonly Ran[]; readonly files: Readonly<Record<string, string>> } {
  const copy = mkdtempSync(join(tmpdir(), 'grantwise-ways-'))
  cpSync(examples, copy, { recursive: true })
  const said = shown.map(({ folder, args }) => run(first, [...before, ...args], join(copy, folder), { NO_COLOR: '1', TZ: 'UTC' }))
  const names = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = names
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [file.slice(copy.length), readFileSync(file, 'latin1').replace(instant, '')])
  return { said, files: Object.fromEntries(files) }
}

describe('the single executable', () => {
  test('says and writes what the package does', () => {
    const [one, other] = [outcomes(process.execPath, program), outcomes(executable)]
    expect(other.said).toEqual(one.said)
    // The questions were understood, each with an answer.
    expect(
      one.said.map(({ status }, i) => ({ args: shown[i]?.args, status })).filter(({ status }) => status !== 0 && status !== 1),
    ).toEqual([])
    expect(Object.keys(other.files)).toEqual(Object.keys(one.files))
    expect(Object.keys(one.files).filter((name) => one.files[name] !== other.files[name])).toEqual([])
    expect(one.files['/report.html']).toBeDefined()
  })

  test('has its version, and needs nothing next to it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'grantwise-alone-'))
    const file = join(folder, process.platform === 'win32' ? 'g.exe' : 'g')
    cpSync(executable, file)
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const flag of ['--version', '-V'])
      expect(run(file, [flag], folder)).toEqual({ status: 0, stdout: `grantwise ${version}\n`, stderr: '' })
  })

  test('answers a large batch of questions with several threads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'grantwise-batch-'))
    const policy = { name: 'p', identities: [ann], resources: [{ urn: server }], permissions: { allow: [{ action: 'vps:apisvc:get' }] } }
    writeFileSync(join(folder, 'policy.json'), JSON.stringify(policy))
    const question = { identity: ann, action: 'vps:apisvc:get', resource: server }
    writeFileSync(join(folder, 'questions.ndjson'), `${JSON.stringify(question)}\n`.repeat(60_000))
    const said = run(executable, ['can', '--batch', 'questions.ndjson', '--jobs', '2', '-p', 'policy.json', '--format', 'compact'], folder)
    expect([said.status, said.stderr]).toEqual([0, ''])
    expect(said.stdout.trim().split('\n')).toHaveLength(60_000)
  })
})
