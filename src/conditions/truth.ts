/** Kleene's three values: `undefined` is "not known". */
export type Truth = boolean | undefined

/** True when all are, false when one is not, else not known. Of none: true. */
export function every<T>(items: Iterable<T>, truth: (item: T) => Truth): Truth {
  let result: Truth = true
  for (const item of items) {
    const t = truth(item)
    if (t === false) return false
    if (t === undefined) result = undefined
  }
  return result
}

/** True when one is, false when none is, else not known. Of none: false. */
export function some<T>(items: Iterable<T>, truth: (item: T) => Truth): Truth {
  const none = every(items, (item) => not(truth(item)))
  return not(none)
}

export function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth
}
