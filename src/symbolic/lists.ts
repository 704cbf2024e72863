/** A value that is computed on first use. */
export function lazy<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined
  return () => {
    found ??= { value: find() }
    return found.value
  }
}

/** A function that works out its result once for each text of its argument. */
export function memoizeByText<T, R>(textOf: (value: T) => string, find: (value: T) => R): (value: T) => R {
  const known = new Map<string, R>()
  return (value) => {
    const text = textOf(value)
    const found = known.get(text) ?? find(value)
    known.set(text, found)
    return found
  }
}

/** The same for each object. */
export function memoizeByObject<T extends object, R>(find: (value: T) => R): (value: T) => R {
  const known = new Map<T, R>()
  return (value) => {
    const found = known.get(value) ?? find(value)
    known.set(value, found)
    return found
  }
}

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
