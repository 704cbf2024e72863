import { digest, type MapNode, symbolOf } from '../tree.ts'

/**
 * Assignments: values chosen for the unknowns. A value that is not known is a symbol: the same symbol gets the same value. A finding
 * is reported if it is found for every assignment (see `certain.ts`).
 *
 * Each kind of assignment removes findings that no other one removes. Of 377 findings of the first assignment that are not certain, in
 * the configurations of the tests, and of 16,354 in generated ones (`test/hcl/unknown-fixes.test.ts` with three seeds), so many are
 * removed by an assignment, and so many by no other one:
 *
 * | assignment | tests | by it only | generated | by it only |
 * |---|---|---|---|---|
 * | `second` | 58 | 7 | 3,542 | 226 |
 * | `least` | 58 | 0 | 2,789 | 0 |
 * | `most` | 277 | 0 | 13,077 | 22 |
 * | `granted` | 222 | 16 | 9,865 | 163 |
 * | `refused` | 142 | 2 | 7,076 | 61 |
 * | `alike` | 24 | 0 | 599 | 0 |
 * | each of 12 mixtures | 60 to 158 | 1 | 3,497 to 6,022 | 28 |
 * | each of 12 separations | 15 to 71 | 2 | 745 to 1,904 | 17 |
 *
 * `least` and `alike` are kept for what they are: only in them all is absent, and all the same. Each mixture gives a symbol another one
 * of the values it may equal, and each separation another set of records, so that none of them is the one that is not needed. What
 * they cost is little where few values are not known: assignments that choose the same values are tried once.
 */
export type Assignment = 'first' | 'second' | 'least' | 'most' | 'granted' | 'refused' | 'alike' | number

/** How many assignments choose for each symbol by itself: as many as an unknown value has choices at most. */
const mixtures = 12
/** As many again where records may not be there, so that of any two there is an assignment with only the one, and another with only the other. */
const separations = 12
/** Whether an assignment only distinguishes records that may not be there. */
export const isSeparation = (assignment: Assignment): boolean => typeof assignment === 'number' && assignment >= mixtures

/**
 * The first has a name of its own for each symbol, the second other names, of another kind, length and order, so that no finding rests
 * on the names. The others make symbols absent, equal to one another, or equal to what is written nearby.
 */
export const assignments: readonly Assignment[] = [
  'first',
  'second',
  'least',
  'most',
  'granted',
  'refused',
  'alike',
  ...Array.from({ length: mixtures + separations }, (_, i) => i),
]

/** Whether a record that may not be there is there in an assignment. */
export function isThere({ perhaps = [] }: MapNode, assignment: Assignment): boolean {
  if (perhaps.length === 0) return true
  if (assignment === 'least') return false
  if (typeof assignment !== 'number') return true
  // Each two assignments look at a digit of their own and take its two values for present: records of other symbols are not always together.
  return ((numberOf(perhaps.map(symbolOf).join(' ')) >>> (assignment >>> 1)) & 1) === (assignment & 1)
}

/** A number for a symbol, as good as chosen by chance. */
export function numberOf(text: string): number {
  return Number.parseInt(digest(text).slice(-6), 36)
}
