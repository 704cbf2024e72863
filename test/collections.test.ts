import { expect, test } from 'vitest'
import { addTo, groupedBy, partitionPoint, pushAllTo, pushTo } from '../src/collections.ts'

test('values are put behind those that a key has', () => {
  const map = new Map([['a', [1]]])
  pushTo(map, 'a', 2)
  pushTo(map, 'b', 3)
  pushAllTo(map, 'a', [4, 5])
  pushAllTo(map, 'c', [])
  pushAllTo(map, 'd', new Set([6]))
  expect([...map]).toEqual([
    ['a', [1, 2, 4, 5]],
    ['b', [3]],
    ['c', []],
    ['d', [6]],
  ])
})

test('a list that is handed in is not the one that is kept', () => {
  const map = new Map<string, number[]>()
  const values = [1]
  pushAllTo(map, 'a', values)
  pushTo(map, 'a', 2)
  expect(values).toEqual([1])
})

test('sets hold a value once', () => {
  const map = new Map<string, Set<number>>()
  for (const value of [1, 1, 2]) addTo(map, 'a', value)
  expect([...(map.get('a') ?? [])]).toEqual([1, 2])
})

test('items are grouped in the order in which their keys come first', () => {
  expect([...groupedBy(['b1', 'a1', 'b2'], (text) => text.slice(0, 1))]).toEqual([
    ['b', ['b1', 'b2']],
    ['a', ['a1']],
  ])
})

test('the place in a sorted list is behind all that come before', () => {
  const sorted = [1, 3, 3, 5]
  const places = [0, 1, 2, 3, 4, 5, 6].map((number) => partitionPoint(sorted, (each) => each < number))
  expect(places).toEqual([0, 0, 1, 1, 3, 3, 4])
  expect(partitionPoint([], () => true)).toBe(0)
})
