import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

/** `matrix --since`: what is printed, and what is refused. That it is right is in since-laws.test.ts. */

const folder = mkdtempSync(join(tmpdir(), 'since-'))
const git = (args: readonly string[], date = '2026-01-01T00:00:00Z') =>
  execFileSync('git', ['-c', 'user.name=carol', '-c', 'user.email=carol@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  }).trim()

const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const resource = (name: string) => `urn:v1:eu:resource:${name}`
const policy = (name: string, identity: string, on: string, ...actions: readonly string[]) => ({
  name,
  identities: [user(identity)],
  resources: [{ urn: resource(on) }],
  permissions: { allow: actions.map((action) => ({ action })) },
})
const world = (identities: readonly string[], resources: readonly string[]) => ({
  identities: identities.map((name) => ({ urn: user(name) })),
  resources: resources.map((name) => ({ urn: resource(name) })),
})

function commit(files: Readonly<Record<string, unknown>>, subject: string, date: string) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content, null, 1))
  git(['add', '--all'])
  git(['commit', '--quiet', '--allow-empty', '--message', subject], date)
}

beforeAll(() => {
  git(['init', '--quiet', '--initial-branch=main'])
  commit({}, 'nothing yet', '2026-01-01T00:00:00Z')
  git(['tag', 'empty'])
  const kim = policy('kim', 'kim', 'vps:*', 'vps:apisvc:get', 'vps:apisvc:reboot')
  const old = policy('old', 'old', 'dnsZone:*', 'dnsZone:apisvc:get')
  const lee = policy('lee', 'lee', 'vps:web-1', 'vps:apisvc:get')
  commit(
    { 'world.json': world(['kim', 'old', 'lee'], ['vps:web-1', 'dnsZone:acme.example']), 'p.json': [kim, old, lee] },
    'start (#7)',
    '2026-02-01T00:00:00Z',
  )
  git(['tag', 'v1'])
  commit(
    {
      'world.json': world(['kim', 'new', 'lee'], ['vps:web-1', 'domain:acme.example']),
      'p.json': [
        policy('kim', 'kim', 'vps:*', 'vps:apisvc:get', 'vps:apisvc:terminate'),
        policy('new', 'new', 'domain:*', 'domain:apisvc:get'),
        lee,
      ],
    },
    'change',
    '2026-03-01T00:00:00Z',
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (args: readonly string[]) => mainIn(['matrix', '-p', '.', ...args], folder)

test.each(['pretty', 'compact', 'csv', 'markdown', 'svg', 'html'])('%s marks additions and removals without colours', async (format) => {
  const { exit, stdout } = await run(['--since', 'v1', '--format', format])
  expect(exit).toBe(0)
  const cells = [...stdout.matchAll(/(?:none|read|write|all)(?: → (?:none|read|write|all))?(?: [+-]\d+)+/g)].map(([text]) => text)
  expect([...new Set(cells)].sort()).toEqual(['none → read +1', 'read → none -1', 'write +1 -1'])
  // Of lee nothing changed.
  expect(stdout).not.toMatch(/\blee\b/)
  expect((await run(['--since', 'v1', '--format', format, '--all'])).stdout).toMatch(/\blee\b/)
  expect(stdout).not.toContain('\u001b')
})

test('the headline names the commit and counts cells; identities and types of one side are there', async () => {
  const { stdout } = await run(['--since', '2026-02-15'])
  expect(stdout).toMatch(
    /^4 identities, 3 resource types, now or later\nsince [0-9a-f]{7} \(carol, 2026-02-01, #7\): 3 of 12 cells changed, access added in 2 \(\+\), removed in 2 \(-\)\n/,
  )
  for (const name of ['user/old', 'user/new', 'dnsZone', 'domain', 'vps']) expect(stdout).toContain(name)
  expect(stdout).toContain('not shown, since nothing changed: 1 identity')
})

test('one identity: the actions that were added and removed; also one that only the past describes', async () => {
  const kim = await run(['--since', 'v1', '--identity', 'user/kim'])
  expect(kim.stdout).toContain('    + vps:apisvc:terminate\n    - vps:apisvc:reboot\n')
  const old = await run(['--since', 'v1', '--identity', 'user/old', '--type', 'dnsZone'])
  expect(old.stdout).toMatch(/dnsZone {2}read → none -1\n {4}- dnsZone:apisvc:get\n/)
})

test('nothing changed, and everything did', async () => {
  const none = await run(['--since', 'HEAD'])
  expect([none.exit, none.stdout]).toEqual([0, expect.stringContaining(': 0 of 6 cells changed\n')])
  const all = await run(['--since', 'empty', '--format', 'json'])
  expect([all.exit, JSON.parse(all.stdout).since]).toEqual([0, expect.objectContaining({ cells: 6, changed: 3, gained: 3, lost: 0 })])
  // `diff` compares with a commit without policies as well.
  const diff = await mainIn(['diff', '--since', 'empty', '-p', '.'], folder)
  expect([diff.exit, diff.stderr]).toEqual([1, ''])
})

describe('refused with exit code 2', () => {
  test.each([
    [['--since', '2999-01-01'], 'is in the future'],
    [['--since', '2026-02-30'], '`2026-02-30` is no date'],
    [['--since', '2020-01-01'], 'no commit of `HEAD` here is that old'],
    [['--since', 'none'], 'no such commit'],
    [['--since', 'v1', '--with-tag', 'env=prod'], 'cannot be combined'],
    [['--since', 'v1', '-p', '-'], 'standard input has no past'],
    [['--since', 'v1', '--identity', 'user/none'], 'user/none'],
    [['--since', 'v1', '--type', 'ip'], 'no resource of this type is described'],
  ] as const)('%j', async (args, words) => {
    expect(await run(args)).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(words) })
  })
})
