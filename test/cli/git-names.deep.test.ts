import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runProgram } from '../support/scenario.ts'

/** Which commit a name stands for: what git resolves in silence, or with a warning that is not seen, is refused. */

const policy = (action: string) =>
  JSON.stringify({
    name: 'ops',
    identities: ['urn:v1:eu:identity:user:ab12-svc/ann'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action }] },
  })

let work: string
const git = (...args: string[]) => {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', '-c', 'init.defaultBranch=main']
  const { status, stdout, stderr } = spawnSync('git', [...settings, ...args], { cwd: work, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}
const commit = (action: string) => {
  writeFileSync(join(work, 'p/a.json'), policy(action))
  git('add', '.')
  git('commit', '-qm', action)
  return git('rev-parse', 'HEAD')
}
/** The output of `diff` for a commit and the last one. */
const diff = async (reference: string, env: Readonly<Record<string, string>> = {}) => {
  const { stdout, stderr, exit } = await runProgram(['diff', `git:${reference}:p`, 'git:HEAD:p'], work, {
    PATH: process.env.PATH ?? '',
    ...env,
  })
  return { says: `${stdout}${stderr}`, exit }
}

let [base, head] = ['', '']
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-'))
  mkdirSync(join(work, 'p'))
  git('init', '-q')
  base = commit('vps:apisvc:get')
  git('update-ref', 'refs/remotes/origin/main', base)
  git('remote', 'add', 'origin', 'https://example.org/x.git')
  git('checkout', '-q', '--detach')
  git('branch', '-qD', 'main')
  head = commit('vps:apisvc:reboot')
})
afterEach(() => rmSync(work, { recursive: true }))

const changed = { says: expect.stringContaining('vps:apisvc:reboot'), exit: 1 }
const refused = (...words: readonly string[]) => ({
  says: expect.stringMatching(new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('[^]*'))),
  exit: 2,
})

// covers: T26
describe('a name of several commits', () => {
  test('a branch of a remote, and what is made from it', async () => {
    for (const name of ['origin/main', 'origin/main~0', 'origin/main^{commit}', 'refs/remotes/origin/main', 'remotes/origin/main'])
      expect({ name, ...(await diff(name)) }).toEqual({ name, ...changed })
  })

  test.each(['refs/tags/origin/main', 'refs/heads/origin/main', 'refs/origin/main'])('%s is there as well', async (ref) => {
    git('update-ref', ref, head)
    const words = ['`origin/main` is ambiguous', ref < 'refs/remotes' ? ref : 'refs/remotes/origin/main', 'refs/heads/main']
    if (ref === 'refs/tags/origin/main') words.splice(1, 1)
    expect(await diff('origin/main')).toEqual(refused(...words))
    expect(await diff('origin/main~0')).toEqual(refused('`origin/main` is ambiguous'))
    expect(await diff('refs/remotes/origin/main')).toEqual(changed)
    const { stderr, exit } = await runProgram(['lint', '--since', 'origin/main'], work, { PATH: process.env.PATH ?? '' })
    expect({ says: stderr, exit }).toEqual(refused('--since `origin/main`: `origin/main` is ambiguous'))
    const report = await runProgram(['report', '--before', 'origin/main', 'p'], work, { PATH: process.env.PATH ?? '' })
    expect({ says: report.stderr, exit: report.exit }).toEqual(refused('`origin/main` is ambiguous'))
  })

  test('the same commit under several names is no question', async () => {
    git('tag', 'origin/main', base)
    expect(await diff('origin/main')).toEqual(changed)
    git('tag', '-af', '-m', 'a tag', 'origin/main', base)
    expect(await diff('origin/main')).toEqual(changed)
  })

  test.each(['refs/tags/origin/main', 'refs/heads/origin/main'])('the branch of the remote is not here, and %s is', async (ref) => {
    git('update-ref', '-d', 'refs/remotes/origin/main')
    git('update-ref', ref, head)
    expect(await diff('origin/main')).toEqual(refused('`origin/main` reads as `refs/remotes/origin/main`, which is not here', ref))
    expect(await diff(ref)).toEqual({ says: expect.stringContaining('the same access'), exit: 0 })
  })

  test('a tag of the name of a branch, here or on a remote', async () => {
    git('tag', 'main', head)
    expect(await diff('main')).toEqual(refused('`main` is ambiguous', 'refs/tags/main', 'refs/remotes/origin/main'))
    git('branch', 'main', base)
    expect(await diff('main')).toEqual(refused('`main` is ambiguous', 'refs/tags/main', 'refs/heads/main'))
    git('tag', '-d', 'main')
    expect(await diff('main')).toEqual(changed)
  })

  test('a tag whose name is the whole name of a branch', async () => {
    git('update-ref', 'refs/tags/refs/heads/main', head)
    expect(await diff('refs/heads/main')).toEqual(refused('git:refs/heads/main', 'refs/tags/refs/heads/main'))
    git('update-ref', 'refs/tags/heads/main', head)
    expect(await diff('heads/main')).toEqual(refused('`heads/main` reads as `refs/heads/main`'))
  })

  test('a branch or a tag that is called as the hash of a commit is', async () => {
    const short = base.slice(0, 8)
    expect(await diff(short)).toEqual(changed)
    git('update-ref', `refs/heads/${short}`, head)
    expect(await diff(short)).toEqual(refused(`\`${short}\` is ambiguous`, `refs/heads/${short}`, 'a commit whose hash begins so'))
    git('update-ref', `refs/tags/${base}`, head)
    expect(await diff(base)).toEqual(changed)
    git('update-ref', `refs/tags/v1-0-g${short}`, head)
    expect(await diff(`v1-0-g${short}`)).toEqual(refused('is ambiguous'))
  })

  test('HEAD is the commit that is checked out, whatever else is called so', async () => {
    git('update-ref', 'refs/tags/HEAD', base)
    expect(await diff('HEAD')).toEqual({ says: expect.stringContaining('the same access'), exit: 0 })
  })
})

describe('what git holds in the place of a commit', () => {
  test('a date before the reflog begins', async () => {
    expect(await diff('HEAD@{2001-02-03}')).toEqual(refused('git:HEAD@{2001-02-03}: the reflog only goes back to'))
    expect(await diff('@{5.years.ago}')).toEqual(refused('the reflog only goes back to'))
    expect(await diff('HEAD@{1}')).toEqual(changed)
    expect(await diff('HEAD@{99}')).toEqual(refused('no such commit'))
  })

  test('a replacement of a commit', async () => {
    git('replace', base, head)
    expect(await diff('origin/main')).toEqual(changed)
  })
})

test('the repository of a hook that is another one', async () => {
  const other = join(work, 'other')
  mkdirSync(other)
  git('init', '-q', other)
  expect(await diff('origin/main', { GIT_DIR: join(work, '.git') })).toEqual(changed)
  expect(await diff('origin/main', { GIT_DIR: join(other, '.git') })).toEqual(refused('GIT_DIR names', 'other/.git', 'unset GIT_DIR'))
})
