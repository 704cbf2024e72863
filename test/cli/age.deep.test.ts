import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageData } from '../../src/page/data.ts'
import { mainIn } from '../support/in-process.ts'

/** `lint --age`: the commit since which the access exists that a finding is about. */

const folder = mkdtempSync(join(tmpdir(), 'age-'))
const commits: string[] = []
const git = (args: readonly string[], cwd = folder) =>
  execFileSync('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, GIT_AUTHOR_DATE: '2026-03-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-03-01T00:00:00Z' },
  }).trim()
const user = (name: string) => `urn:v1:eu:identity:user:ab12-svc/${name}`
const policy = (name: string, identities: readonly string[], allow: readonly string[], deny: readonly string[] = []) => ({
  name,
  identities: identities.map(user),
  resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
  permissions: { allow: allow.map((action) => ({ action })), deny: deny.map((action) => ({ action })) },
})
const write = (...policies: readonly object[]) => writeFileSync(join(folder, 'iam/a.json'), JSON.stringify(policies, null, 1))
const rebuild = 'vps:apisvc:rebuild'
const guard = policy('guard', ['*'], [], [rebuild])

beforeAll(() => {
  git(['init', '--quiet', '--initial-branch=main'])
  mkdirSync(join(folder, 'iam'))
  writeFileSync(join(folder, '.grantwise.yaml'), 'extends: strict\npolicies: [iam]\n')
  for (const policies of [
    [policy('ops', ['ann'], [rebuild])],
    [policy('ops', ['ann'], [rebuild]), guard],
    [policy('ops', ['ann'], [rebuild]), policy('more', ['ann'], ['vps:apisvc:setPassword'])],
    [policy('renamed', ['ann'], [rebuild]), policy('more', ['ann'], ['vps:apisvc:setPassword'])],
  ]) {
    write(...policies)
    git(['add', '--all'])
    git(['commit', '--quiet', '--message', `state ${commits.length} (#${commits.length})`])
    commits.push(git(['rev-parse', 'HEAD']))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const only = ['--only', 'unbounded-destruction,grants-credentials,individual-user,unknown-action']
const jsonOf = async (...args: readonly string[]) => JSON.parse((await mainIn(['lint', '--age', ...only, ...args], folder)).stdout)

test('is that of the commit that removed the deny, or added the entry: a new name makes no difference', async () => {
  const { findings } = await jsonOf('--format', 'json')
  const ages = findings.map(({ code, since }: { code: string; since: { kind: string; commit: { id: string } } }) => [
    code,
    since.kind,
    since.commit.id,
  ])
  const removed = commits[2]
  expect(ages).toEqual([
    ['individual-user', 'since', removed],
    ['unbounded-destruction', 'since', removed],
    ['individual-user', 'since', removed],
    ['grants-credentials', 'since', removed],
  ])
})

test('is a property of a result in SARIF, and a line in text', async () => {
  const [run] = (await jsonOf('--format', 'sarif')).runs
  expect(run.results[0].properties.since).toMatchObject({ kind: 'since', commit: { author: 'ada', request: '#2' }, unread: [] })
  const { stdout } = await mainIn(['lint', '--age', ...only, '--format', 'pretty'], folder)
  expect(stdout).toContain('= age: access since ')
  expect(stdout).toContain('(ada, 2026-03-01, #2)')
})

test('is on the page of `report --blame`', async () => {
  const { stdout } = await mainIn(['report', '--blame', '-o', '-'], folder)
  const [, text = ''] = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(stdout) ?? []
  const { findings } = JSON.parse(text) as PageData
  expect(findings.find(({ code }) => code === 'unbounded-destruction')?.since).toMatch(/^access since \w+ \(ada, 2026-03-01, #2\)$/)
  expect(findings.every(({ since }) => since === undefined || since.startsWith('access since'))).toBe(true)
})

test('is none of what is not committed, and of findings that are not about access', async () => {
  write(policy('renamed', ['ann', 'bob'], [rebuild]), policy('typo', ['ann'], ['vps:apisvc:rebot']))
  const { findings } = await jsonOf('--format', 'json')
  const found = new Map(findings.map((each: { code: string }) => [each.code, each]))
  expect(found.get('unbounded-destruction')).toMatchObject({ since: { kind: 'uncommitted', commit: null } })
  expect(found.get('unknown-action')).not.toHaveProperty('since')
})

test('where the policies are not understood none is given, and where there is no past the option is refused', async () => {
  writeFileSync(join(folder, 'iam/b.json'), JSON.stringify({ ...guard, identites: [] }))
  const { stdout, stderr, exit } = await mainIn(['lint', '--age', ...only, '--format', 'json'], folder)
  expect(exit).toBe(1)
  expect(stderr).toContain('no age is known of access under policies that were not fully read and understood')
  expect(JSON.parse(stdout).findings.every((each: object) => !('since' in each))).toBe(true)
  rmSync(join(folder, 'iam/b.json'))
  const clone = join(folder, 'clone')
  git(['clone', '--quiet', '--depth', '1', `file://${folder}`, clone])
  const shallow = await mainIn(['lint', '--age'], clone)
  expect([shallow.exit, shallow.stdout]).toEqual([2, ''])
  expect(shallow.stderr).toContain('shallow')
  expect((await mainIn(['lint', '--age', '-'], folder)).exit).toBe(2)
})
