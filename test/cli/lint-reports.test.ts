import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runProgram } from '../support/scenario.ts'

let work: string
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-'))
})
afterEach(() => rmSync(work, { recursive: true }))

test('reports in files say what could not be read, those for users too', async () => {
  writeFileSync(join(work, 'latin1.json'), Buffer.from([0x7b, 0xe9, 0x7d]))
  const formats = [
    'pretty',
    'compact',
    'json',
    'ndjson',
    'sarif',
    'github',
    'gitlab',
    'junit',
    'checkstyle',
    'markdown',
    'agent',
    'azure',
    'rdjson',
    'rdjsonl',
  ]
  const asked = formats.flatMap((format) => ['--format', `${format}=out.${format}`])
  const { stdout, stderr, exit } = await runProgram(['lint', ...asked, 'latin1.json'], work)
  expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
  expect(stderr).toContain('grantwise: latin1.json: ')
  const message = stderr.slice('grantwise: latin1.json: '.length).split('\n')[0] as string
  for (const format of formats) {
    const text = readFileSync(join(work, `out.${format}`), 'utf8')
    expect({ format, text }).toEqual({ format, text: expect.stringContaining('latin1.json') })
    expect({ format, text }).toEqual({ format, text: expect.stringContaining(message) })
  }
})

test('a run in SARIF succeeds where everything was read, whatever is found', async () => {
  writeFileSync(join(work, 'p.json'), '{"name": ')
  const { stdout, exit } = await runProgram(['lint', '--format', 'sarif', 'p.json'], work)
  expect(exit).toBe(1)
  expect(JSON.parse(stdout).runs[0].invocations).toEqual([{ executionSuccessful: true }])
})

test('links begin with what the configuration says, also those of `rules`', async () => {
  writeFileSync(join(work, '.grantwise.yaml'), 'docs: https://docs.example.org/iam/\n')
  writeFileSync(join(work, 'p.json'), '{"name": "p", "identites": []}')
  const lint = await runProgram(['lint', '--format', 'json', 'p.json'], work)
  const [{ url, code }] = JSON.parse(lint.stdout).findings
  expect(url).toBe(`https://docs.example.org/iam/rules/${code}.md`)
  const rules = await runProgram(['rules', 'shape', '--format', 'json'], work)
  expect(JSON.parse(rules.stdout).url).toBe('https://docs.example.org/iam/rules/shape.md')
})

test.each([
  ['docs', 'does not match'],
  ['ftp://example.org', 'does not match'],
  ['https://', 'is not a URL that links can start with'],
  ['https://example.org/?q=1', 'is not a URL that links can start with'],
])('`docs: %s` is refused at its place', async (address) => {
  writeFileSync(join(work, '.grantwise.yaml'), `docs: "${address}"\n`)
  writeFileSync(join(work, 'p.json'), '{}')
  const { stderr, exit } = await runProgram(['lint', '--if-policy', 'p.json'], work)
  expect({ stderr, exit }).toEqual({
    stderr: expect.stringMatching(/^grantwise: the configuration cannot be used\n.*\.grantwise\.yaml:1:7: error/s),
    exit: 2,
  })
})
