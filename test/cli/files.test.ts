import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { isIgnored, readIgnoreFile } from '../../src/cli/input/gitignore.ts'
import { decode, sniff } from '../../src/cli/input/read-file.ts'
import { mayHoldPolicy } from '../../src/sources/limits.ts'

// Positions, expected outputs and scripts are about the text as it is committed.
test('a checkout leaves line ends as they are committed, on every system', () => {
  const { stdout } = spawnSync('git', ['ls-files', '--eol'], { cwd: new URL('../..', import.meta.url), encoding: 'utf8' })
  const files = stdout.split('\n').flatMap((line) => {
    const [, index, , attributes, name] = /^i\/(\S+)\s+w\/(\S*)\s+attr\/(.*?)\s*\t(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [{ index, attributes, name }]
  })
  expect(files.length).toBeGreaterThan(1000)
  const changed = files.filter(
    ({ index, attributes }) => (index === 'lf' ? attributes !== 'text=auto eol=lf' : index !== 'none') && attributes !== '-text',
  )
  expect(changed).toEqual([])
  expect(files.find(({ name }) => name === 'test/hcl/corpus/crlf/main.tf')).toMatchObject({ index: 'crlf', attributes: '-text' })
})

describe('.gitignore', () => {
  // Each line: the patterns, a path (a folder ends in `/`), and whether git ignores it (held against `git check-ignore --no-index`).
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['*.json', 'a.json', true],
    ['*.json', 'x/y/a.json', true],
    ['a.json', 'x/a.json', true],
    ['/a.json', 'x/a.json', false],
    ['/a.json', 'a.json', true],
    ['x/a.json', 'x/a.json', true],
    ['x/a.json', 'y/x/a.json', false],
    ['**/x/a.json', 'y/x/a.json', true],
    ['**/x/a.json', 'x/a.json', true],
    ['x/**', 'x/a/b.json', true],
    ['x/**', 'x/', false],
    ['x/**/b.json', 'x/b.json', true],
    ['[[:toString:]].json', 's.json', false],
    ['[[:valueOf:]a].json', 'a.json', false],
    ['[[:none:]a].json', 'a.json', false],
    ['[[:digit:]a].json', 'a.json', true],
    ['x/**/b.json', 'x/p/q/b.json', true],
    ['x/*/b.json', 'x/p/q/b.json', false],
    ['build/', 'build/', true],
    ['build/', 'build', false],
    ['build/', 'x/build/', true],
    ['/build/', 'x/build/', false],
    ['*.json\n!keep.json', 'keep.json', false],
    ['!keep.json\n*.json', 'keep.json', true],
    ['#a.json', '#a.json', false],
    ['\\#a.json', '#a.json', true],
    ['\\!a.json', '!a.json', true],
    ['a.json  ', 'a.json', true],
    ['a.json\\ ', 'a.json ', true],
    [' a.json', 'a.json', false],
    ['a?.json', 'ab.json', true],
    ['a?b.json', 'a/b.json', false],
    ['[ab].json', 'b.json', true],
    ['[!ab].json', 'b.json', false],
    ['[^ab].json', 'c.json', true],
    ['[a-c].json', 'b.json', true],
    ['[a-\\c].json', 'b.json', true],
    ['[]-a].json', ']', false],
    ['[]].json', '].json', true],
    ['[[:digit:]].json', '7.json', true],
    ['[[:digit:]].json', 'x.json', false],
    ['[a.json', '[a.json', false],
    ['a**b', 'axxb', true],
    ['\\*.json', 'a.json', false],
    ['\\*.json', '*.json', true],
    ['*', '.hidden', true],
    ['a.json\r', 'a.json', true],
    ['', 'a.json', false],
    ['/', 'a/', false],
  ]
  test.each(cases)('%j %j %j', (patterns, path, expected) => {
    const file = readIgnoreFile('', patterns)
    expect(isIgnored([file], path.replace(/\/$/, ''), path.endsWith('/'))).toBe(expected)
  })

  test('a nearer file decides before a farther one, and is about its own folder', () => {
    const files = [readIgnoreFile('', '*.json\n/x/own.yaml'), readIgnoreFile('x/', '!a.json\n/b.yaml')]
    expect(isIgnored(files, 'x/a.json', false)).toBe(false)
    expect(isIgnored(files, 'x/c.json', false)).toBe(true)
    expect(isIgnored(files, 'x/b.yaml', false)).toBe(true)
    expect(isIgnored(files, 'x/own.yaml', false)).toBe(true)
    expect(isIgnored(files, 'x/y/b.yaml', false)).toBe(false)
  })

  test('a pattern made to be slow is not', () => {
    const file = readIgnoreFile('', `${'*a'.repeat(30)}b\n${'**/a/'.repeat(12)}b`)
    expect(isIgnored([file], 'a'.repeat(4000), false)).toBe(false)
    expect(isIgnored([file], 'a/'.repeat(1000), false)).toBe(false)
  })
})

describe('texts', () => {
  // covers: T12
  test('are UTF-8 or refused', () => {
    expect(decode(Buffer.from('é€😀')).text).toBe('é€😀')
    expect(decode(Buffer.from('\ufeff{}')).text).toBe('\ufeff{}')
    for (const bytes of [[0x80], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]])
      expect(decode(Buffer.from([0x61, ...bytes])).message).toBe('not UTF-8: the first wrong byte is at offset 1')
    expect(decode(Buffer.from('{}', 'utf16le')).message).toMatch(/NUL/)
    expect(decode(Buffer.from('PK\x03\x04\0', 'latin1')).message).toMatch(/^an archive/)
    expect(decode(Buffer.from('PK: 3')).text).toBe('PK: 3')
  })

  test('that cannot hold a policy are recognised without parsing', () => {
    expect(mayHoldPolicy('{"version": 1}')).toBe(false)
    expect(mayHoldPolicy('{"identities": []}')).toBe(true)
    expect(mayHoldPolicy('{"p\\u0065rmissions": {}}')).toBe(true)
  })

  test('of standard input are distinguished by their first character', () => {
    expect(sniff(' \n{"a": 1}')).toBe('json')
    expect(sniff('[]')).toBe('json')
    expect(sniff('name: x')).toBe('yaml')
    expect(sniff('# {\nname: x')).toBe('yaml')
  })
})
