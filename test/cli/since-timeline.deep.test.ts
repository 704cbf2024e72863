import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { instantsOf } from '../../src/history/past.ts'
import { ioIn } from '../support/in-process.ts'

/** `timeline --since`: what is printed, and what is refused. That it is right is in since-laws.test.ts. */

const folder = mkdtempSync(join(tmpdir(), 'since-'))
const git = (args: readonly string[], date = '2026-01-01T00:00:00Z') =>
  execFileSync('git', ['-c', 'user.name=carol', '-c', 'user.email=carol@example.org', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  }).trim()

const policy = (name: string, action: string, more: object = {}) =>
  JSON.stringify({
    name,
    identities: ['urn:v1:eu:identity:user:ab12-svc/kim'],
    resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
    permissions: { allow: [{ action }] },
    ...more,
  })
const hours = {
  conditions: {
    operator: 'AND',
    conditions: [
      { operator: 'MATCH', values: { 'date(UTC).Hour.GE': '8' } },
      { operator: 'MATCH', values: { 'date(UTC).Hour.LT': '18' } },
    ],
  },
}
const ids: string[] = []

function commit(files: Readonly<Record<string, string>>, subject: string, date: string): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  git(['add', '--all'])
  git(['commit', '--quiet', '--allow-empty', '--message', subject], date)
  return git(['rev-parse', 'HEAD'])
}

beforeAll(() => {
  git(['init', '--quiet', '--initial-branch=main'])
  ids.push(
    commit({ 'hours.json': policy('hours', 'vps:apisvc:get', hours) }, 'start', '2026-02-01T00:00:00Z'),
    commit(
      { 'help.json': policy('help', 'vps:apisvc:reboot', { expiredAt: '2026-02-20T12:00:00Z' }) },
      'Help out (#8)',
      '2026-02-10T10:00:00Z',
    ),
    commit({ 'more.json': policy('more', 'vps:apisvc:terminate') }, 'Open more (#9)', '2026-02-15T00:00:00Z'),
    commit({ 'more.json': policy('more', 'vps:apisvc:rebuild') }, 'Exchange (#10)', '2026-03-01T10:00:00Z'),
  )
  // A merge is one commit of the branch, and those of the other branch are none.
  git(['switch', '--quiet', '--create', 'side'])
  ids.push(commit({ 'side.json': policy('side', 'vps:apisvc:reinstall') }, 'on the side', '2026-03-02T00:00:00Z'))
  git(['switch', '--quiet', 'main'])
  git(['merge', '--quiet', '--no-ff', '--message', 'Merge pull request #11 from acme/side', 'side'], '2026-03-03T10:00:00Z')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const now = Date.parse('2026-03-10T09:00:00Z')
async function run(args: readonly string[], more: { readonly budget?: number } = {}) {
  const { io, out } = ioIn(folder, { NO_COLOR: '1' })
  const exit = await main(['timeline', '-p', '.', '--within', '10d', ...args], { ...io, now: () => now, ...more })
  return { exit, ...out }
}
const asJson = async (args: readonly string[]) => {
  const { exit, stdout } = await run([...args, '--format', 'json'])
  return { exit, past: JSON.parse(stdout).past }
}

test('commits and times in one list, in their order, a window over commits as one', async () => {
  const { exit, stdout } = await run(['--since', '2026-02-05'])
  expect(exit).toBe(0)
  const headings = stdout.split('\n').filter((line) => /^\S/.test(line) && !/^(?:access|shortened)/.test(line))
  expect(headings).toEqual([
    expect.stringMatching(/^between Tue 2026-03-10 09:00 UTC and /),
    expect.stringMatching(
      /^since [0-9a-f]{7} \(carol, 2026-02-01\): 4 of 4 commits open or close access; time opens it 33 times and closes it 33 times$/,
    ),
    'daily 08:00–18:00 UTC, 33 times from Fri 2026-02-06 08:00 to Tue 2026-03-10 08:00  open',
    expect.stringMatching(/^Tue 2026-02-10 10:00 UTC {2}commit [0-9a-f]{7} {2}carol, #8 {2}Help out \(#8\)$/),
    expect.stringMatching(/^Sun 2026-02-15 00:00 UTC {2}commit [0-9a-f]{7} {2}carol, #9 /),
    'after Fri 2026-02-20 12:00 UTC  closes',
    expect.stringMatching(/^Sun 2026-03-01 10:00 UTC {2}commit [0-9a-f]{7} {2}carol, #10 /),
    expect.stringMatching(/^Tue 2026-03-03 10:00 UTC {2}commit [0-9a-f]{7} {2}carol, #11 /),
    expect.stringMatching(/^daily 08:00–18:00 UTC, 10 times from Wed 2026-03-11 08:00 to /),
  ])
})

test.each(['compact', 'markdown', 'json', 'svg'])('%s has the commits as well', async (format) => {
  const { exit, stdout } = await run(['--since', ids[0] as string, '--format', format])
  expect(exit).toBe(0)
  if (format === 'svg') {
    const labels = [...stdout.matchAll(/<text class="note"[^>]*>([+-]+ [0-9a-f]{7}|now)<\/text>/g)].map(([, label]) => label)
    expect(labels.map((label) => label?.replace(/[0-9a-f]{7}/, 'id'))).toEqual(expect.arrayContaining(['+ id', '+- id', 'now']))
    expect(stdout.match(/class="mark"/g)).toHaveLength(5)
    expect(stdout).toContain('Exchange (#10)')
  } else expect(stdout).toContain(format === 'json' ? 'Exchange (#10)' : '2026-03-01 10:00')
})

test('one identity, and only expiries', async () => {
  const kim = await asJson(['--since', '2026-02-05', '--identity', 'user/kim'])
  expect([kim.past.changes.length > 5, kim.past.complete]).toEqual([true, true])
  const expiries = await asJson(['--since', '2026-02-05', '--only', 'expiry'])
  expect(expiries.past.changes.map(({ kind }: { readonly kind: string }) => kind)).toEqual(['commit', 'commit', 'time', 'commit', 'commit'])
})

test('files that are not committed are noted', async () => {
  expect((await asJson(['--since', '2026-02-05'])).past.edited).toBe(false)
  writeFileSync(join(folder, 'new.json'), policy('new', 'vps:apisvc:openConsoleAccess'))
  const { stdout } = await run(['--since', '2026-02-05'])
  rmSync(join(folder, 'new.json'))
  expect(stdout).toContain('note: the last commit grants other access than what is read now: `grantwise diff --since HEAD` shows it')
})

test('with a small budget, a note says up to where it was looked at, and the exit code is 3', async () => {
  const { exit, stdout } = await run(['--since', '2026-02-05', '--only', 'expiry'], { budget: 400 })
  expect(exit).toBe(3)
  expect(stdout).toMatch(/not all was looked at: no commit after [0-9a-f]{7} .*; a later `--since`, or `--identity`, narrows it/)
  // The count claims nothing about the commits after it.
  expect(stdout).toMatch(/: at least \d of 4 commits opens? (?:or closes )?(?:or close )?access, [1-4] not looked at/)
})

test('a commit that cannot be read: named, and the exit code is 3', async () => {
  git(['switch', '--quiet', '--create', 'broken'])
  const broken = commit({ 'bad.json': policy('bad', 'vps:*').replace('identities', 'identites') }, 'broken', '2026-03-04T00:00:00Z')
  rmSync(join(folder, 'bad.json'))
  commit({}, 'repaired', '2026-03-05T00:00:00Z')
  const { exit, past } = await asJson(['--since', '2026-02-05'])
  const { stdout } = await run(['--since', '2026-02-05'])
  commit({ 'other.json': policy('other', 'vps:apisvc:start') }, 'another', '2026-03-06T00:00:00Z')
  const ended = commit({ 'bad.json': policy('bad', 'vps:*').replace('identities', 'identites') }, 'broken again', '2026-03-07T00:00:00Z')
  rmSync(join(folder, 'bad.json'))
  commit({ 'late.json': policy('late', 'vps:apisvc:stop') }, 'repaired again', '2026-03-08T00:00:00Z')
  const compact = await run(['--since', '2026-02-05', '--format', 'compact'])
  git(['switch', '--quiet', 'main'])
  expect([exit, past.complete, past.gaps.map(({ unread: [first] }: { unread: { id: string }[] }) => first?.id)]).toEqual([
    3,
    false,
    [broken],
  ])
  expect(stdout).toContain('1 commit that cannot be read')
  expect(stdout).toMatch(/: at least 4 of 6 commits open or close access, 1 cannot be read; time opens/)
  // One line for each remark, which is said once.
  expect(compact.stdout.split('\n').filter((line) => line.includes('cannot be read'))).toEqual([
    expect.stringMatching(
      new RegExp(`^Sun 2026-03-08 00:00 UTC · unread · or by 1 commit that cannot be read, ${ended.slice(0, 7)}: [^·]*$`),
    ),
  ])
})

describe('refused with exit code 2', () => {
  test.each([
    [['--since', '2026-02-05', '--from', '2026-02-06T00:00:00Z'], 'both give the start'],
    [['--since', '2026-02-05', '--policy', 'help'], '`--since` and `--policy` cannot be combined'],
    [['--since', '2999-01-01'], 'is in the future'],
    [['--since', 'none'], 'no such commit'],
  ] as const)('%j', async (args, words) => {
    expect(await run(args)).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining(words) })
  })

  test('a commit of a branch that was merged, with the date to name instead', async () => {
    const { exit, stderr } = await run(['--since', ids[4] as string])
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('name its date, for what `HEAD` had then: `--since 2026-03-02T00:00:00.000Z`'),
    ])
  })
})

test('commits whose dates go back count from the earliest of the later ones on, as for `--as-of`', () => {
  expect(instantsOf([10, 30, 20, 40], 5, 100)).toEqual([10, 20, 20, 40])
  expect(instantsOf([10, 30, 20, 400], 15, 100)).toEqual([15, 20, 20, 100])
})
