import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'
import { cleanUp } from '../support/scenario.ts'

/** Reviews and git: decisions of an earlier commit must be in a later version, and grants exist since a commit. */

const folder = mkdtempSync(join(tmpdir(), 'grantwise-review-git-'))
afterAll(() => cleanUp(folder))
cpSync(fileURLToPath(new URL('../../examples/access-review', import.meta.url)), folder, { recursive: true })
const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=carol', '-c', 'user.email=carol@example.org', ...args], {
    cwd: folder,
    stdio: 'pipe',
    env: { ...process.env, GIT_AUTHOR_DATE: '2026-11-01T10:00:00Z', GIT_COMMITTER_DATE: '2026-11-01T10:00:00Z' },
  })
git('init', '--quiet', '--initial-branch=main')
git('add', '--all')
git('commit', '--quiet', '--message', 'Policies and their review')

const file = join(folder, 'review.yaml')
const committed = readFileSync(file, 'utf8')
const at = ['-p', 'policies', '--at', '2026-12-01T09:00:00Z']
const check = (...more: readonly string[]) => mainIn(['review', '--check', ...at, '--format', 'json', ...more], folder)

test('decisions that are added follow a commit, and a review that was begun again does not', async () => {
  writeFileSync(file, committed.replace('    decision:\n    by:\n', '    decision: keep\n    by: omar\n'))
  expect((await mainIn(['review', ...at], folder)).exit).toBe(0)
  const added = JSON.parse((await check('--follows', 'git:main')).stdout)
  expect([added.broken, added.decisions]).toEqual([[], 4])
  rmSync(file)
  expect((await mainIn(['review', ...at], folder)).exit).toBe(0)
  expect(JSON.parse((await check()).stdout).broken).toEqual([])
  const { exit, stdout } = await check('--follows', 'git:main')
  expect([exit, JSON.parse(stdout).broken.map(({ policy }: { policy: string }) => policy)]).toEqual([1, ['server operation']])
  writeFileSync(join(folder, 'earlier.yaml'), committed)
  expect(JSON.parse((await check('--follows', 'earlier.yaml')).stdout).broken).toHaveLength(1)
  writeFileSync(file, committed)
})

test('a commit without the review has no decision to follow, and a path that is not there is refused', async () => {
  writeFileSync(join(folder, 'new.yaml'), committed)
  const fresh = await mainIn(['review', '--check', 'new.yaml', ...at, '--format', 'json', '--follows', 'git:main'], folder)
  expect(fresh.stderr).toBe(
    'grantwise: note: no world file: people and resources are unknown\ngrantwise: note: --follows: git:main has no new.yaml: there is no decision to follow\n',
  )
  expect(JSON.parse(fresh.stdout).broken).toEqual([])
  for (const each of ['git:main:missing.yaml', 'missing.yaml', 'git:no-such-branch']) {
    const { exit, stdout, stderr } = await check('--follows', each)
    expect({ exit, stdout, isSaid: stderr.startsWith('grantwise: ') }).toEqual({ exit: 2, stdout: '', isSaid: true })
  }
  expect((await mainIn(['review', ...at, '--follows', 'git:main'], folder)).stderr).toContain('`--follows` requires `--check`')
})

test('with `--blame`, a grant exists since the commit that gave it', async () => {
  const { stdout } = await check('--blame')
  const since = (JSON.parse(stdout).grants as { since: string }[]).map((each) => each.since)
  expect(since).toHaveLength(4)
  for (const each of since) expect(each).toMatch(/^[0-9a-f]{7,} \(carol, 2026-11-01\)$/)
})

test('calls that are refused since a grant was removed are counted', async () => {
  const servers = join(folder, 'policies/servers.yaml')
  const text = readFileSync(servers, 'utf8')
  writeFileSync(servers, text.replace('    - urn:v1:eu:identity:user:ab12-svc/heidi\n', ''))
  const call = (day: string, isAllowed: boolean) =>
    JSON.stringify({
      identities: ['urn:v1:eu:identity:user:ab12-svc/heidi'],
      requested_actions: ['vps:apisvc:get'],
      [isAllowed ? 'authorized_actions' : 'unauthorized_actions']: ['vps:apisvc:get'],
      resource: 'urn:v1:eu:resource:vps:web-1',
      account: 'ab12-svc',
      timestamp: `${day}T08:00:00Z`,
      client_ip: '203.0.113.7',
    })
  writeFileSync(join(folder, 'log.ndjson'), `${call('2026-09-20', false)}\n${call('2026-09-21', false)}\n`)
  expect(JSON.parse((await check('--calls', 'log.ndjson')).stdout).missed).toEqual([
    { policy: 'server operation', identity: 'urn:v1:eu:identity:user:ab12-svc/heidi', date: '2026-09-15', refused: 2 },
  ])
  writeFileSync(join(folder, 'log.ndjson'), `${call('2026-09-10', false)}\n${call('2026-09-21', true)}\n`)
  expect(JSON.parse((await check('--calls', 'log.ndjson')).stdout).missed).toEqual([])
  writeFileSync(join(folder, 'log.ndjson'), `${call('2026-09-09', false)}\n${call('2026-09-10', false)}\n${call('2026-09-21', false)}\n`)
  expect(JSON.parse((await check('--calls', 'log.ndjson')).stdout).missed).toMatchObject([{ refused: 1 }])
  const { stdout } = await mainIn(['review', '--check', ...at, '--calls', 'calls.ndjson'], folder)
  expect(stdout).not.toContain('refused since')
  writeFileSync(servers, text)
})
