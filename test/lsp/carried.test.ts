import fc from 'fast-check'
import { expect, test } from 'vitest'
import { carriedOver, editedBetween, everything } from '../../src/lsp/carried.ts'
import { encodings, offsetAt, rangeOf } from '../../src/lsp/positions.ts'
import { sourceOf } from '../../src/source.ts'
import { effort } from '../support/effort.ts'

const uri = 'file:///policy.yaml'
const pieces = fc.constantFrom('a', 'b', 'urn', '\n', '\r\n', ' ', '🦊', '🦉', 'é', '')
const text = fc.array(pieces, { maxLength: 30 }).map((all) => all.join(''))
/** A share of a text, turned into an offset that cuts no character and no line break in two: no other has a position of its own. */
const share = fc.double({ min: 0, max: 1, noNaN: true })
const offsetIn = (given: string, at: number) => {
  const offset = Math.floor(at * given.length)
  const cuts = offset > 0 && /^(?:\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])/.test(given.slice(offset - 1))
  return cuts ? offset - 1 : offset
}

test('a finding that is carried over an edit is at the same words as before', () => {
  let [carried, dropped] = [0, 0]
  fc.assert(
    fc.property(text, share, share, share, share, text, fc.constantFrom(...encodings), (old, a, b, c, d, by, encoding) => {
      const [from, to] = [offsetIn(old, a), offsetIn(old, b)].sort((x, y) => x - y) as [number, number]
      const [start, end] = [offsetIn(old, c), offsetIn(old, d)].sort((x, y) => x - y) as [number, number]
      const before = sourceOf('policy.yaml', old)
      const after = sourceOf('policy.yaml', old.slice(0, from) + by + old.slice(to))
      const edited = editedBetween(before, after, encoding)
      expect(edited === undefined).toBe(before.text === after.text)
      if (!edited) return
      const range = rangeOf(before, { start, end }, encoding)
      const related = [{ message: 'there', location: { uri, range } }]
      const [found] = carriedOver([{ range, message: 'here', relatedInformation: related }], uri, edited)
      if (!found) {
        dropped++
        return
      }
      carried++
      const [newStart, newEnd] = [offsetAt(after, found.range.start, encoding), offsetAt(after, found.range.end, encoding)]
      expect(after.text.slice(newStart, newEnd)).toBe(old.slice(start, end))
      expect(rangeOf(after, { start: newStart, end: newEnd }, encoding)).toEqual(found.range)
      expect(found.relatedInformation?.map(({ location }) => location.range)).toEqual([found.range])
    }),
    { numRuns: effort(2000, 20) },
  )
  expect(carried).toBeGreaterThan(effort(100, 20))
  expect(dropped).toBeGreaterThan(effort(100, 20))
})

test('findings before and after an edit are kept, those that it touches are not, and places in other files stay', () => {
  const before = sourceOf('policy.yaml', 'name: a\nidentities: b\nresources: c\n')
  const after = sourceOf('policy.yaml', 'name: a\nidentities:\n  - b\nresources: c\n')
  const edited = editedBetween(before, after, 'utf-16')
  const at = (word: string) => ({
    range: rangeOf(before, { start: before.text.indexOf(word), end: before.text.indexOf(word) + word.length }, 'utf-16'),
    message: word,
    relatedInformation: [
      { message: 'elsewhere', location: { uri: 'file:///other.yaml', range: rangeOf(before, { start: 9, end: 12 }, 'utf-16') } },
    ],
  })
  const found = [at('name'), at('identities: b'), at('resources'), at('c')]
  const carried = edited ? carriedOver(found, uri, edited) : []
  expect(carried.map(({ message, range }) => `${message} ${range.start.line}`)).toEqual(['name 0', 'resources 3', 'c 3'])
  expect(carried.map(({ relatedInformation }) => relatedInformation)).toEqual(carried.map(() => at('name').relatedInformation))
  expect(carriedOver(found, uri, everything)).toEqual([])
})

test('an edit that ends where a finding begins, or begins where it ends, touches it', () => {
  const before = sourceOf('policy.yaml', 'a b c d e')
  const after = sourceOf('policy.yaml', 'a bXYZc d e')
  const edited = editedBetween(before, after, 'utf-16')
  const at = (start: number) => ({ range: rangeOf(before, { start, end: start + 1 }, 'utf-16'), message: before.text[start] as string })
  const carried = edited ? carriedOver([at(0), at(2), at(4), at(6)], uri, edited) : []
  // The rest of its line moves with it.
  expect(carried.map(({ message, range }) => `${message} ${range.start.character}-${range.end.character}`)).toEqual(['a 0-1', 'd 8-9'])
})
