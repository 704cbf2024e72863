import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lineText, position, sourceOf } from '../src/source.ts'

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
