import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { binary } from '../support/scenario.ts'

/** Policies from pipes: one that nothing writes to is not waited for. */

const work = mkdtempSync(join(tmpdir(), 'grantwise-pipes-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

const policy = JSON.stringify({
  name: 'servers',
  identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: { allow: [{ action: 'vps:apisvc:get' }] },
})
// More than a pipe holds.
writeFileSync(join(work, 'p.json'), policy.replace('"servers"', JSON.stringify(`servers${' and more'.repeat(20_000)}`)))
writeFileSync(join(work, 'small.json'), policy)
execFileSync('mkfifo', ['pipe'], { cwd: work })

const asked = 'urn:v1:eu:identity:user:ab12-svc/ann vps:apisvc:get urn:v1:eu:resource:vps:a --format verdict --no-config'
const can = (before: string, from: string) => {
  const line = `${before} ${process.execPath} ${binary} can ${asked} -p ${from}`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', line], { cwd: work, encoding: 'utf8', timeout: 60_000 })
  return { stdout, stderr, status }
}
const allowed = { stdout: 'allow\n', stderr: '', status: 0 }

test('a named pipe that nothing writes to is refused', () => {
  const message =
    'grantwise: pipe: a named pipe, and nothing writes to it\ngrantwise: nothing is decided over policies that were not fully read and understood\n'
  expect(can('', 'pipe')).toEqual({ stdout: '', stderr: message, status: 2 })
  expect(can('', 'p.json -p pipe')).toEqual({ stdout: '', stderr: message, status: 2 })
})

test.each([
  ['a named pipe', 'cat p.json > pipe &', 'pipe'],
  ['a named pipe that is written slowly', '(head -c 100 small.json; sleep 0.3; tail -c +101 small.json) > pipe &', 'pipe'],
  ['a named pipe that is written later', '(sleep 0.8; cat small.json > pipe) &', 'pipe'],
  ['a command', '', '<(cat p.json)'],
  ['a command that takes long', '', '<(sleep 2.5; cat small.json)'],
  ['standard input', 'cat p.json |', '/dev/stdin'],
  ['standard input as `-`', 'cat p.json |', '-'],
])('%s is read', (_, before, from) => {
  expect(can(before, from)).toEqual(allowed)
})
