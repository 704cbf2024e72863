import { digest, type MapNode, symbolOf } from '../tree.ts'

/**
 * Assignments: values chosen for the unknowns. A value that is not known is a symbol: the same symbol gets the same value. A finding
 * is reported if it is found for every assignment (see `certain.ts`).
 *
 * Each kind of assignment but `least` and `alike` removes findings that no other one removes. The table counts findings of the first
 * assignment that are removed, of 377 that do not hold in the configurations of the tests and 16,354 in generated ones
 * (`test/hcl/unknown-fixes.deep.test.ts` with three seeds):
 *
 * | assignment | tests | by no other | generated | by no other |
 * |---|---|---|---|---|
 * | `second` | 58 | 7 | 3,542 | 226 |
 * | `least` | 58 | 0 | 2,789 | 0 |
 * | `most` | 277 | 0 | 13,077 | 22 |
 * | `granted` | 222 | 16 | 9,865 | 163 |
 * | `refused` | 142 | 2 | 7,076 | 61 |
 * | `alike` | 24 | 0 | 599 | 0 |
 * | each of 12 mixtures | 60 to 158 | 1 in all | 3,497 to 6,022 | 28 in all |
 * | each of 12 separations | 15 to 71 | 2 in all | 745 to 1,904 | 17 in all |
 *
 * `least` and `alike` are kept although no finding here needed them: only in them is every symbol absent, or every symbol the same.
 * Mixtures and separations differ by a hash of the symbols only, so that those which removed nothing here may be needed for other
 * names. Assignments that choose the same values are tried once.
 */
export type Assignment = 'first' | 'second' | 'least' | 'most' | 'granted' | 'refused' | 'alike' | number

/** How many assignments choose for each symbol by itself: as many as an unknown value has choices at most. */
const mixtures = 12
/** As many again where records may not be there, so that of any two there is an assignment with only the one, and another with only the other. */
const separations = 12
/** Whether an assignment only distinguishes records that may not be there. */
export const isSeparation = (assignment: Assignment): boolean => typeof assignment === 'number' && assignment >= mixtures

/**
 * The first has a separate name for each symbol, the second other names, of another kind, length and order, so that no finding depends
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
  // Each two assignments look at a separate digit and take its two values for present: records of other symbols are not always together.
  return ((numberOf(perhaps.map(symbolOf).join(' ')) >>> (assignment >>> 1)) & 1) === (assignment & 1)
}

/** A number for a symbol, as good as chosen by chance. */
export function numberOf(text: string): number {
  return Number.parseInt(digest(text).slice(-6), 36)
}
