import { madeIn } from '../collections.ts'
import type { AddressRange } from '../conditions/address.ts'
import { rangesIn } from '../conditions/sets.ts'
import { keyOf } from '../keys.ts'
import type { AddressTest } from './conditions.ts'

const end = 2 ** 32
const block = 2 ** 24

/**
 * IPv4 addresses in classes: those for which the same comparisons hold. All of a range has one first byte, by which it is joined.
 * Comparisons with IPv6 addresses are left to the engine.
 */
export function addressTables(tests: readonly AddressTest[]): { readonly ranges: number[][]; readonly holds: number[][] } {
  if (tests.length === 0) return { ranges: [], holds: [] }
  const testRanges = tests.flatMap(({ atom, test }) =>
    rangesIn(test.set)
      .filter(isV4)
      .map((range) => ({ atom, first: Number(range.first), after: Number(range.last) + 1 })),
  )
  const changes = [
    ...testRanges.map(({ atom, first }) => ({ at: first, atom, by: 1 })),
    ...testRanges.map(({ atom, after }) => ({ at: after, atom, by: -1 })),
  ].sort((a, b) => a.at - b.at)
  const classes = new Map<string, number>()
  const ranges: number[][] = []
  const holds: number[][] = []
  const covering = new Map<number, number>()
  let next = 0
  let lo = 0
  while (lo < end) {
    for (let change = changes[next]; change !== undefined && change.at <= lo; change = changes[++next]) {
      const count = (covering.get(change.atom) ?? 0) + change.by
      if (count === 0) covering.delete(change.atom)
      else covering.set(change.atom, count)
    }
    const after = Math.min(changes[next]?.at ?? end, end, (Math.floor(lo / block) + 1) * block)
    const atoms = [...covering.keys()].sort((a, b) => a - b)
    const number = madeIn(classes, keyOf(...atoms), () => {
      for (const atom of atoms) holds.push([classes.size, atom])
      return classes.size
    })
    ranges.push([Math.floor(lo / block), lo, after - 1, number])
    lo = after
  }
  return { ranges, holds }
}

const isV4 = ({ family }: AddressRange) => family === 4
