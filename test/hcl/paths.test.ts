import { describe, expect, test } from 'vitest'
import { folderOf, joinPath, nameIn, pathBetween, pathFrom } from '../../src/hcl/paths.ts'

describe('a path below a folder', () => {
  test.each([
    ['a', 'b', 'a/b'],
    ['a/b', './c', 'a/b/c'],
    ['a/b', '../c', 'a/c'],
    ['a/b', '../../c', 'c'],
    ['a', '../../c', '../c'],
    ['a', '../../../c', '../../c'],
    ['..', '../c', '../../c'],
    ['../..', 'c/..', '../..'],
    ['', 'c', 'c'],
    ['', '', ''],
    ['a', '..', ''],
    ['a//b/', './/c/.', 'a/b/c'],
    ['/a', 'b', '/a/b'],
    ['/a', '..', '/'],
    ['/a', '../../b', '/b'],
    ['/', '..', '/'],
    ['/', 'b', '/b'],
    ['a', '/b', 'a/b'],
  ])('%s + %s', (folder, path, expected) => expect(joinPath(folder, path)).toBe(expected))
})

describe('the path from one folder to another', () => {
  test.each([
    ['', '', '.'],
    ['', 'a', 'a'],
    ['', 'a/b', 'a/b'],
    ['a', '', '..'],
    ['a/b', '', '../..'],
    ['a', 'a', '.'],
    ['a/b', 'a/c', '../c'],
    ['a/b/c', 'a', '../..'],
    ['a', 'a/b/c', 'b/c'],
    ['a/b', 'c/b', '../../c/b'],
    ['/w/a', '/w/b/c', '../b/c'],
    ['/', '/w', 'w'],
    ['a/', 'a//b', 'b'],
  ])('%s to %s', (from, to, expected) => expect(pathBetween(from, to)).toBe(expected))

  test('leads there', () => {
    const folders = ['', 'a', 'b', 'a/a', 'a/b', 'b/a', 'a/b/c']
    for (const from of folders) for (const to of folders) expect(joinPath(from, pathBetween(from, to))).toBe(to)
  })
})

test.each([
  ['a', 'b', 'a/b'],
  ['a', '/b/../c', '/c'],
  ['a', 'C:/b/c', 'C:/b/c'],
  ['a', 'c:/b/../c', 'c:/c'],
  ['a', '..', '.'],
  ['', '.', '.'],
  ['/w', 'a/../b', '/w/b'],
])('a path from a folder, or its own where it is absolute: %s, %s', (folder, path, expected) =>
  expect(pathFrom(folder, path)).toBe(expected),
)

test.each([
  ['main.tf', '', 'main.tf'],
  ['a/main.tf', 'a', 'main.tf'],
  ['a/b/main.tf', 'a/b', 'main.tf'],
  ['/main.tf', '/', 'main.tf'],
  ['/a/main.tf', '/a', 'main.tf'],
  ['a/', 'a', ''],
  ['', '', ''],
])('the folder and the name of a file: %s', (file, folder, name) => {
  expect(folderOf(file)).toBe(folder)
  expect(nameIn(file)).toBe(name)
})
