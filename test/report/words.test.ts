import { expect, test } from 'vitest'
import { presentParts } from '../../src/report/words.ts'

test('parts within parts are said in their order, and those that are not said are left out', () => {
  expect(presentParts('a', false, ['b', undefined, ['c', null]], [], 'd')).toEqual(['a', 'b', 'c', 'd'])
})

test('there may be more parts than a call takes arguments', () => {
  const many = Array.from({ length: 300_000 }, (_, i) => `${i}`)
  expect(presentParts('first', many, [many])).toHaveLength(600_001)
})
