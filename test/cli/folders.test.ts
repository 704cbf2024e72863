import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeFolders } from '../../src/cli/app/folders.ts'
import { displayPath, isBelow, isWithin } from '../../src/cli/app/paths.ts'

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
