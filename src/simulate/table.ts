/**
 * Tables of bits in one array of numbers. A block stands for up to `words` × 31 units (a unit is one permission set of
 * one policy) and tells, for the number of a resource pattern, which of its units name it, and for the number of an
 * action pattern, which of them allow, except and deny it. All that one identity needs lies side by side.
 */

export const bitsPerWord = 31

/** Places in a block's head. */
export const head = { words: 0, resourceMask: 1, actionMask: 2, units: 3, shared: 4, account: 5, length: 6 } as const

/** The node lists of a unit, in a pool: four lengths, then the numbers of resources, allow, except, deny. */
export interface UnitLists {
  readonly pool: Int32Array
  readonly at: number
}

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
    const at = this.length
    this.length += count
    if (this.length > this.data.length) {
      const grown = new Int32Array(Math.max(this.data.length * 2, this.length))
      grown.set(this.data.subarray(0, at))
      this.data = grown
    }
    return at
  }
}

/** Spread the numbers of patterns over a table whose size is a power of two. */
export function slotOf(node: number, mask: number): number {
  return (Math.imul(node, 0x9e3779b1) >>> 7) & mask
}

/** What a block is made of. */
export interface BlockPlan {
  /** Numbers of units, and for each where its lists are in `lists`. */
  readonly units: readonly number[]
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
class Marks {
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

  /** The size of a table for what was counted: a power of two, a third of it free at least. */
  size(): number {
    let size = 2
    while (size * 2 < this.count * 3) size *= 2
    return size
  }
}

const marks = new Marks()

/** Write a block; returns where it starts. */
export function writeBlock(store: Store, { units, placeOf, marksOf, lists, shared, account, byResource }: BlockPlan): number {
  const words = Math.ceil(units.length / bitsPerWord)
  const resourceSize = byResource ? sizeFor(0, 1) : 0
  const actionSize = sizeFor(1, 4)
  const carefulAt = head.length
  const openAt = carefulAt + words
  const unitsAt = openAt + words
  const sharedAt = unitsAt + units.length
  const resourcesAt = sharedAt + shared.length
  const actionsAt = resourcesAt + resourceSize * (1 + words)
  const block = store.take(actionsAt + actionSize * (1 + 3 * words))
  const { data } = store
  data[block + head.words] = words
  data[block + head.resourceMask] = resourceSize - 1
  data[block + head.actionMask] = actionSize - 1
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
    let at = place + 4
    for (let list = 0; list < 4; list++) {
      const end = at + (lists[place + list] as number)
      for (; at < end; at++) {
        const node = lists[at] as number
        if (list > 0) put(data, block + actionsAt, actionSize - 1, 1 + 3 * words, node, (list - 1) * words + word, bit)
        else if (byResource) put(data, block + resourcesAt, resourceSize - 1, 1 + words, node, word, bit)
      }
    }
  }
  return block

  function sizeFor(from: number, to: number): number {
    marks.start()
    for (const unit of units) {
      const place = placeOf(unit)
      let at = place + 4
      for (let list = 0; list < to; list++) {
        const end = at + (lists[place + list] as number)
        if (list < from) at = end
        else for (; at < end; at++) marks.add(lists[at] as number)
      }
    }
    return marks.size()
  }
}

function mark(data: Int32Array, at: number, bit: number): void {
  data[at] = (data[at] as number) | bit
}

function put(data: Int32Array, table: number, mask: number, stride: number, node: number, word: number, bit: number): void {
  let slot = slotOf(node, mask)
  for (;;) {
    const at = table + slot * stride
    if (data[at] === node || data[at] === 0) {
      data[at] = node
      mark(data, at + 1 + word, bit)
      return
    }
    slot = (slot + 1) & mask
  }
}
