/**
 * Tables of bits in one array of numbers. A block holds up to `words` × 31 units (a unit is one permission set of one policy) and
 * has, for the number of a resource pattern, the units that name it, and for the number of an action pattern, those that allow,
 * except and deny it. The parts for one identity are adjacent.
 */

export const bitsPerWord = 31

/** Places in a block's head. Sizes are of the three tables that follow: resources, what is allowed, what is excepted or denied. */
export const head = { account: 0, words: 1, resources: 2, allows: 3, others: 4, units: 5, shared: 6, length: 7 } as const

/** In place of the size of the first table: every unit is about the resource, whichever it is. */
export const anyResource = -1

/** Numbers that are only ever added to. */
export class Store {
  /** Replaced when it grows: read it anew for each use. */
  data: Int32Array
  length = 0

  constructor(size = 1 << 10) {
    this.data = new Int32Array(size)
  }

  /** Room for `count` zeros; returns where they start. */
  take(count: number): number {
    const start = this.length
    this.length += count
    if (this.length > this.data.length) {
      const grown = new Int32Array(Math.max(Math.floor(this.data.length * 1.5), this.length))
      grown.set(this.data.subarray(0, start))
      this.data = grown
    }
    return start
  }
}

/** Where in a table of some size the search for the number of a pattern starts. */
function slotOf(node: number, size: number): number {
  return ((Math.imul(node, 0x9e3779b1) >>> 16) * size) >>> 16
}

/**
 * The words of bits before the slots of a table: a bit is set for each number in it. Most numbers of a question are not in a table, and a
 * search for them in one that is four fifths full takes a dozen steps.
 */
function filterWords(size: number): number {
  return size === 0 ? 0 : (size >> 2) + 1
}

/** The length of a table with so many slots of some length. */
export function tableLength(size: number, stride: number): number {
  return filterWords(size) + size * stride
}

/** The input of a block. */
export interface BlockPlan {
  /** Numbers of units. */
  readonly units: readonly number[]
  /** Where its lists are: four lengths, then the numbers of resources, allow, except, deny. */
  readonly placeOf: (unit: number) => number
  /** Whether a unit has to be looked at itself (1), and whether what it says is not known (2). */
  readonly marksOf: (unit: number) => number
  readonly lists: Int32Array
  /** Sources whose units are not in this block. */
  readonly shared: readonly number[]
  readonly account: number
  /** False: every unit is about the resource, whichever it is. */
  readonly byResource: boolean
}

/** Counts different numbers without a set: a number is new when its mark is not this round's. */
export class Marks {
  private marks = new Int32Array(1 << 10)
  private round = 0
  private count = 0

  start(): void {
    this.round++
    this.count = 0
  }

  add(node: number): void {
    if (node >= this.marks.length) {
      const grown = new Int32Array(Math.max(this.marks.length * 2, node + 1))
      grown.set(this.marks)
      this.marks = grown
    }
    if (this.marks[node] === this.round) return
    this.marks[node] = this.round
    this.count++
  }

  /** The size of a table for what was counted: a quarter more, so that a search ends; none for nothing. */
  size(): number {
    return this.count === 0 ? 0 : this.count + (this.count >> 2) + 1
  }
}

/** Write a block; returns where it starts. `marks`: one for all blocks of a store. */
export function writeBlock(store: Store, marks: Marks, { units, placeOf, marksOf, lists, shared, account, byResource }: BlockPlan): number {
  const words = Math.ceil(units.length / bitsPerWord)
  const sizes = [byResource ? sizeFor(0, 1) : 0, sizeFor(1, 2), sizeFor(2, 4)] as const
  const carefulAt = head.length
  const openAt = carefulAt + words
  const unitsAt = openAt + words
  const sharedAt = unitsAt + units.length
  const resourcesAt = sharedAt + shared.length
  const allowsAt = resourcesAt + tableLength(sizes[0], 1 + words)
  const othersAt = allowsAt + tableLength(sizes[1], 1 + words)
  const block = store.take(othersAt + tableLength(sizes[2], 1 + 2 * words))
  const { data } = store
  data[block + head.words] = words
  data[block + head.resources] = byResource ? sizes[0] : anyResource
  data[block + head.allows] = sizes[1]
  data[block + head.others] = sizes[2]
  data[block + head.units] = units.length
  data[block + head.shared] = shared.length
  data[block + head.account] = account
  data.set(shared, block + sharedAt)
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] as number
    const word = Math.floor(index / bitsPerWord)
    const bit = 1 << (index % bitsPerWord)
    data[block + unitsAt + index] = unit
    const unitMarks = marksOf(unit)
    if (unitMarks !== 0) mark(data, block + carefulAt + word, bit)
    if ((unitMarks & 2) !== 0) mark(data, block + openAt + word, bit)
    const place = placeOf(unit)
    let position = place + 4
    for (let list = 0; list < 4; list++) {
      const end = position + (lists[place + list] as number)
      for (; position < end; position++) {
        const node = lists[position] as number
        if (list > 1) put(data, block + othersAt, sizes[2], 1 + 2 * words, node, (list - 2) * words + word, bit)
        else if (list === 1) put(data, block + allowsAt, sizes[1], 1 + words, node, word, bit)
        else if (byResource) put(data, block + resourcesAt, sizes[0], 1 + words, node, word, bit)
      }
    }
  }
  return block

  function sizeFor(from: number, to: number): number {
    marks.start()
    for (const unit of units) {
      const place = placeOf(unit)
      let position = place + 4
      for (let list = 0; list < to; list++) {
        const end = position + (lists[place + list] as number)
        if (list < from) position = end
        else for (; position < end; position++) marks.add(lists[position] as number)
      }
    }
    return marks.size()
  }
}

function mark(data: Int32Array, at: number, bit: number): void {
  data[at] = (data[at] as number) | bit
}

function put(data: Int32Array, table: number, size: number, stride: number, node: number, word: number, bit: number): void {
  const filter = filterWords(size)
  const filterBit = slotOf(node, 32 * filter)
  mark(data, table + (filterBit >>> 5), 1 << (filterBit & 31))
  const slots = table + filter
  let slot = slotOf(node, size)
  for (;;) {
    const slotStart = slots + slot * stride
    if (data[slotStart] === node || data[slotStart] === 0) {
      data[slotStart] = node
      mark(data, slotStart + 1 + word, bit)
      return
    }
    slot = slot + 1 === size ? 0 : slot + 1
  }
}

/**
 * Find the numbers of a list (its length, then the numbers) in a table: where the words of each that is there start is
 * written to `hits`. Returns how many there are.
 */
export function findAll(
  data: Int32Array,
  table: number,
  size: number,
  stride: number,
  pool: Int32Array,
  list: number,
  hits: Int32Array,
): number {
  if (size === 0) return 0
  let count = 0
  const filter = filterWords(size)
  const slots = table + filter
  const end = list + (pool[list] as number)
  for (let i = list + 1; i <= end; i++) {
    const node = pool[i] as number
    const filterBit = slotOf(node, 32 * filter)
    if (((data[table + (filterBit >>> 5)] as number) & (1 << (filterBit & 31))) === 0) continue
    for (let slot = slotOf(node, size); ; slot = slot + 1 === size ? 0 : slot + 1) {
      const slotStart = slots + slot * stride
      const storedNode = data[slotStart]
      if (storedNode === node) hits[count++] = slotStart + 1
      if (storedNode === node || storedNode === 0) break
    }
  }
  return count
}
