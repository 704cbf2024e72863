import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'

// The scripts of pipelines with programs in place of `grantwise`, `git` and `npm`, which note their arguments.

const scripts = resolve(import.meta.dirname, '../../integrations')
const top = mkdtempSync(join(tmpdir(), 'integrations-parts-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))
let folder = top
let count = 0
beforeEach(() => {
  folder = join(top, `${count++}`)
  mkdirSync(join(folder, 'bin'), { recursive: true })
})

const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')

/** A program of the path that notes its arguments in the file `calls`. */
function noting(name: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\necho "${name} $*" >> "${join(folder, 'calls')}"\n`)
  chmodSync(join(folder, 'bin', name), 0o755)
}

/** A program that ends with a code by the command. */
function programOf(codes: Readonly<Record<string, number>>): string {
  const bin = join(folder, 'grantwise.cjs')
  writeFileSync(bin, `process.exit(${JSON.stringify(codes)}[process.argv[2]] ?? 0)\n`)
  return bin
}

function bash(args: readonly string[], env: Readonly<Record<string, string>>) {
  const path = `${join(folder, 'bin')}:${process.env.PATH ?? ''}`
  const outputs = { GITHUB_OUTPUT: join(folder, 'outputs'), RUNNER_TEMP: folder, HOME: folder, GRANTWISE_SUMMARY: 'false' }
  return spawnSync('bash', args, { cwd: folder, encoding: 'utf8', env: { PATH: path, ...outputs, ...env } })
}
const run = (script: string, env: Readonly<Record<string, string>>) => bash([join(scripts, script)], env)
const call = (line: string, env: Readonly<Record<string, string>> = {}) => bash(['-c', `. "${join(scripts, 'base.sh')}"; ${line}`], env)

test.each(['-g', '--prefix=x', '1.0.0 evil', '1.0.0;x', '../x'])('the version %j is not handed to npm', (version) => {
  noting('npm')
  const { status, stderr } = run('install.sh', { GRANTWISE_VERSION: version })
  expect([status, stderr, read('calls')]).toEqual([2, expect.stringContaining('is no version'), ''])
})

test('files of an earlier run are no answer where this one gives none', () => {
  const bin = programOf({ report: 2, lint: 2 })
  for (const name of ['r.html', 'grantwise.sarif', 'lint.md', 'diff.md']) writeFileSync(join(folder, name), 'before')
  expect(run('report.sh', { GRANTWISE_BIN: bin, GRANTWISE_REPORT: join(folder, 'r.html') }).status).toBe(2)
  expect(run('lint.sh', { GRANTWISE_BIN: bin, GRANTWISE_LINT_MARKDOWN: join(folder, 'lint.md') }).status).toBe(2)
  // No repository is around it.
  expect(run('diff.sh', { GRANTWISE_BIN: bin, GRANTWISE_MARKDOWN: join(folder, 'diff.md') }).status).toBe(2)
  expect(['r.html', 'grantwise.sarif', 'lint.md', 'diff.md'].filter((name) => existsSync(join(folder, name)))).toEqual([])
  expect(read('outputs')).toBe('exit-code=2\naccess-exit-code=2\naccess-verdict=none\n')
})

test.each([
  [{ lint: 2, report: 1 }, 2],
  [{ lint: 1, report: 2 }, 2],
  [{ lint: 1, report: 0 }, 1],
  [{ lint: 0, report: 0 }, 0],
])('all parts of a review end with the worst of their codes: %j', (codes, expected) => {
  const parts = { GRANTWISE_DIFF: 'false', GRANTWISE_COMMENT: 'false', GRANTWISE_REPORT: join(folder, 'r.html') }
  expect(run('review.sh', { GRANTWISE_BIN: programOf(codes), ...parts }).status).toBe(expected)
})

test('only a whole hash or the whole name of a ref is fetched, and nothing that git reads otherwise', () => {
  noting('git')
  for (const name of ['a', '-u', '+refs/heads/a', 'refs/heads/a:refs/heads/b', 'refs/heads/*', '', '--upload-pack=x'])
    expect([name, call('fetch_one "$NAME"', { NAME: name }).status]).toEqual([name, 1])
  expect(read('calls')).toBe('')
  for (const name of ['refs/heads/a', '1'.repeat(40)]) expect(call('fetch_one "$NAME"', { NAME: name }).status).toBe(0)
  expect(read('calls').match(/origin .*/g)).toEqual(['origin refs/heads/a', `origin ${'1'.repeat(40)}`])
})

test('an annotation holds the name of a file as it is, on one line', () => {
  const { stdout } = call('report notice "$TEXT"', { GITHUB_ACTIONS: 'true', TEXT: 'a%0A::error::b\nc' })
  expect(stdout).toBe('::notice title=grantwise::a%250A::error::b?c\n')
})
