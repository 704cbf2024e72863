import { expect, test } from 'vitest'
import { afterId, Repeated } from '../../src/cli/commands/repeated.ts'

const allow = { text: ' allow', isUnexpected: false }

/** How many of the lines are looked up. */
function lookedUp(repeated: Repeated, lines: Iterable<string>): number {
  let count = 0
  for (const line of lines) {
    if (!repeated.isOn()) continue
    count++
    if (repeated.get(line) === undefined && repeated.hasRoom()) repeated.keep(line, allow)
  }
  return count
}

const numbered = (count: number, distinct: number, from = 0) => Array.from({ length: count }, (_, i) => `line ${from + (i % distinct)}`)

test('of lines that do not come again a small share is looked up, and where they do come again nearly all', () => {
  const repeated = new Repeated()
  expect(lookedUp(repeated, numbered(400_000, 400_000))).toBeLessThan(25_000)
  expect(lookedUp(repeated, numbered(400_000, 1_000, 400_000))).toBeGreaterThan(350_000)
})

test('no more is kept than there is room for, each answer once', () => {
  const repeated = new Repeated(10_000)
  lookedUp(repeated, numbered(5_000, 5_000))
  expect(repeated.hasRoom()).toBe(false)
  const known = numbered(5_000, 5_000).filter((line) => repeated.get(line) !== undefined)
  expect(known.length).toBeGreaterThan(50)
  expect(known.length).toBeLessThan(200)
})

test('an id is read where it comes first and is a whole number that is exact', () => {
  expect(afterId('xx{"id":12,"a":1}', 2)).toEqual({ id: 12, rest: 11 })
  expect(afterId('{"id": 0,', 0)).toEqual({ id: 0, rest: 9 })
  for (const text of [
    '{"id":012,',
    '{"id":,',
    '{"id":1234567890123456,',
    '{"id":1.5,',
    '{"id":1 ,',
    '{"id":-1,',
    '{"id":"1",',
    '{ "id":1,',
  ])
    expect([text, afterId(text, 0)]).toEqual([text, undefined])
})
