import { describe, expect, test } from 'vitest'
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
})
