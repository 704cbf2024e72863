import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { beginsWithBlock, lineStarts, lineText, position, sourceOf } from '../src/source.ts'

const texts = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\r', '\r\n', '\u2028'), maxLength: 30 })

describe('the lines of a text', () => {
  test('are what is between its line breaks', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const source = sourceOf('a.json', text)
        const lines = text.split(/\r\n|\n|\r/)
        expect([...lines, ''].map((_, i) => lineText(source, i + 1))).toEqual([...lines, ''])
      }),
      { numRuns: 2000 },
    )
  })

  test('are no part of a source, and found again in a copy and in one that takes no properties', () => {
    const source = sourceOf('a.json', 'a\r\nb\rc')
    const copy = structuredClone(source)
    expect(lineStarts(source)).toEqual([0, 3, 5])
    expect(lineStarts(source)).toBe(lineStarts(source))
    expect(structuredClone(source)).toEqual(copy)
    expect({ ...source }).toStrictEqual(copy)
    expect(lineStarts({ ...source, text: 'a\nb' })).toEqual([0, 2])
    expect(position(Object.freeze(copy), 3)).toEqual({ line: 2, column: 1 })
  })

  test('hold each character where its position says', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const source = sourceOf('a.json', text)
        for (let i = 0; i < text.length; i++) {
          if (text[i] === '\r' || text[i] === '\n') continue
          const { line, column } = position(source, i)
          expect(lineText(source, line)[column - 1]).toBe(text[i])
        }
      }),
      { numRuns: 2000 },
    )
  })
})

test.each([
  ['resource "svc_iam_policy" "p" {\n', true],
  ['\ufeff# a\n\n// b\r\nlocals {}', true],
  ['terraform { # versions\n', true],
  ['data "a" "b" {', true],
  ['name: {}\n', false],
  ['- { a: b }\n', false],
  ['{ "a": 1 }', false],
  ['# resource "a" "b" {', false],
  ['name: a\nresource "a" "b" {\n', false],
  ['a {b: c}', false],
  ['', false],
])('%j begins with a block of HCL: %s', (text, expected) => {
  expect(beginsWithBlock(text)).toBe(expected)
})
