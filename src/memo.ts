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
    if (!made.has(key)) made.set(key, make(key))
    return made.get(key) as V
  }
}
