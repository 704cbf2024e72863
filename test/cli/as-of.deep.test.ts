import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mainIn } from '../support/in-process.ts'

/** `--as-of`: the answers of an earlier commit, at its time. */

const folder = mkdtempSync(join(tmpdir(), 'as-of-'))
const git = (args: readonly string[], date = '2026-01-01T00:00:00Z') =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  }).trim()

const ann = 'urn:v1:eu:identity:user:ab12-svc/ann'
const question = [ann, 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:a']
const policy = (action: string, more: object = {}) =>
  JSON.stringify({
    name: 'p',
    identities: [ann],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action }] },
    ...more,
  })
const expires = { expiredAt: '2026-05-01T12:00:00Z' }
/** Dates of commits, of which one goes back, with the text of the policy. */
const commits = [
  ['2026-02-01T23:30:00-05:00', policy('vps:apisvc:get')],
  ['2026-03-01T10:00:00Z', policy('vps:*')],
  ['2026-02-15T10:00:00Z', policy('vps:apisvc:reboot', expires)],
  ['2026-06-01T10:00:00Z', policy('ip:*')],
] as const
const ids: string[] = []

beforeAll(() => {
  git(['init', '--quiet', '--initial-branch=main'])
  for (const [date, text] of commits) {
    writeFileSync(join(folder, 'p.json'), text)
    git(['add', '.'])
    git(['commit', '--quiet', '--message', `at ${date}`], date)
    ids.push(git(['rev-parse', 'HEAD']))
  }
  // A branch that was merged does not count: the main line had the policy only since the merge.
  git(['switch', '--quiet', '--create', 'side', ids[2] as string])
  writeFileSync(join(folder, 'p.json'), policy('*'))
  git(['commit', '--quiet', '--all', '--message', 'side'], '2026-06-10T00:00:00Z')
  git(['switch', '--quiet', 'main'])
  git(['merge', '--quiet', '--strategy=ours', '--message', 'merge', 'side'], '2026-06-20T00:00:00Z')
  ids.push(git(['rev-parse', 'HEAD']))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (args: readonly string[], cwd = folder) => mainIn([...args, '--no-config'], cwd)
const ofPast = (at: string, ...more: readonly string[]) => run(['can', ...question, '--as-of', at, '--format', 'json', ...more])

test.each([
  ['2026-02-02T04:30:00Z', 0, '2026-02-02T04:30:00Z'],
  ['2026-02-28', 2, '2026-02-28T23:59:59.999Z'],
  ['2026-03-01T11:00:00Z', 2, '2026-03-01T11:00:00Z'],
  ['2026-05-01', 2, '2026-05-01T23:59:59.999Z'],
  ['2026-06-15', 3, '2026-06-15T23:59:59.999Z'],
  ['2026-06-20', 4, '2026-06-20T23:59:59.999Z'],
] as const)('as of %s: what commit %s gives at that time', async (date, index, at) => {
  const id = ids[index] as string
  for (const paths of [['p.json'], ['.'], []]) {
    const past = await ofPast(date, ...paths.flatMap((path) => ['-p', path]))
    const same = paths.length === 0 ? [`git:${id}`] : paths.map((path) => `git:${id}:${path}`)
    const then = await run(['can', ...question, '--at', at, '--format', 'json', ...same.flatMap((path) => ['-p', path])])
    expect([past.exit, past.stdout]).toEqual([then.exit, then.stdout])
    expect(past.stderr).toContain(`commit ${id.slice(0, 7)}`)
  }
})

test('as of a time on another branch, and for other questions', async () => {
  const side = await ofPast('2026-06-15', '-p', 'git:side')
  expect([side.exit, JSON.parse(side.stdout).verdict]).toEqual([0, 'allow'])
  for (const command of [
    ['who', 'vps:apisvc:reboot', 'urn:v1:eu:resource:vps:a'],
    ['what', ann],
  ]) {
    const past = await run([...command, '--as-of', '2026-03-01', '--format', 'json', '-p', 'p.json'])
    const then = await run([...command, '--at', '2026-03-01T23:59:59.999Z', '--format', 'json', '-p', `git:${ids[2]}:p.json`])
    expect([past.exit, past.stdout]).toEqual([then.exit, then.stdout])
  }
})

test('the configuration is the one of that commit', async () => {
  const repository = mkdtempSync(join(tmpdir(), 'as-of-renamed-'))
  const own = (args: readonly string[], date = '2026-01-01T00:00:00Z') =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: repository,
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    })
  own(['init', '--quiet', '--initial-branch=main'])
  mkdirSync(join(repository, 'iam'))
  writeFileSync(join(repository, 'iam', 'p.json'), policy('vps:*'))
  writeFileSync(join(repository, 'broken.json'), '{ "identities": ["urn:v1:eu:identity:user:ab12-svc/ann"')
  writeFileSync(join(repository, '.grantwise.yaml'), 'policies: [iam]\n')
  own(['add', '.'])
  own(['commit', '--quiet', '--message', 'one'], '2026-02-01T00:00:00Z')
  own(['mv', 'iam', 'policies'])
  writeFileSync(join(repository, '.grantwise.yaml'), 'policies: [policies]\n')
  own(['commit', '--quiet', '--all', '--message', 'two'], '2026-03-01T00:00:00Z')
  for (const day of ['2026-02-15', '2026-03-15']) {
    const past = await mainIn(['can', ...question, '--as-of', day, '--format', 'json'], repository)
    expect([past.exit, JSON.parse(past.stdout).verdict]).toEqual([0, 'allow'])
  }
  // A configuration that is named is the one on the disk.
  const named = await mainIn(['can', ...question, '--as-of', '2026-02-15', '--config', '.grantwise.yaml'], repository)
  expect(named).toMatchObject({ exit: 2, stderr: expect.stringContaining('no file to read') })
  rmSync(repository, { recursive: true })
})

test.each([
  [['2026-01-31'], 'no commit of `HEAD` here is that old: the first is of 2026-02-01T23:30:00-05:00'],
  [['2999-01-01'], 'is in the future'],
  [['2026-02-30'], '`2026-02-30`'],
  [['yesterday'], '`yesterday` is not a date and time'],
  [['2026-03-01T10:00:00'], '`2026-03-01T10:00:00`'],
  [['2026-03-01', '--at', '2026-03-01T00:00:00Z'], '`--as-of` and `--at` both give a time'],
  [['2026-03-01', '-p', '-'], 'standard input has no past'],
  [['2026-03-01', '-p', 'git:main', '-p', 'git:side'], '`main` and `side` are two branches'],
  [['2026-03-01', '-p', 'git:main', '-p', 'git:main:p.json'], 'with a path and without one'],
  [['2026-03-01', '-p', 'git:none'], 'git:none: no such commit'],
] as const)('refused: --as-of %j', async ([date, ...more], reason) => {
  const { exit, stdout, stderr } = await ofPast(date, ...more)
  expect({ exit, stdout, stderr }).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(reason) })
})

test('the encoding in which a user reads the log changes nothing', async () => {
  const { exit, stdout, stderr } = await ofPast('2026-03-01', '-p', 'p.json')
  git(['config', 'i18n.logOutputEncoding', 'UTF-16'])
  const again = await ofPast('2026-03-01', '-p', 'p.json')
  git(['config', '--unset', 'i18n.logOutputEncoding'])
  expect(again).toEqual({ exit, stdout, stderr })
  expect(exit).toBe(0)
})

test('as of a time on a detached HEAD: the line of that commit', async () => {
  git(['switch', '--quiet', '--detach', ids[2] as string])
  const past = await ofPast('2026-06-20', '-p', 'p.json')
  const early = await ofPast('2026-01-31')
  git(['switch', '--quiet', 'main'])
  expect(past).toEqual({ exit: 1, stdout: expect.any(String), stderr: expect.stringContaining(`commit ${ids[2]?.slice(0, 7)}`) })
  expect(early).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining('the first is of 2026-02-01T23:30:00-05:00') })
})

test('refused: a branch without commits, and a repository without any', async () => {
  git(['switch', '--quiet', '--orphan', 'new'])
  const unborn = await ofPast('2026-03-01')
  const other = await ofPast('2026-03-01', '-p', 'git:main')
  git(['switch', '--quiet', 'main'])
  const reason = (words: string) => ({ exit: 2, stdout: '', stderr: expect.stringContaining(words) })
  expect(unborn).toEqual(reason('the current branch `new` has no commits'))
  expect([other.exit, other.stderr]).toEqual([0, expect.stringContaining(`commit ${ids[2]?.slice(0, 7)}`)])
  const empty = mkdtempSync(join(tmpdir(), 'as-of-empty-'))
  execFileSync('git', ['init', '--quiet', empty])
  for (const path of ['.', 'git:main']) {
    const refused = await run(['can', ...question, '--as-of', '2026-03-01', '-p', path], empty)
    expect(refused).toEqual(reason('the repository has no commits'))
    expect(refused.stderr).not.toContain('shallow')
  }
  rmSync(empty, { recursive: true })
})

test('the first commit is that of the line of first parents, also where a merge brought an older history', async () => {
  git(['switch', '--quiet', '--orphan', 'older'])
  git(['commit', '--quiet', '--allow-empty', '--message', 'older'], '2025-01-01T00:00:00Z')
  git(['switch', '--quiet', '--create', 'joined', 'main'])
  git(['merge', '--quiet', '--allow-unrelated-histories', '--message', 'join', 'older'], '2026-07-01T00:00:00Z')
  const refused = await ofPast('2025-06-01', '-p', 'git:joined')
  git(['switch', '--quiet', 'main'])
  expect(refused).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining('the first is of 2026-02-01T23:30:00-05:00') })
})

describe('--since', () => {
  test.each(['2026-02-28', '2026-02-28T00:00:00Z', () => ids[0] as string, 'HEAD~3'])(
    '%s: what the commit is compared with',
    async (given) => {
      const since = typeof given === 'string' ? given : given()
      const id = given === 'HEAD~3' ? git(['rev-parse', 'HEAD~3']) : ids[given === '2026-02-28' || since.startsWith('2026') ? 2 : 0]
      const now = ['--horizon', '2027-01-01T00:00:00Z', '--at', '2026-01-01T00:00:00Z', '--format', 'json']
      for (const args of [['p.json'], ['-p', 'p.json']]) {
        const past = await run(['diff', '--since', since, ...args, ...now])
        const same = await run(['diff', `git:${id}:p.json`, 'p.json', ...now])
        expect([past.exit, past.stdout]).toEqual([same.exit, same.stdout])
        expect(JSON.parse(past.stdout).verdict).toBe('changed')
      }
    },
  )

  test('a report with the access gained and lost since then', async () => {
    const past = await run(['report', '--since', '2026-02-28', '-p', 'p.json', '-o', '-'])
    const same = await run(['report', '--before', `git:${ids[2]}:p.json`, '-p', 'p.json', '-o', '-'])
    expect(past.exit).toBe(0)
    // A commit has a past, which a folder has not.
    const about = (page: string) => {
      const [, text = ''] = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(page) ?? []
      const named = text.replaceAll(`git:${ids[2]}:p.json`, '2026-02-28').replace(/"(from|made|now)":(?:"[^"]*"|\d+)/g, '"$1":0')
      const { growth, past: drawn, ...data } = JSON.parse(named)
      return { data, has: [growth !== undefined, drawn !== undefined] }
    }
    expect(about(past.stdout)).toEqual({ ...about(same.stdout), has: [true, true] })
  })

  test.each([
    [['diff', '--since', '2999-01-01'], 'is in the future'],
    [['diff', '--since', '2026-01-31'], 'no commit of `HEAD` here is that old'],
    [['diff', '--since', '1969-12-31'], 'no commit of `HEAD` here is that old'],
    [['can', ...question, '-p', 'p.json', '--as-of', '1969-12-31T23:59:59Z'], 'no commit of `HEAD` here is that old'],
    [['diff', '--since', '2026-02-30'], '--since `2026-02-30` is no date, and no commit has this name'],
    [['diff', '--since', 'none'], '--since `none`: no such commit'],
    [['diff', '--since', 'main', 'a', 'b'], '`diff --since` takes one set of policies'],
    [['diff', '--since', 'main', 'a', '-p', 'b'], '`diff --since` takes one set of policies'],
    [['diff', '--since', 'main', '--at', '2026-01-01T00:00:00Z', '--at', '2026-02-01T00:00:00Z'], 'cannot be combined'],
    [['report', '--since', 'main', '--before', 'main'], '`--before` and `--since` both name an earlier state'],
  ] as const)('refused: %j', async (args, reason) => {
    expect(await run(args)).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining(reason) })
  })
})

test('a shallow clone without the commit is refused with the command that fetches it, and so is a folder without a repository', async () => {
  const clone = mkdtempSync(join(tmpdir(), 'as-of-clone-'))
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${folder}`, clone])
  const asked = ['can', ...question, '--as-of', '2026-03-01', '-p', '.']
  const { exit, stderr } = await run(asked, clone)
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/the first is of 2026-06-20T00:00:00(?:Z|\+00:00).*git fetch --unshallow/s)])
  // A report compares what is there, and says that it has no past to show.
  execFileSync('git', ['fetch', '--quiet', '--depth', '2'], { cwd: clone })
  const report = await run(['report', '--since', 'HEAD~1', '-p', 'p.json', '-o', '-'], clone)
  expect([report.exit, report.stdout.includes('the past since then is not shown: the clone is shallow')]).toEqual([0, true])
  rmSync(join(clone, '.git'), { recursive: true })
  expect(await run(asked, clone)).toEqual({ exit: 2, stdout: '', stderr: expect.stringContaining('not a git repository') })
  rmSync(clone, { recursive: true })
})
