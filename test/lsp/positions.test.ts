import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editTo } from '../../src/lsp/actions.ts'
import { type Encoding, encodings, offsetAt, positionAt } from '../../src/lsp/positions.ts'
import { sourceOf } from '../../src/source.ts'

/** Characters of one to four bytes, at the edges of each length. */
const characters = ['a', '\u007f', '\u0080', 'é', '\u07ff', '\u0800', '漢', '\uffff', '\u{10000}', '🦊']

/** How many units an encoder that is not ours counts. */
const unitsOf: Readonly<Record<Encoding, (text: string) => number>> = {
  'utf-8': (text) => new TextEncoder().encode(text).length,
  'utf-16': (text) => text.length,
  'utf-32': (text) => [...text].length,
}

describe.each(encodings)('positions in %s', (encoding) => {
  test.each(characters)('behind %j', (character) => {
    const lines = sourceOf('p.yaml', `\n${character}x\n`)
    const position = { line: 1, character: unitsOf[encoding](character) }
    expect(positionAt(lines, 1 + character.length, encoding)).toEqual(position)
    expect(offsetAt(lines, position, encoding)).toBe(1 + character.length)
  })

  test.each(['\n', '\r\n'])('one past a line that ends with %j is the end of the line', (end) => {
    const lines = sourceOf('p.yaml', `ab${end}cd${end}`)
    for (const character of [2, 3, 4, 99]) expect(offsetAt(lines, { line: 0, character }, encoding), String(character)).toBe(2)
    expect(offsetAt(lines, { line: 1, character: 3 }, encoding)).toBe(2 + end.length + 2)
  })

  /** A text after the smallest edit to another one, as an editor makes it. */
  const edited = (before: string, after: string) => {
    const source = sourceOf('p.yaml', before)
    const { range, newText } = editTo(source, after, encoding)
    return before.slice(0, offsetAt(source, range.start, encoding)) + newText + before.slice(offsetAt(source, range.end, encoding))
  }

  test.each([
    ['a line break of two characters loses one', 'a\r\nb', 'a\nb'],
    ['a line break of two characters loses the other', 'a\r\nb', 'a\rb'],
    ['a line break has one more', 'a\nb', 'a\r\nb'],
    ['characters begin with the same half', 'a🦊b', 'a🦉b'],
    ['characters end with the same half', 'a\u{1f98a}b', 'a\u{1fd8a}b'],
  ])('an edit where %s makes the other text', (_, before, after) => {
    expect(edited(before, after)).toBe(after)
  })

  test('an edit makes the other text, whatever both are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\n', '\r\n', '\r', '🦊', '🦉', 'é'), { maxLength: 8 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(edited(before, after)).toBe(after)
      }),
      { numRuns: 1000 },
    )
  })
})
