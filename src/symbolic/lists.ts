/** Those of the items that no other covers; of equal ones the first. Quadratic. */
export function uncoveredBy<T>(items: readonly T[], covers: (wide: T, narrow: T) => boolean): readonly T[] {
  const uncovered: T[] = []
  for (const item of items) {
    if (uncovered.some((other) => covers(other, item))) continue
    for (let i = uncovered.length - 1; i >= 0; i--) if (covers(item, uncovered[i] as T)) uncovered.splice(i, 1)
    uncovered.push(item)
  }
  return uncovered
}
