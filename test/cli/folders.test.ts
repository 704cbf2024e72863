import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolders } from '../../src/cli/app/folders.ts'
import { displayPath, isBelow, isWithin } from '../../src/cli/app/paths.ts'
import { pathRefusal } from '../../src/cli/input/within.ts'

const top = mkdtempSync(join(tmpdir(), 'grantwise-folders-'))
afterAll(() => rmSync(top, { recursive: true }))

test('folders are made one by one, and the first of them is named', () => {
  expect(makeFolders(top)).toBeUndefined()
  expect(makeFolders(join(top, 'a/b/c'), 0o700)).toBe(join(top, 'a'))
  expect([join(top, 'a'), join(top, 'a/b/c')].map((folder) => statSync(folder).mode & 0o777)).toEqual([0o700, 0o700])
  expect(makeFolders(join(top, 'a/b/c/d'))).toBe(join(top, 'a/b/c/d'))
  mkdirSync(join(top, 'e'))
  expect(makeFolders(join(top, 'e'))).toBeUndefined()
  writeFileSync(join(top, 'file'), '')
  for (const path of ['file', 'file/a/b']) expect(() => makeFolders(join(top, path)), path).toThrow(/EEXIST|ENOTDIR/)
})

test('a folder whose name begins as that of another one is not within it', () => {
  const folder = join(top, 'a')
  const within = [folder, join(folder, 'b'), join(folder, '..b'), `${folder}b`, top, join(folder, '..')].map((path) =>
    isWithin(path, folder),
  )
  expect(within).toEqual([true, true, true, false, false, false])
  expect([isBelow(join(folder, 'b'), folder), isBelow(`${folder}b`, folder), isBelow(folder, folder)]).toEqual([true, false, false])
  expect(displayPath(`${folder}b`, folder)).toBe('../ab')
})

test('a path that another program names stays in the workspace, and a commit is one commit', () => {
  const within = join(top, 'workspace')
  mkdirSync(join(within, 'inner'), { recursive: true })
  mkdirSync(join(top, 'outer'))
  symlinkSync(join(top, 'outer'), join(within, 'link'))
  const isRefused = (mayBeCommit: boolean) => (path: string) => pathRefusal(path, mayBeCommit, { within, cwd: within }) !== undefined
  for (const path of ['inner', 'inner/p.json', '*.json', 'inner/../p.json', join(within, 'p.json')])
    expect([path, isRefused(false)(path)]).toEqual([path, false])
  for (const path of [
    '',
    '-',
    '../outer',
    'link',
    'link/p.json',
    'link/*.json',
    'none/../../outer',
    '/etc/passwd',
    `${within}x`,
    'git:main',
  ])
    expect([path, isRefused(false)(path)]).toEqual([path, true])
  for (const path of ['git:main', 'git:HEAD~2:inner', 'git:v1.0']) expect([path, isRefused(true)(path)]).toEqual([path, false])
  for (const path of ['git:', 'git:a..b', 'git:a...b', 'git:-x', 'git:--output=x', 'git:main:../outer', 'git:main:git:x'])
    expect([path, isRefused(true)(path)]).toEqual([path, true])
})
