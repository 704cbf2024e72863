import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readIndex, TrackedFiles } from '../../src/cli/input/git-folder.ts'
import { attributesOf, readAttributeFile, rewritingsOf } from '../../src/cli/input/gitattributes.ts'
import { attributesAt } from '../../src/cli/input/rewritten.ts'

/** Git's own files, read without git: held against what git says of them. */

const folders: string[] = []
afterAll(() => folders.map((folder) => rmSync(folder, { recursive: true, force: true })))

function repository(files: Readonly<Record<string, string>> = {}, ...options: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-'))
  folders.push(folder)
  const git = (args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: folder,
      encoding: 'utf8',
      input,
    })
    if (status !== 0) throw new Error(stderr)
    return stdout
  }
  const put = (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }
  git(['init', '-q', ...options])
  put(files)
  return { folder, git, put }
}

const names = ['a.json', 'a/b.json', 'a/bc.json', 'a/b/c.json', 'ü/ö.yaml', `long/${'x'.repeat(200)}/y.tf`, 'node_modules/x/y.json']

describe('an index', () => {
  test.each([
    ['version 2', ['--index-version', '2'], 20],
    ['version 4', ['--index-version', '4'], 20],
    ['a hash of 32 bytes', [], 32],
    ['split', ['--split-index'], 20],
  ] as const)('%s', (_, update, hashLength) => {
    const { folder, git } = repository(
      Object.fromEntries(names.map((name) => [name, name])),
      ...(hashLength === 32 ? ['--object-format=sha256'] : []),
    )
    git(['add', '-A'])
    if (update.length > 0) git(['update-index', ...update])
    const tracked = new TrackedFiles()
    for (const name of names) {
      expect([name, tracked.has(join(folder, name))]).toEqual([name, true])
      expect([name, tracked.has(join(folder, `${name}x`))]).toEqual([name, false])
      if (name.includes('/')) expect(tracked.hasBelow(dirname(join(folder, name)))).toBe(true)
    }
    expect([
      tracked.hasBelow(join(folder, 'node_modules')),
      tracked.hasBelow(join(folder, 'node')),
      tracked.hasBelow(join(folder, 'a.json/x')),
    ]).toEqual([true, false, false])
    expect([...tracked.faults]).toEqual([])
    const index = readIndex(readFileSync(join(folder, '.git/index')), hashLength)
    if (!update.includes('--split-index' as never)) expect(index?.paths).toEqual(git(['ls-files', '-z']).split('\0').slice(0, -1))
  })

  test('names what a sparse checkout leaves out', () => {
    const { folder, git } = repository(Object.fromEntries(names.map((name) => [name, name])))
    git(['add', '-A'])
    git(['commit', '-qm', 'one'])
    git(['sparse-checkout', 'set', '--no-cone', '/*', '!/a/b.json'])
    expect(new TrackedFiles().leftOutBelow(join(folder, 'a'))).toEqual([join(folder, 'a/b.json')])
    expect(new TrackedFiles().leftOutBelow(join(folder, 'long'))).toEqual([])
  })

  test('of a working tree next to the repository, and of a repository in another one', () => {
    const { folder, git } = repository({ 'a.json': '1' })
    git(['add', '-A'])
    git(['commit', '-qm', 'one'])
    git(['worktree', 'add', '-q', 'tree'])
    git(['init', '-q', 'inner'])
    writeFileSync(join(folder, 'inner/x.json'), '')
    git(['-C', 'inner', 'add', '-A'])
    const tracked = new TrackedFiles()
    expect(['a.json', 'tree/a.json', 'tree/x.json', 'inner/x.json', 'inner/a.json'].map((name) => tracked.has(join(folder, name)))).toEqual(
      [true, true, false, true, false],
    )
  })

  test('that is no index, or a part of one, is a fault and no list', () => {
    const { folder, git } = repository(Object.fromEntries(names.map((name) => [name, name])))
    expect(new TrackedFiles().has(join(folder, 'a.json'))).toBe(false)
    git(['add', '-A'])
    const bytes = readFileSync(join(folder, '.git/index'))
    for (let length = 0; length < bytes.length - 20; length += 7) {
      const index = readIndex(bytes.subarray(0, length), 20)
      expect([length, index === undefined || index.paths.length === 0]).toEqual([length, true])
    }
    writeFileSync(join(folder, '.git/index'), 'nothing')
    const tracked = new TrackedFiles()
    expect([tracked.has(join(folder, 'a.json')), [...tracked.faults.values()]]).toEqual([
      false,
      ['`index` is no index that this version reads'],
    ])
  })
})

// covers: T26
test('attributes are those that git says', () => {
  let state = 20261126
  const int = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >> 8) % below
  }
  const pick = (from: readonly string[]) => from[int(from.length)] as string
  const files = ['', 'a/', 'a/b/']
  const patterns = [
    '*',
    '*.json',
    'x.json',
    '/x.json',
    'a/*',
    'a/**',
    '**/x.json',
    'b',
    'a/b/x.json',
    '"x.j\\163on"',
    '[xy].json',
    'b/',
    '!x.json',
    '#x',
    '?.json',
  ]
  const states = [
    'filter=one',
    'filter=two',
    '-filter',
    '!filter',
    'filter',
    'mac',
    '-mac',
    'ident',
    'text',
    'b@d',
    'working-tree-encoding=UTF-16',
    'binary',
    'other',
  ]
  const asked = ['x.json', 'y.json', 'a/x.json', 'a/b/x.json', 'a/b/y.json', 'b/x.json']
  const attributes = ['filter', 'ident', 'working-tree-encoding', 'export-ignore', 'mac']
  const { git, put } = repository()
  for (let i = 0; i < 40; i++) {
    const texts = files.map((folder) => {
      const lines = Array.from({ length: int(4) }, () => `${pick(patterns)} ${pick(states)} ${pick(states)}`)
      return `${folder === '' ? '[attr]mac filter=macro other\n[attr]other ident -text\n' : ''}${lines.join('\n')}\n`
    })
    put(Object.fromEntries(files.map((folder, j) => [`${folder}.gitattributes`, texts[j] as string])))
    const read = files.map((folder, j) => readAttributeFile(folder, texts[j] as string)).filter((each) => typeof each !== 'string')
    const said = git(['check-attr', '-z', '--stdin', ...attributes], asked.map((path) => `${path}\0`).join(''))
      .split('\0')
      .slice(0, -1)
    for (let k = 0; k < said.length; k += 3) {
      const [path = '', name = '', value] = said.slice(k, k + 3)
      const own = attributesOf(
        read.filter(({ folder }) => path.startsWith(folder)),
        path,
      ).get(name)
      expect({ texts, path, name, value: own === true ? 'set' : own === false ? 'unset' : (own ?? 'unspecified') }).toEqual({
        texts,
        path,
        name,
        value,
      })
    }
  }
})

test('lines that not every version of git reads are refused', () => {
  expect(readAttributeFile('', `x ${'a'.repeat(2046)}\n`)).toContain('2047 bytes')
  expect(readAttributeFile('', 'x\0 filter=a\n')).toContain('NUL')
})

test('what is rewritten, and what is not', () => {
  const of = (text: string, path = 'a/x.json') => {
    const file = readAttributeFile('', text)
    return typeof file === 'string' ? file : rewritingsOf([file], path).map(({ attribute }) => attribute)
  }
  expect(of('* text=auto eol=crlf diff merge -delta')).toEqual([])
  expect(of('* working-tree-encoding=utf8')).toEqual([])
  expect(of('* working-tree-encoding=latin1 filter=x ident export-subst')).toEqual([
    'working-tree-encoding=latin1',
    'filter=x',
    'ident',
    'export-subst',
  ])
  expect(of('a export-ignore')).toEqual(['export-ignore'])
  expect(of('/a/ export-ignore')).toEqual(['export-ignore'])
  expect(of('b export-ignore')).toEqual([])
})

test('attributes of the clone come before those of every folder', () => {
  const { folder, git, put } = repository()
  const lines = ['', '*.json filter=clone\n', '*.json -filter\n', '*.json !filter\n', 'a/* filter=clone\n', '*.yaml filter=clone\n']
  const ours = ['', '*.json filter=here\n', '*.json -filter\n', 'a/x.json filter=here\n']
  for (const clone of lines)
    for (const top of ours)
      for (const inner of ours) {
        put({ '.git/info/attributes': clone, '.gitattributes': top, 'a/.gitattributes': inner, 'x.json': '{}', 'a/x.json': '{}' })
        for (const path of ['x.json', 'a/x.json']) {
          const { attributes } = attributesAt(dirname(join(folder, path)), { cwd: folder })
          const own = attributesOf(attributes, path).get('filter')
          const said = git(['check-attr', 'filter', path]).trim().split(': ').at(-1)
          expect([clone, top, inner, path, own === true ? 'set' : own === false ? 'unset' : (own ?? 'unspecified')]).toEqual([
            clone,
            top,
            inner,
            path,
            said,
          ])
        }
      }
})

describe('rules that cannot be read are reported, in the folder itself and above it', () => {
  const link = (file: string) => symlinkSync('elsewhere', file)
  test.each<[string, (file: string) => void, string | undefined]>([
    ['a link', link, 'a symbolic link'],
    ['a folder', (file) => mkdirSync(file), undefined],
    ['none', () => undefined, undefined],
    ['a file', (file) => writeFileSync(file, '* text\n'), undefined],
  ])('%s', (_, make, message) => {
    for (const where of ['', 'a']) {
      const { folder } = repository({ elsewhere: '* filter=x\n', 'a/b/x.json': '{}' })
      const file = join(folder, where, '.gitattributes')
      make(file)
      for (const asked of ['a', 'a/b']) {
        const { attributes, unread } = attributesAt(join(folder, asked), { cwd: folder })
        expect(unread).toEqual(message === undefined ? [] : [{ file, message: expect.stringContaining(message) }])
        expect(attributesOf(attributes, 'a/b/x.json').get('filter')).toBeUndefined()
      }
    }
  })
})
