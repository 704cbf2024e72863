/** A function of an object that never changes, computed once for each object. */
export type Memoize = <K extends object, V>(make: (key: K) => V, key: K) => V

/** Results of functions of one thing, each made once, for as long as the result of this is there. */
export function madeOnce<C>(of: C): <T>(make: (of: C) => T) => T {
  const made = new Map<unknown, unknown>()
  return <T>(make: (of: C) => T): T => {
    if (!made.has(make)) made.set(make, make(of))
    return made.get(make) as T
  }
}

/** Keeps what functions make of objects, for as long as the objects are there: for what is asked of the same ones again and again. */
export class Memo {
  private readonly known = new Map<unknown, WeakMap<object, unknown>>()

  readonly keep: Memoize = <K extends object, V>(make: (key: K) => V, key: K) => {
    let made = this.known.get(make)
    if (!made) {
      made = new WeakMap()
      this.known.set(make, made)
    }
    // Mostly there is a result: one look-up then finds it.
    const existing = made.get(key)
    if (existing !== undefined || made.has(key)) return existing as V
    const result = make(key)
    made.set(key, result)
    return result
  }
}

/** A value that is computed on first use. */
export function lazy<T>(find: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => {
    result ??= { value: find() }
    return result.value
  }
}

/** A function that works out its result once for each string that its argument has. */
export function memoizeByText<T, R>(textOf: (value: T) => string, find: (value: T) => R): (value: T) => R {
  const results = new Map<string, R>()
  return (value) => {
    const text = textOf(value)
    const result = results.get(text) ?? find(value)
    results.set(text, result)
    return result
  }
}

/** The same for each object. */
export function memoizeByObject<T extends object, R>(find: (value: T) => R): (value: T) => R {
  const results = new Map<T, R>()
  return (value) => {
    const found = results.get(value) ?? find(value)
    results.set(value, found)
    return found
  }
}
