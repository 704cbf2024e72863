/**
 * Sets of contexts as unions of boxes: in each dimension (time, address, a tag, …) finitely many classes, and a box holds a
 * set of classes in each. Sets are made from boxes by union, intersection and difference, and shortened without a change of
 * what they hold.
 */

/** The classes of one dimension that belong to a set, a bit for each. */
export type Bits = bigint

/** Its part of each dimension: it is empty if one of them is. */
export type Cell = readonly Bits[]

/** How many steps there are left; `Exceeded` is thrown where there are none. */
export class Budget {
  private left: number

  constructor(steps: number) {
    this.left = steps
  }

  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new Exceeded('too many steps')
  }
}

export class Exceeded extends Error {}

/** The operations on sets over some dimensions, given by all the classes of each. */
export class Cover {
  readonly whole: Cell
  private readonly budget: Budget

  constructor(whole: Cell, budget: Budget) {
    this.whole = whole
    this.budget = budget
  }

  /** Those that hold these classes in one dimension. */
  slice(dimension: number, bits: Bits): readonly Cell[] {
    return bits === 0n ? [] : [this.whole.with(dimension, bits)]
  }

  union(lists: readonly (readonly Cell[])[]): readonly Cell[] {
    return lists.length === 1 ? (lists[0] as readonly Cell[]) : this.tidy(lists.flat())
  }

  intersection(lists: readonly (readonly Cell[])[]): readonly Cell[] {
    let result: readonly Cell[] = [this.whole]
    for (const list of lists) {
      this.budget.spend(result.length * list.length)
      result = this.tidy(result.flatMap((a) => list.map((b) => meet(a, b)).filter(isFilled)))
    }
    return result
  }

  /** The part of a box that is in none of the others. */
  without(cell: Cell, others: readonly Cell[]): readonly Cell[] {
    let remaining: readonly Cell[] = [cell]
    for (const other of others) {
      this.budget.spend(remaining.length)
      remaining = this.tidy(remaining.flatMap((each) => pieces(each, other)))
    }
    return remaining
  }

  /** The smallest box that holds them all. */
  around(cells: readonly Cell[]): Cell {
    return this.whole.map((_, d) => cells.reduce((bits, cell) => bits | (cell[d] as Bits), 0n))
  }

  /** The same set in fewer and wider boxes. What is in `free` may be added to them or not. */
  shortened(cells: readonly Cell[], free: readonly Cell[] = []): readonly Cell[] {
    let list = this.tidy(cells)
    if (list.length === 1 && free.length === 0) return list
    for (let i = 0; i < list.length; i++) {
      const wide = this.widened(list[i] as Cell, [...list, ...free])
      list = list.with(i, wide)
    }
    list = this.tidy(list)
    for (let i = list.length - 1; i >= 0 && list.length > 1; i--) {
      const others = list.filter((_, j) => j !== i)
      if (this.isCovered(list[i] as Cell, [...others, ...free])) list = others
    }
    return list
  }

  /** In every dimension in which that adds nothing, the box with all classes. */
  private widened(cell: Cell, all: readonly Cell[]): Cell {
    let wide = cell
    for (let d = this.whole.length - 1; d >= 0; d--) {
      const more = (this.whole[d] as Bits) & ~(wide[d] as Bits)
      if (more !== 0n && this.isCovered(wide.with(d, more), all)) wide = wide.with(d, this.whole[d] as Bits)
    }
    return wide
  }

  /** Whether everything in a box is in one of the others. */
  isCovered(cell: Cell, by: readonly Cell[], next = 0): boolean {
    if (!isFilled(cell)) return true
    for (let i = next; i < by.length; i++) {
      this.budget.spend(this.whole.length)
      const other = by[i] as Cell
      if (!isFilled(meet(cell, other))) continue
      return pieces(cell, other).every((piece) => this.isCovered(piece, by, i + 1))
    }
    return false
  }

  /** Boxes without those within another one, and with those that differ in one dimension merged. */
  private tidy(cells: readonly Cell[]): readonly Cell[] {
    const list: Cell[] = []
    for (const cell of cells) {
      let fresh = cell
      for (let i = 0; i < list.length; i++) {
        this.budget.spend(this.whole.length)
        const joined = joinedOf(list[i] as Cell, fresh)
        if (!joined) continue
        // A wider box may be mergeable with an earlier one.
        fresh = joined
        list.splice(i, 1)
        i = -1
      }
      list.push(fresh)
    }
    return list
  }
}

function isFilled(cell: Cell): boolean {
  return cell.every((bits) => bits !== 0n)
}

function meet(a: Cell, b: Cell): Cell {
  return a.map((bits, d) => bits & (b[d] as Bits))
}

/** The part of `a` outside of `b`, in boxes that do not overlap. */
function pieces(a: Cell, b: Cell): readonly Cell[] {
  if (!isFilled(meet(a, b))) return [a]
  const out: Cell[] = []
  let remaining = a
  for (const [d, bits] of b.entries()) {
    const beyond = (remaining[d] as Bits) & ~bits
    if (beyond !== 0n) out.push(remaining.with(d, beyond))
    remaining = remaining.with(d, (remaining[d] as Bits) & bits)
  }
  return out
}

/** Both as one box, where that holds nothing more; undefined otherwise. */
function joinedOf(a: Cell, b: Cell): Cell | undefined {
  const apart: number[] = []
  let [aIsIn, bIsIn] = [true, true]
  for (const [d, bits] of a.entries()) {
    const other = b[d] as Bits
    if (bits === other) continue
    apart.push(d)
    if ((bits & ~other) !== 0n) aIsIn = false
    if ((other & ~bits) !== 0n) bIsIn = false
    if (apart.length > 1 && !aIsIn && !bIsIn) return undefined
  }
  if (aIsIn) return b
  if (bIsIn) return a
  const d = apart[0] as number
  return a.with(d, (a[d] as Bits) | (b[d] as Bits))
}
