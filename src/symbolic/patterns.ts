import { type Allowance, spend, Undecided } from '../budget.ts'
import { covers, type Glob, intersection, overlaps } from '../glob.ts'

/** A name as the pattern that matches only it, even if it contains a wildcard. */
export function literal(text: string): Glob {
  return { text, pieces: [text] }
}

/**
 * The intersection of patterns. Throws `Undecided` where that takes too many patterns, and counts the work against the allowance,
 * if one is given: it grows with the square of their number.
 */
export function meet(a: Glob, b: Glob, allowance?: Allowance): readonly Glob[] {
  const patterns = meetIfFeasible(a, b)
  if (!patterns) throw new Undecided([a.text, b.text])
  if (allowance) spend(allowance, Math.floor((patterns.length * patterns.length) / 100))
  return patterns
}

/** How many ways to order the inner pieces of two patterns are followed up, and how many pairs of their letters. */
const [mostOrders, mostCells] = [300, 250_000]

/** The same, undefined where that takes too many patterns. */
export function meetIfFeasible(a: Glob, b: Glob): readonly Glob[] | undefined {
  if (!overlaps(a, b)) return []
  // Without wildcards on both sides one covers the other. Else work may grow beyond all bounds.
  const small = a.text.length * b.text.length < mostCells && orders(a, b) <= mostOrders
  return small || covers(a, b) || covers(b, a) ? intersection(a, b) : undefined
}

/** In how many orders the pieces between wildcards can follow each other. */
function orders(a: Glob, b: Glob): number {
  const [m, n] = [a.pieces.length - 2, b.pieces.length - 2]
  let count = 1
  for (let i = 1; i <= n; i++) count = (count * (m + i)) / i
  return count
}
