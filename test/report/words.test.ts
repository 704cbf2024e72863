import { expect, test } from 'vitest'
import { durationWords, presentParts, quotedIfNeeded } from '../../src/report/words.ts'

test('parts within parts are said in their order, and those that are not said are left out', () => {
  expect(presentParts('a', false, ['b', undefined, ['c', null]], [], 'd')).toEqual(['a', 'b', 'c', 'd'])
})

test('there may be more parts than a call takes arguments', () => {
  const many = Array.from({ length: 300_000 }, (_, i) => `${i}`)
  expect(presentParts('first', many, [many])).toHaveLength(600_001)
})

test.each([
  [0.4, 'less than a day'],
  [1, '1 day'],
  [59, '59 days'],
  [60, '2 months'],
  [729, '24 months'],
  [730, '2 years'],
])('%d days are %s', (days, words) => {
  const start = Date.parse('2026-01-01T00:00:00Z')
  expect([durationWords(start, start + days * 86_400_000), durationWords(start + days * 86_400_000, start)]).toEqual([words, words])
})

test('words that could be read as part of a sentence are quoted', () => {
  expect(['env', 'a b', 'or', 'not', 'order', ''].map(quotedIfNeeded)).toEqual(['env', '`a b`', '`or`', '`not`', 'order', '``'])
})
