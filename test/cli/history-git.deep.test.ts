import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

/** `history` and `blame` in repositories that are unusual in what git permits: names, dates, and what a clone has. */

const folders: string[] = []
afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })))

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'history-git-'))
  folders.push(folder)
  return folder
}

const kim = 'urn:v1:eu:identity:user:ab12-svc/kim'
const policy = (name: string, list: 'allow' | 'deny', action: string) =>
  JSON.stringify({
    name,
    identities: [kim],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { [list]: [{ action }] },
  })
const question = ['history', kim, 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:a']
const [allowed, denied, unrelated] = [policy('p', 'allow', 'vps:*'), policy('q', 'deny', 'vps:apisvc:re*'), policy('z', 'deny', 'ip:*')]

/** A repository with commits of files by their paths, which are written as Latin-1: file systems do not permit each name. */
function repository(commits: readonly Readonly<Record<string, string>>[]) {
  const folder = newFolder()
  const git = (args: readonly string[], input: string | Buffer = '') =>
    execFileSync('git', args, { cwd: folder, input, encoding: 'utf8' }).trim()
  git(['init', '--quiet', '--initial-branch=main'])
  const commit = (files: Readonly<Record<string, string>>, person = 'a <a@example.org> 1767225600 +0000') => {
    git(['read-tree', '--empty'])
    const lines = Object.entries(files).map(([path, text]) => `100644 ${git(['hash-object', '-w', '--stdin'], text)}\t${path}\0`)
    git(['update-index', '-z', '--index-info'], Buffer.from(lines.join(''), 'latin1'))
    const parent = git(['for-each-ref', '--format=parent %(objectname)', 'refs/heads/main'])
    const header = [`tree ${git(['write-tree'])}`, ...(parent === '' ? [] : [parent]), `author ${person}`, `committer ${person}`]
    const id = git(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], `${header.join('\n')}\n\nchange\n`)
    git(['update-ref', 'refs/heads/main', id])
    return id
  }
  for (const files of commits) commit(files)
  return { folder, git, commit }
}

test('names that are not UTF-8: commits that hold such policies cannot be read, as in a checkout', async () => {
  const { folder } = repository([
    { 'p.json': allowed },
    { 'p.json': allowed, 'caf\xe9.json': denied },
    { 'p.json': allowed, 'caf\xe9.json': denied, 'caf\xe8.json': unrelated },
    { 'p.json': allowed, 'caf\xe9.json': denied },
    { 'p.json': allowed, 'caf\xe9.txt': denied },
  ])
  const { exit, stdout } = await mainIn([...question, '--format', 'json'], folder)
  const { changes, gaps } = JSON.parse(stdout)
  expect([exit, changes.length, gaps.length, gaps[0].unread.length]).toEqual([3, 1, 1, 3])
  expect(gaps[0].unread[0].why).toContain('the name is not UTF-8')
})

test('both of two such names count where a commit is read by itself', async () => {
  const { folder } = repository([{ 'p.json': allowed, 'caf\xe8.json': unrelated, 'caf\xe9.json': denied }])
  const asked = ['can', ...question.slice(1), '--format', 'json']
  const { exit, stdout } = await mainIn([...asked, '-p', 'git:HEAD'], folder)
  expect([exit, JSON.parse(stdout).verdict]).toEqual([1, 'deny'])
})

test('a path that no commit holds is refused, also next to one that is there', async () => {
  const { folder } = repository([{ 'p.json': allowed, 'old.json': denied }, { 'p.json': allowed }])
  for (const command of [question, ['blame', 'p.json']]) {
    expect((await mainIn([...command, '-p', '*.json', '-p', 'old.json'], folder)).exit).toBe(0)
    for (const path of ['nothing.json', 'none*', 'git:main:nothing'])
      expect(await mainIn([...command, '-p', path.startsWith('git:') ? 'git:main:p.json' : 'p.json', '-p', path], folder)).toEqual({
        exit: 2,
        stdout: '',
        stderr: expect.stringContaining(`no commit holds a file at \`${path.replace('git:main:', '')}\``),
      })
  }
})

test('a commit without a readable date counts as one of 1970, as for git', async () => {
  const { folder, commit } = repository([{ 'p.json': allowed }])
  const id = commit({ 'p.json': allowed, 'q.json': denied }, '')
  for (const format of ['pretty', 'compact', 'markdown', 'json'])
    expect(await mainIn([...question, '--format', format], folder)).toMatchObject({ exit: 0, stderr: '' })
  const { stdout } = await mainIn([...question, '--format', 'json'], folder)
  expect(JSON.parse(stdout).changes[0].commit).toMatchObject({ id, date: '1970-01-01T00:00:00Z' })
})

test('no time that it was open is given where dates go back, or are in the future', async () => {
  const { folder, commit } = repository([])
  for (const [text, seconds] of [
    [allowed, 1_767_225_600],
    [denied, 1_577_836_800],
    [allowed, 4_000_000_000],
  ] as const)
    commit({ 'p.json': text }, `a <a@example.org> ${seconds} +0000`)
  const { stdout } = await mainIn(question, folder)
  expect(stdout.split('\n').filter((line) => line.startsWith('opened by'))).toHaveLength(2)
  expect(stdout).not.toContain('open for')
})

test('a last commit without policies is not one that cannot be read', async () => {
  const { folder } = repository([{ 'p.json': allowed }, { 'p.txt': '' }])
  const { exit, stdout } = await mainIn(question, folder)
  expect([exit, stdout.split('  ')[0]]).toEqual([0, 'NO POLICIES'])
})

test('claims: each once, and with exit code 3 where one is not decided', async () => {
  const config = {
    policies: ['p.json', 'w.json'],
    guardrails: [
      {
        code: 'org/a',
        message: 'none',
        never: { actions: 'vps:apisvc:reboot', identities: 'urn:v1:eu:identity:user:*', resources: 'urn:v1:eu:resource:vps:*' },
      },
    ],
  }
  const kept = { '.grantwise.yaml': JSON.stringify(config), 'p.json': allowed }
  const resourceOf = (env: string) => ({ resources: [{ urn: 'urn:v1:eu:resource:vps:a', tags: { env } }] })
  const { folder } = repository([kept, { ...kept, 'w.json': JSON.stringify(resourceOf('a')) }])
  const guardrail = ['--guardrail', 'org/a']
  const { exit, stdout, stderr } = await mainIn(['history', ...guardrail, ...guardrail, '--format', 'json'], folder)
  expect(stderr).toBe('')
  expect([exit, JSON.parse(stdout).changes.length, JSON.parse(stdout).changes[0].claims.length]).toEqual([0, 1, 1])
  const check = { name: 'n', identity: kim, action: 'vps:apisvc:reboot', resource: 'urn:v1:eu:resource:vps:a', expect: 'allow' }
  writeFileSync(join(folder, 't.iamtest.json'), JSON.stringify({ ...resourceOf('b'), tests: [check] }))
  const tested = await mainIn(['history', '--test', 't.iamtest.json'], folder)
  expect([tested.exit, tested.stdout.split('\n')[0]]).toEqual([3, 'history  n: not decided'])
})

test('blame of a file in the notation of branches names the option that takes it', async () => {
  const { folder } = repository([{ 'p.json': allowed }])
  const { exit, stderr } = await mainIn(['blame', 'git:main:p.json'], folder)
  expect([exit, stderr]).toEqual([2, expect.stringContaining('`-p git:BRANCH`')])
})

test('a partial clone is refused with the command that fetches the rest', async () => {
  const { folder, git } = repository([{ 'p.json': allowed }, { 'p.json': denied }])
  git(['config', 'uploadpack.allowFilter', 'true'])
  const clone = newFolder()
  execFileSync('git', ['clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${folder}`, clone])
  expect(await mainIn(question, clone)).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining('git fetch --refetch --no-filter') })
})
