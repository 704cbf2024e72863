import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { committedText, gitEnd } from '../../src/cli/input/git.ts'
import { ioIn } from '../support/in-process.ts'
import { runProgram } from '../support/scenario.ts'

const policy = (name: string, action: string) =>
  JSON.stringify({
    name,
    identities: [`urn:v1:eu:identity:user:ab12-svc/${name}`],
    resources: [{ urn: `urn:v1:eu:resource:vps:${name}` }],
    permissions: { allow: [{ action }] },
  })
const good = (name: string) => policy(name, 'vps:apisvc:reboot')
const typo = (name: string) => policy(name, 'vps:apisvc:rebooot')

let work: string
const put = (name: string, text: string) => {
  mkdirSync(dirname(join(work, name)), { recursive: true })
  writeFileSync(join(work, name), text)
}
const git = (...args: string[]) => {
  const settings = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', '-c', 'init.defaultBranch=main']
  const { status, stderr } = spawnSync('git', [...settings, ...args], { cwd: work, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
const env = { PATH: process.env.PATH ?? '' }
/** The files that have findings, and the exit code. */
const lint = async (args: readonly string[], cwd = work) => {
  const { stdout, stderr, exit } = await runProgram(['lint', '--format', 'json', ...args], cwd, env)
  const files = stdout === '' ? [] : (JSON.parse(stdout).findings as readonly { file: string }[]).map(({ file }) => file)
  return { files, stderr, exit }
}

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'grantwise-'))
})
afterEach(() => rmSync(work, { recursive: true }))

// No program takes such a name: git is not started, and nothing is thrown.
test('nothing is committed under a name that holds a NUL byte', () => {
  git('init', '-q')
  put('a.json', good('a'))
  git('add', '.')
  git('commit', '-qm', 'first')
  const { io } = ioIn(work, env)
  expect(committedText(join(work, 'a.json'), io)).toBe(good('a'))
  for (const name of ['a.json\0', '\0a.json', 'sub\0/a.json']) expect(committedText(join(work, name), io)).toBeUndefined()
})

describe('a git that', () => {
  const much = 'x'.repeat(2 ** 20)
  const end = (script: string, input = '') => {
    put('bin/git', `#!/bin/sh\n${script}\n`)
    chmodSync(join(work, 'bin/git'), 0o755)
    const { io } = ioIn(work, { PATH: `${join(work, 'bin')}:${env.PATH}` })
    const { stdout, stderr, status } = gitEnd(['status'], io, input)
    return [stdout.toString(), stderr.toString(), status]
  }

  test.each<[name: string, script: string, input: string, expected: readonly unknown[]]>([
    ['answers', 'echo said; echo why >&2', '', ['said\n', 'why\n', 0]],
    ['fails says so by its exit code', 'echo why >&2; exit 3', '', ['', 'why\n', 3]],
    ['fails before it reads its input says why', 'echo why >&2; exit 3', much, ['', 'why\n', 3]],
  ])('%s', (_, script, input, expected) => expect(end(script, input)).toEqual(expected))

  test.each<[name: string, script: string, message: string]>([
    ['is ended by a signal', 'kill -9 $$', 'git status: ended by SIGKILL'],
    ['writes more than is read', 'exec head -c 90000000 /dev/zero', 'more than 64 MiB have changed'],
  ])('%s is refused', (_, script, message) => expect(() => end(script)).toThrow(message))

  test('is not there is refused', () => {
    const { io } = ioIn(work, { PATH: join(work, 'nowhere') })
    expect(() => gitEnd(['status'], io)).toThrow('git is not installed')
  })
})

describe('--staged', () => {
  beforeEach(() => {
    git('init', '-q')
    put('old.json', typo('old'))
    put('gone.json', good('gone'))
    put('renamed.json', typo('renamed'))
    git('add', '.')
    git('commit', '-qm', 'first')
  })

  test('nothing is staged: nothing to find', async () => {
    expect(await lint(['--staged'])).toEqual({ files: [], stderr: '', exit: 0 })
    expect(await runProgram(['lint', '--staged', '--format', 'pretty'], work, env)).toEqual({ stdout: '', stderr: '', exit: 0 })
  })

  test('reads what is staged, not what is in the folder', async () => {
    put('a.json', typo('a'))
    put('b.json', good('b'))
    git('add', 'a.json', 'b.json')
    put('a.json', good('a'))
    put('b.json', typo('b'))
    put('c.json', typo('c'))
    expect(await lint(['--staged'])).toEqual({ files: ['a.json'], stderr: '', exit: 1 })
    rmSync(join(work, 'a.json'))
    expect(await lint(['--staged'])).toEqual({ files: ['a.json'], stderr: '', exit: 1 })
  })

  test('takes added, changed, copied and renamed files, and no deleted ones', async () => {
    git('mv', 'renamed.json', 'new name.json')
    git('rm', '-q', 'gone.json')
    put('old.json', `${typo('old')}\n`)
    put('new.yaml', typo('new'))
    git('add', '.')
    expect(await lint(['--staged'])).toEqual({ files: ['new name.json', 'new.yaml', 'old.json'], stderr: '', exit: 1 })
  })

  test('passes over what holds no policy, links, and files of other kinds', async () => {
    put('package.json', '{"name": "x"}')
    put('words.md', 'urn:v1:')
    put('.grantwise.yaml', 'failOn: error\n')
    symlinkSync('old.json', join(work, 'link.json'))
    git('add', '.')
    expect(await lint(['--staged'])).toEqual({ files: [], stderr: '', exit: 0 })
  })

  test('keeps to the paths that are given, and to those of the configuration', async () => {
    put('p/a.json', typo('a'))
    put('q/b.json', typo('b'))
    put('[x]/c.json', typo('c'))
    git('add', '.')
    expect((await lint(['--staged', 'p'])).files).toEqual(['p/a.json'])
    expect((await lint(['--staged', 'q/b.json', 'p'])).files).toEqual(['p/a.json', 'q/b.json'])
    expect((await lint(['--staged', '*/a.json'])).files).toEqual(['p/a.json'])
    expect((await lint(['--staged', '[x]'])).files).toEqual(['[x]/c.json'])
    expect((await lint(['--staged', '.'], join(work, 'p'))).files).toEqual(['a.json'])
    put('.grantwise.yaml', 'policies: [q]\n')
    expect((await lint(['--staged'])).files).toEqual(['q/b.json'])
  })

  test('keeps to paths outside of the working folder as well, and refuses those that are nowhere', async () => {
    put('pol/a.json', typo('a'))
    put('sub/b.json', typo('b'))
    git('add', '.')
    git('config', 'diff.relative', 'true')
    const sub = join(work, 'sub')
    expect(await lint(['--staged', '../pol'], sub)).toEqual({ files: ['../pol/a.json'], stderr: '', exit: 1 })
    expect(await lint(['--staged', '../pol/a.json', '.'], sub)).toEqual({ files: ['../pol/a.json', 'b.json'], stderr: '', exit: 1 })
    expect(await lint(['--staged'], sub)).toEqual({ files: ['b.json'], stderr: '', exit: 1 })
    expect((await lint(['--staged', '../p*/*.json'], sub)).files).toEqual(['../pol/a.json'])
    const missing = { files: [], stderr: 'grantwise: pol: no such file or folder\n', exit: 2 }
    expect(await lint(['--staged', 'pol'], sub)).toEqual(missing)
    expect(await lint(['--since', 'HEAD', 'pol'], sub)).toEqual(missing)
    expect(await lint(['--staged', '/usr'], sub)).toEqual({
      files: [],
      stderr: 'grantwise: /usr: not in the git repository of this folder\n',
      exit: 2,
    })
    put('pol/new.json', typo('new'))
    expect((await lint(['--since', 'HEAD', '../pol'], sub)).files).toEqual(['../pol/a.json', '../pol/new.json'])
    rmSync(join(work, 'pol'), { recursive: true })
    expect((await lint(['--staged', '../pol/a.json'], sub)).files).toEqual(['../pol/a.json'])
  })

  test('names of any characters', async () => {
    const names = ['ü.json', 'two\nlines.json', ' blank .json', '"quoted".json', '-dash.json', ':(top)x.json']
    names.forEach((name, i) => {
      put(name, typo(`n${i}`))
    })
    git('add', '--', '.')
    expect((await lint(['--staged'])).files.sort()).toEqual(names.sort())
  })

  // covers: T27
  test('runs nothing that the repository names', async () => {
    put('a.json', typo('a'))
    put('.gitattributes', '*.json diff=evil\n')
    git('add', '.')
    const evil = `touch ${join(work, 'ran')}; cat`
    for (const key of ['diff.evil.textconv', 'diff.evil.command', 'core.fsmonitor', 'diff.external', 'core.pager', 'filter.evil.smudge'])
      git('config', key, evil)
    mkdirSync(join(work, '.git/hooks'), { recursive: true })
    for (const hook of ['pre-commit', 'post-index-change', 'fsmonitor-watchman'])
      writeFileSync(join(work, '.git/hooks', hook), `#!/bin/sh\n${evil}\n`, { mode: 0o755 })
    expect((await lint(['--staged'])).files).toEqual(['a.json'])
    expect((await lint(['--since', 'HEAD'])).files).toEqual(['a.json'])
    // The result of a filter for a file is not known, and the filter is not run.
    put('.gitattributes', '*.json diff=evil filter=evil\n')
    for (const which of ['--staged', '--since=HEAD'])
      expect(await lint([which])).toEqual({
        files: [],
        stderr: expect.stringContaining('a.json: `filter=evil` of `.gitattributes`'),
        exit: 2,
      })
    expect(existsSync(join(work, 'ran'))).toBe(false)
  })

  test('what is too large is not read', async () => {
    put('big.json', ' '.repeat(8 * 2 ** 20 + 1))
    git('add', '.')
    const { stderr, exit } = await lint(['--staged'])
    expect({ stderr, exit }).toEqual({
      stderr: 'grantwise: big.json: too large: 8.0 MiB, where 8 MiB is the limit\n',
      exit: 2,
    })
  })

  test('the first commit of all', async () => {
    rmSync(join(work, '.git'), { recursive: true })
    git('init', '-q')
    git('add', 'old.json')
    expect((await lint(['--staged'])).files).toEqual(['old.json'])
  })
})

describe('--since', () => {
  beforeEach(() => {
    git('init', '-q')
    put('old.json', typo('old'))
    put('.gitignore', 'ignored/\n')
    git('add', '.')
    git('commit', '-qm', 'first')
    git('tag', 'first')
    put('committed.json', typo('committed'))
    git('add', '.')
    git('commit', '-qm', 'second')
    put('changed.json', typo('changed'))
    git('add', 'changed.json')
    put('untracked/new.json', typo('new'))
    put('ignored/x.json', typo('x'))
  })

  test('takes what differs from a commit, and what git does not know yet', async () => {
    expect(await lint(['--since', 'HEAD'])).toEqual({ files: ['changed.json', 'untracked/new.json'], stderr: '', exit: 1 })
    expect((await lint(['--since', 'first'])).files).toEqual(['changed.json', 'committed.json', 'untracked/new.json'])
    expect((await lint(['--since', 'first', '.'], join(work, 'untracked'))).files).toEqual(['new.json'])
  })

  test('reads what is in the folder', async () => {
    put('changed.json', good('changed'))
    rmSync(join(work, 'committed.json'))
    expect((await lint(['--since', 'first'])).files).toEqual(['untracked/new.json'])
  })

  test.each([
    ['nowhere', 'grantwise: --since `nowhere`: no such commit\n  help: in a shallow clone, fetch it first\n'],
    ['--output=x', 'grantwise: --since `--output=x`: expected a commit, branch or tag\n'],
    ['', 'grantwise: --since: the value is empty\n  help: give a value, or omit `--since`\n'],
    ['HEAD:old.json', 'grantwise: --since `HEAD:old.json`: no such commit\n  help: in a shallow clone, fetch it first\n'],
  ])('%s', async (reference, stderr) => {
    expect(await lint([`--since=${reference}`])).toEqual({ files: [], stderr, exit: 2 })
    expect(existsSync(join(work, 'x'))).toBe(false)
  })
})

/** A file whose name has a byte that is no UTF-8; false on a file system that has no such names. */
function putUnnameable(byte: number, text: string): boolean {
  try {
    writeFileSync(Buffer.concat([Buffer.from(`${work}/a`), Buffer.from([byte]), Buffer.from('.json')]), text)
    return true
  } catch {
    return false
  }
}

describe('names that are not UTF-8', () => {
  const why = 'the name is not UTF-8, and cannot be opened: rename it'
  beforeEach(() => {
    git('init', '-q')
    put('old.json', good('old'))
    git('add', '.')
    git('commit', '-qm', 'first')
  })

  test('two of them are two files of the next commit', async () => {
    if (!putUnnameable(0xfe, typo('a')) || !putUnnameable(0xff, good('b'))) return
    git('add', '.')
    expect((await lint(['--staged'])).exit).toBe(1)
    expect((await lint(['--changed'])).exit).toBe(1)
    putUnnameable(0xfe, good('a'))
    putUnnameable(0xff, typo('b'))
    git('add', '.')
    expect((await lint(['--staged'])).exit).toBe(1)
  })

  test('on the disk they are refused, new ones and those that git knows, until they are removed', async () => {
    if (!putUnnameable(0xff, typo('a'))) return
    for (const args of [
      ['--since', 'HEAD'],
      ['--changed', 'a\ufffd.json'],
      ['--if-policy', 'a\ufffd.json'],
    ]) {
      const { stderr, exit } = await lint(args)
      expect({ stderr: stderr.replace(/^grantwise: \S+: /, ''), exit }, args[0]).toEqual({ stderr: `${why}\n`, exit: 2 })
    }
    git('add', '.')
    git('commit', '-qm', 'second')
    expect(await lint(['--since', 'HEAD'])).toMatchObject({ stderr: '', exit: 0 })
    putUnnameable(0xff, good('a'))
    expect((await lint(['--since', 'HEAD'])).exit).toBe(2)
    git('rm', '-qf', '--', '*a*')
    expect(await lint(['--since', 'HEAD'])).toMatchObject({ stderr: '', exit: 0 })
  })
})

test('outside of a repository there is no answer', async () => {
  const stderr = 'grantwise: not a git repository\n'
  expect(await lint(['--staged'])).toEqual({ files: [], stderr, exit: 2 })
  expect(await lint(['--since', 'HEAD'])).toEqual({ files: [], stderr, exit: 2 })
})

test('without git there is no answer', async () => {
  const { stderr, exit } = await runProgram(['lint', '--staged'], work, { PATH: work })
  expect({ stderr, exit }).toEqual({
    stderr: 'grantwise: git is not installed\n  help: install it, or name the files\n',
    exit: 2,
  })
})
