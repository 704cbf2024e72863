import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/parser/json.ts'
import { isWithComments, sourceOf } from '../../src/source.ts'
import { plainValue } from '../../src/tree.ts'

/** JSON with comments: files whose names end in `.jsonc`. */

const reading = (text: string, path = 'p.jsonc') => {
  const { documents, diagnostics, comments } = readJson(sourceOf(path, text))
  return {
    values: documents.map(plainValue),
    problems: diagnostics.map(({ message }) => message),
    comments: comments?.map(({ start, end }) => text.slice(start, end)),
  }
}

describe('readJson of a .jsonc file', () => {
  test('takes comments between all tokens, and trailing commas', () => {
    const text = '// a\n{ /* b */ "x" /* c */ : // d\n [1, /* "e" */ 2,], "y": {"z": "// no comment",}, }\n/* f\n */'
    expect(reading(text)).toEqual({
      values: [{ x: [1, 2], y: { z: '// no comment' } }],
      problems: [],
      comments: ['// a', '/* b */', '/* c */', '// d', '/* "e" */', '/* f\n */'],
    })
  })

  test.each([
    ['# a', 'comments begin with `//` here'],
    ['{} /* a', 'this comment is never closed'],
    ['[,]', undefined],
    ['[1,,]', undefined],
    ['[1 / 2]', undefined],
    ['{"a": 1 // "b"\n "c": 2}', undefined],
  ])('refuses %j', (text, message) => {
    const { problems } = reading(text)
    expect(problems).not.toEqual([])
    if (message !== undefined) expect(problems).toContain(message)
  })

  test('a file of JSON has none', () => {
    expect(reading('[1,] // a', 'p.json').problems).toEqual([
      'trailing comma: JSON allows none after the last entry',
      'JSON has no comments',
    ])
    expect(reading('[1]', 'p.json').comments).toBeUndefined()
    expect(isWithComments(sourceOf('p.JSONC', '{}'))).toBe(true)
    expect(isWithComments(sourceOf('p.jsonc', 'a: 1', 'yaml'))).toBe(false)
  })
})
