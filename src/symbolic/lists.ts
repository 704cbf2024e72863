/** Those of the items that no other covers; of equal ones the first. Quadratic. */
export function uncoveredBy<T>(items: readonly T[], covers: (wide: T, narrow: T) => boolean): readonly T[] {
  const kept: T[] = []
  for (const item of items) {
    if (kept.some((other) => covers(other, item))) continue
    for (let i = kept.length - 1; i >= 0; i--) if (covers(item, kept[i] as T)) kept.splice(i, 1)
    kept.push(item)
  }
  return kept
}
