import { describe, expect, test } from 'vitest'
import { glob, matches } from '../../src/glob.ts'
import type { Limits } from '../../src/simulate/limits.ts'
import { PatternIndex } from '../../src/simulate/pattern-index.ts'
import { randomOf } from '../support/worlds.ts'

/** The numbers of a list in the pool, smallest first. */
function listAt({ pool }: PatternIndex, place: number): readonly number[] {
  return Array.from(pool.subarray(place + 1, place + 1 + (pool[place] as number))).sort((a, b) => a - b)
}

const listOf = (index: PatternIndex, text: string) => listAt(index, index.of(text))

/** An index of patterns, each with its number. */
function indexOf(patterns: readonly string[], limits?: Pick<Limits, 'texts' | 'places'>) {
  const index = new PatternIndex(limits)
  return { index, numbers: patterns.map((pattern) => index.add(glob(pattern))) }
}

describe('the number of a pattern', () => {
  test('counts from 1, and is one however the pattern is written', () => {
    const { numbers } = indexOf(['a', 'a*', 'a**', '*', '***', 'a*b', 'a**b', 'a', '*a', 'b', ''])
    expect(numbers).toEqual([1, 2, 2, 3, 3, 4, 4, 1, 5, 6, 7])
  })
})

describe('the list of a text', () => {
  // A plain scan of all patterns says the same.
  test.each([1, 2, 3, 4])('holds the numbers of all patterns that match it (seed %i)', (seed) => {
    const random = randomOf(seed)
    const word = (letters: string, most: number) =>
      Array.from({ length: Math.floor(random() * (most + 1)) }, () => letters[Math.floor(random() * letters.length)]).join('')
    const patterns = Array.from({ length: 60 }, () => word('aab*', 5))
    const { index, numbers } = indexOf(patterns)
    const places = new Map<string, number>()
    for (let i = 0; i < 400; i++) {
      const text = word('ab', 6)
      const expected = new Set(numbers.filter((_, at) => matches(glob(patterns[at] as string), text)))
      const list = [...expected].sort((a, b) => a - b)
      expect([text, listOf(index, text)]).toEqual([text, list])
      // Texts that the same patterns match share the place of their list.
      const place = places.get(list.join())
      if (place === undefined) places.set(list.join(), index.of(text))
      else expect(index.of(text)).toBe(place)
    }
    expect(new Set(places.values()).size).toBe(places.size)
  })

  test('is known once it was asked for', () => {
    const { index } = indexOf(['a*', 'b'])
    expect(index.known('ab')).toBeUndefined()
    const place = index.of('ab')
    expect([index.known('ab'), index.known('b'), index.of('ab')]).toEqual([place, undefined, place])
  })
})

describe('the pool', () => {
  test('keeps every list while it grows', () => {
    const count = 3000
    const { index, numbers } = indexOf(Array.from({ length: count }, (_, i) => `t${i}`))
    const places = numbers.map((_, i) => index.of(`t${i}`))
    expect(places.map((place) => listAt(index, place))).toEqual(numbers.map((number) => [number]))
  })

  test('has room for a list longer than itself', () => {
    const text = 'ab'.repeat(1100)
    const { index, numbers } = indexOf(Array.from(text, (_, i) => `${text.slice(0, i)}*`))
    expect(listOf(index, text)).toEqual(numbers)
  })
})

describe('what is remembered', () => {
  test('is the lists of 131,072 texts; all are forgotten for one more', () => {
    const { index } = indexOf(['*1', 't*'])
    for (let i = 0; i < 2 ** 17; i++) index.of(`t${i}`)
    const place = index.of('t0')
    expect([index.known('t0'), index.known('t131071')]).toEqual([place, index.of('t1')])
    index.of('t131072')
    expect([index.known('t0'), index.known('t131071'), index.known('t131072')]).toEqual([undefined, undefined, place])
    // Lists stay where they are: places mean the same.
    expect([index.of('t0'), index.epoch]).toEqual([place, 0])
  })

  // Each text has a list of two numbers, its own and that of `t*`: three places.
  const ofThree = (places: number) => indexOf(['t*', ...Array.from({ length: 9 }, (_, i) => `t${i}`)], { texts: 100, places }).index

  test.each([
    [11, 12, [0, 3, 6, 9]],
    [11, 11, [0, 3, 6, 0]],
    [12, 12, [0, 3, 6, 9, 0]],
  ])('takes no more places in lists than %i', (_, places, expected) => {
    const index = ofThree(places)
    const lists = expected.map((_, i) => index.of(`t${i}`))
    expect([lists, index.epoch !== 0]).toEqual([expected, expected.at(-1) === 0])
  })

  test('is forgotten at once, and learnt anew', () => {
    const index = ofThree(9)
    expect(['t0', 't1', 't2', 't3', 't1', 't0'].map((text) => [text, index.of(text), listOf(index, text)])).toEqual([
      ['t0', 0, [1, 2]],
      ['t1', 3, [1, 3]],
      ['t2', 6, [1, 4]],
      ['t3', 0, [1, 5]],
      ['t1', 3, [1, 3]],
      ['t0', 6, [1, 2]],
    ])
    expect([index.known('t2'), index.known('t0'), index.epoch]).toEqual([undefined, 6, 1])
  })
})
