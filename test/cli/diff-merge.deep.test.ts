import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { failingGit } from '../support/failing-git.ts'
import { runProgram } from '../support/scenario.ts'

const policy = (effect: 'allow' | 'deny', ...actions: readonly string[]) =>
  [
    `name: ${effect} some`,
    'identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]',
    'resources: [{ urn: "urn:v1:eu:resource:vps:*" }]',
    'permissions:',
    `  ${effect}:`,
    ...actions.map((action) => `    - action: ${action}`),
    '',
  ].join('\n')
const [narrow, wide] = [policy('allow', 'vps:apisvc:get'), policy('allow', 'vps:apisvc:*')]
const guard = policy('deny', 'vps:apisvc:terminate')

const folders: string[] = []
afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })))

type Files = Readonly<Record<string, string | undefined>>

/** A repository with a branch for each state: `main`, and others made from it. */
function repository(main: Files, branches: Readonly<Record<string, Files>>, later: Files = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  folders.push(folder)
  const git = (...args: readonly string[]) => {
    const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false']
    const { status, stdout, stderr } = spawnSync('git', [...settings, ...args], { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  const commit = (files: Files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      if (text === undefined) rmSync(join(folder, name))
      else writeFileSync(join(folder, name), text)
    }
    git('add', '-A')
    git('commit', '-q', '--allow-empty', '-m', 'change')
  }
  git('init', '-qb', 'main')
  commit(main)
  for (const [name, files] of Object.entries(branches)) {
    git('switch', '-qc', name, 'main')
    commit(files)
  }
  git('switch', '-q', 'main')
  if (Object.keys(later).length > 0) commit(later)
  return { folder, git }
}

const env = { PATH: process.env.PATH ?? '' }
const merge = async (folder: string, ...args: readonly string[]) => {
  const { stdout, stderr, exit } = await runProgram(['diff', '--merge', '--no-config', '--format', 'json', ...args], folder, env)
  const answer = stdout === '' ? undefined : JSON.parse(stdout)
  const actions = answer?.merges.map(({ together }: { readonly together: readonly { readonly actions: readonly string[] }[] }) =>
    together.flatMap((region) => region.actions),
  )
  return { answer, actions, stderr, exit }
}

const main = { 'policies/a.yaml': narrow, 'policies/guard.yaml': guard }
const branches = { cleanup: { 'policies/a.yaml': wide }, retire: { 'policies/guard.yaml': undefined } }

describe('commits', () => {
  test('an allow under a deny that the other branch removes', async () => {
    const { folder, git } = repository(main, branches)
    const before = [git('count-objects'), git('status', '--porcelain'), readdirSync(folder).join()]
    const { answer, actions, exit } = await merge(folder, 'git:main', 'git:cleanup', 'git:retire')
    expect([exit, answer.verdict, actions]).toEqual([1, 'together', [['vps:apisvc:terminate']]])
    const causes = answer.merges[0].together[0].causes.map((cause: { file: string; line: number; change: string; by: string }) => [
      `${cause.file}:${cause.line}`,
      cause.change,
      cause.by,
    ])
    expect(causes).toEqual([
      ['policies/guard.yaml:6', 'removed', 'git:retire'],
      ['policies/a.yaml:6', 'added', 'git:cleanup'],
    ])
    // Nothing is written to the repository.
    expect([git('count-objects'), git('status', '--porcelain'), readdirSync(folder).join()]).toEqual(before)
  })

  test('nothing where a branch grants it alone, and the same with paths', async () => {
    const { folder } = repository(main, { ...branches, both: { 'policies/a.yaml': wide, 'policies/guard.yaml': undefined } })
    expect(await merge(folder, 'git:main', 'git:both', 'git:retire')).toMatchObject({ exit: 0, actions: [[]] })
    expect(await merge(folder, 'git:main:policies', 'git:cleanup:policies', 'git:retire:policies')).toMatchObject({ exit: 1 })
  })

  test('a branch that is behind counts as merged into what it is merged into', async () => {
    // The guard was removed from the main branch: the branch alone grants what it guarded.
    const { folder } = repository(main, { cleanup: branches.cleanup, other: { 'x.yaml': narrow } }, { 'policies/guard.yaml': undefined })
    expect(await merge(folder, 'git:main', 'git:cleanup', 'git:other')).toMatchObject({ exit: 0, actions: [[]] })
  })

  test('conflicts are named', async () => {
    const { folder } = repository(main, { ...branches, other: { 'policies/a.yaml': policy('allow', 'vps:apisvc:reboot') } })
    const { answer, exit } = await merge(folder, 'git:main', 'git:cleanup', 'git:other')
    expect([exit, answer.verdict, answer.merges[0].conflicts]).toEqual([2, 'conflict', ['policies/a.yaml']])
  })

  test('each two of a file of refs', async () => {
    const { folder } = repository(main, { ...branches, other: { 'policies/b.yaml': narrow } })
    writeFileSync(join(folder, 'refs.txt'), '# open branches\ncleanup\r\nretire\n\nother\n')
    const { answer, exit } = await merge(folder, 'git:main', '--refs', 'refs.txt')
    expect(exit).toBe(1)
    expect(answer.merges.map(({ sides, verdict }: { sides: readonly string[]; verdict: string }) => [...sides, verdict])).toEqual([
      ['git:cleanup', 'git:retire', 'together'],
      ['git:cleanup', 'git:other', 'none'],
      ['git:retire', 'git:other', 'none'],
    ])
  })

  test('paths with spaces and other letters', async () => {
    const named = { 'règles d’accès/a b.yaml': narrow, 'règles d’accès/guard.yaml': guard }
    const { folder } = repository(named, {
      cleanup: { 'règles d’accès/a b.yaml': wide },
      retire: { 'règles d’accès/guard.yaml': undefined },
    })
    const { answer, exit } = await merge(folder, 'git:main', 'git:cleanup', 'git:retire')
    expect([exit, answer.merges[0].together[0].causes.length]).toEqual([1, 2])
  })
})

test.each(['hash-object', 'update-index'])('a git that fails at %s is an error', async (command) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  folders.push(folder)
  for (const [name, text] of Object.entries({ base: narrow, one: wide, two: narrow })) writeFileSync(join(folder, `${name}.yaml`), text)
  const failing = { ...env, PATH: failingGit(folder, command, 128) }
  const { exit, stdout, stderr } = await runProgram(
    ['diff', '--merge', '--no-config', 'base.yaml', 'one.yaml', 'two.yaml'],
    folder,
    failing,
  )
  expect([exit, stdout, stderr]).toEqual([2, '', `grantwise: git ${command}: exit code 128\n`])
})

test('folders, and single files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  folders.push(folder)
  for (const [name, files] of Object.entries({ base: [narrow, guard], one: [wide, guard], two: [narrow] })) {
    mkdirSync(join(folder, name, 'inner'), { recursive: true })
    for (const [i, text] of files.entries()) writeFileSync(join(folder, name, i === 0 ? 'a.yaml' : 'inner/guard.yaml'), text)
    // Between the two there is a policy that no side edits.
    const [first = '', second = ''] = files
    writeFileSync(join(folder, `${name}.yaml`), [first, narrow.replace('ann', 'bob'), second].map((text) => `---\n${text}`).join(''))
  }
  const { answer, exit, actions } = await merge(folder, 'base', 'one', 'two')
  expect([exit, actions]).toEqual([1, [['vps:apisvc:terminate']]])
  expect(answer.merges[0].together[0].causes.map(({ file }: { file: string }) => file)).toEqual(['one/inner/guard.yaml', 'merged/a.yaml'])
  expect(await merge(folder, 'base.yaml', 'one.yaml', 'two.yaml')).toMatchObject({ exit: 1, actions: [['vps:apisvc:terminate']] })
  expect(await merge(folder, 'base', 'base', 'two')).toMatchObject({ exit: 0 })
})

test.each([
  [['git:main', 'git:cleanup'], 'takes three arguments'],
  [['git:main', 'policies', 'git:cleanup'], 'commits are merged with commits'],
  [['git:main:policies', 'git:cleanup', 'git:retire'], 'another path than'],
  [['git:main', 'git:none', 'git:retire'], 'no such commit'],
  [['git:main', 'git:cleanup', 'git:retire', '--identity', 'ann'], '`--identity` and `--merge` cannot be combined'],
  [['git:main', 'git:cleanup', 'git:retire', '--with', 'more.yaml'], '`--with` and `--merge` cannot be combined'],
  [['git:main', 'git:cleanup', 'git:retire', '--assume-tag', 'a=b=c'], '`--assume-tag` and `--merge` cannot be combined'],
  [['git:main', 'git:cleanup', 'git:retire', '--format', 'sarif'], 'has one output'],
  [['git:main', '--refs', 'none.txt'], 'none.txt: no such file'],
  [['-', 'policies', 'policies'], 'standard input cannot be merged'],
])('%j is refused', async (args, message) => {
  const { folder } = repository(main, branches)
  const { exit, stderr } = await merge(folder, ...args)
  expect([exit, stderr]).toEqual([2, expect.stringContaining(message)])
})

test('a git that cannot merge without a checkout', async () => {
  const { folder } = repository(main, branches)
  const old = { PATH: failingGit(folder, '--write-tree', 129) }
  const run = await runProgram(['diff', '--merge', '--no-config', 'git:main', 'git:cleanup', 'git:retire'], folder, old)
  expect([run.exit, run.stderr]).toEqual([2, expect.stringContaining('version 2.38 or newer')])
})
