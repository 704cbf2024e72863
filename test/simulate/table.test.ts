import { describe, expect, test } from 'vitest'
import { anyResource, bitsPerWord, findAll, head, Marks, Store, tableLength, writeBlock } from '../../src/simulate/table.ts'
import { randomOf } from '../support/worlds.ts'

/** The names of a unit: numbers of resources, of what it allows, excepts and denies. */
type Lists = readonly [readonly number[], readonly number[], readonly number[], readonly number[]]

/** The numbers of lists as blocks read them, with the place of each. */
function written(all: readonly Lists[]) {
  const places: number[] = []
  const data: number[] = [0, 0, 0]
  for (const lists of all) {
    places.push(data.length)
    data.push(...lists.map((list) => list.length), ...lists.flat())
  }
  return { lists: Int32Array.from(data), placeOf: (unit: number) => places[unit] as number }
}

/** The places of the bits in words that are one after another. */
const bitsOf = (data: Int32Array, at: number, words: number): readonly number[] =>
  Array.from({ length: words * bitsPerWord }, (_, i) => i).filter(
    (i) => ((data[at + Math.floor(i / bitsPerWord)] as number) & (1 << (i % bitsPerWord))) !== 0,
  )

/** A block, read by its documented layout. */
function reader({ data }: Store, block: number) {
  const at = (place: number) => data[block + place] as number
  const [words, resources, allows, others] = [at(head.words), at(head.resources), at(head.allows), at(head.others)]
  const [count, shared] = [at(head.units), at(head.shared)]
  const carefulAt = block + head.length
  const unitsAt = carefulAt + 2 * words
  const tablesAt = unitsAt + count + shared
  const allowsAt = tablesAt + (resources === anyResource ? 0 : tableLength(resources, 1 + words))
  const othersAt = allowsAt + tableLength(allows, 1 + words)
  /** The bits of the units that name a number, in one part of a table. */
  const find = (table: number, size: number, parts: number, part: number) => (node: number) => {
    const hits = new Int32Array(1)
    const pool = Int32Array.of(1, node)
    return findAll(data, table, size, 1 + parts * words, pool, 0, hits) === 0 ? [] : bitsOf(data, (hits[0] as number) + part * words, words)
  }
  return {
    words,
    sizes: [resources, allows, others],
    account: at(head.account),
    careful: bitsOf(data, carefulAt, words),
    open: bitsOf(data, carefulAt + words, words),
    units: Array.from(data.subarray(unitsAt, unitsAt + count)),
    shared: Array.from(data.subarray(unitsAt + count, tablesAt)),
    end: othersAt + tableLength(others, 1 + 2 * words),
    lists: [find(tablesAt, resources, 1, 0), find(allowsAt, allows, 1, 0), find(othersAt, others, 2, 0), find(othersAt, others, 2, 1)],
  }
}

describe('a store', () => {
  test('gives zeros, and keeps what was written while it grows', () => {
    const store = new Store(4)
    const sizes = [3, 1, 1, 2, 50, 0, 7]
    let expected: number[] = []
    for (const size of sizes) {
      expect(store.take(size)).toBe(expected.length)
      expect(Array.from(store.data.subarray(expected.length, store.length))).toEqual(Array(size).fill(0))
      const own = Array.from({ length: size }, (_, i) => 100 * size + i + 1)
      store.data.set(own, expected.length)
      expected = [...expected, ...own]
      expect(Array.from(store.data.subarray(0, store.length))).toEqual(expected)
    }
  })

  test('grows by half, or as far as is needed', () => {
    const store = new Store(8)
    const lengths = [8, 1, 3, 1, 30].map((size) => {
      store.take(size)
      return store.data.length
    })
    expect(lengths).toEqual([8, 12, 12, 18, 43])
  })
})

describe('marks', () => {
  test('count different numbers, anew in each round', () => {
    const marks = new Marks()
    // A quarter more than was counted, and one; none for nothing.
    for (const [nodes, size] of [
      [[], 0],
      [[5], 2],
      [[5, 5, 5], 2],
      [[1, 2, 3, 2, 1], 4],
      [[4, 3, 2, 1], 6],
      [[1023, 1024, 1025, 1024, 1023, 1025], 4],
      [[9000, 2048, 9000, 1, 2048], 4],
      [[], 0],
      [Array.from({ length: 100 }, (_, i) => 1 + (i % 40)), 51],
    ] as const) {
      marks.start()
      for (const node of nodes) marks.add(node)
      expect([nodes, marks.size()]).toEqual([nodes, size])
    }
  })
})

describe('a block', () => {
  const account = -7

  /** Units of random lists. */
  function unitsOf(seed: number, count: number, most: number): readonly Lists[] {
    const random = randomOf(seed)
    const list = (longest: number) => [
      ...new Set(Array.from({ length: Math.floor(random() * (longest + 1)) }, () => 1 + Math.floor(random() * most))),
    ]
    return Array.from({ length: count }, () => [list(3), list(4), list(2), list(2)])
  }

  // Units over words: none, one, a full word, one more, several words.
  test.each(
    [0, 1, 2, 30, 31, 32, 62, 63, 100].flatMap((count) =>
      [8, 90, 2000].flatMap((most) => [true, false].map((by) => [count, most, by] as const)),
    ),
  )('of %i units that name numbers up to %i says of each number what its units say (by resource: %j)', (count, most, byResource) => {
    const all = unitsOf(count * 7 + most, count + 3, most)
    // Not the first units, and not in order.
    const units = Array.from({ length: count }, (_, i) => count + 2 - i)
    const marksOf = (unit: number) => unit % 4
    const { lists, placeOf } = written(all)
    const store = new Store()
    const marks = new Marks()
    store.take(5)
    const plan = { units, placeOf, marksOf, lists, shared: [4, 2], account, byResource }
    // A second block of the same store says the same.
    for (const block of [writeBlock(store, marks, plan), writeBlock(store, marks, plan)]) {
      const read = reader(store, block)
      const at = units.map((_, i) => i)
      expect(read).toMatchObject({
        words: Math.ceil(count / 31),
        account,
        units,
        shared: [4, 2],
        careful: at.filter((i) => (units[i] as number) % 4 !== 0),
        open: at.filter((i) => (units[i] as number) % 4 >= 2),
      })
      expect(read.end).toBeLessThanOrEqual(store.length)
      // Tables are for as many different numbers as there are, and a quarter more.
      const tables = [[0], [1], [2, 3]].map((of) => new Set(units.flatMap((unit) => of.flatMap((i) => all[unit]?.[i] ?? []))).size)
      const sizes = tables.map((size) => (size === 0 ? 0 : size + Math.floor(size / 4) + 1))
      expect(read.sizes).toEqual(byResource ? sizes : [anyResource, ...sizes.slice(1)])
      for (let node = 1; node <= most; node++) {
        const naming = [0, 1, 2, 3].map((list) => at.filter((i) => all[units[i] as number]?.[list]?.includes(node)))
        const found = read.lists.map((find, list) => (list === 0 && !byResource ? naming[0] : find(node)))
        if (JSON.stringify(found) !== JSON.stringify(naming)) expect([node, found]).toEqual([node, naming])
      }
    }
    expect(reader(store, 5).end).toBe(5 + (store.length - 5) / 2)
  })
})

describe('the search for a list of numbers', () => {
  test('gives the places of those that are there, in the order of the list', () => {
    const { lists, placeOf } = written([
      [[3, 70], [], [], []],
      [[70, 1500], [], [], []],
    ])
    const store = new Store()
    const block = writeBlock(store, new Marks(), {
      units: [0, 1],
      placeOf,
      marksOf: () => 0,
      lists,
      shared: [],
      account: -1,
      byResource: true,
    })
    const size = store.data[block + head.resources] as number
    const table = block + head.length + 2 + 2
    const hits = new Int32Array(6).fill(-1)
    const pool = Int32Array.of(9, 9, 5, 1500, 4, 70, 3, 8, 9)
    const count = findAll(store.data, table, size, 2, pool, 2, hits)
    expect(count).toBe(3)
    expect(Array.from(hits.subarray(0, 3), (at) => store.data[at])).toEqual([0b10, 0b11, 0b01])
    expect(Array.from(hits.subarray(3))).toEqual([-1, -1, -1])
    expect(findAll(store.data, table, 0, 2, pool, 2, hits)).toBe(0)
  })
})
