/** Maps that hold several values for a key, and sorted lists. */

/** Put a value behind those that a map has for a key. */
export function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

/** The same with several values; a key is there afterwards where there are none as well. */
export function pushAllTo<K, V>(map: Map<K, V[]>, key: K, values: Iterable<V>): void {
  const known = map.get(key)
  if (known) for (const value of values) known.push(value)
  else map.set(key, [...values])
}

/** Put a value into the set that a map has for a key. */
export function addTo<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const known = map.get(key)
  if (known) known.add(value)
  else map.set(key, new Set([value]))
}

/** A map, or a weak one. */
interface Store<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** The value that a map has for a key, made and put there where it has none. */
export function madeIn<K, V>(map: Store<K, V>, key: K, make: (key: K) => V): V {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make(key)
  map.set(key, made)
  return made
}

/** The items by a key of each, in the order in which the keys come first. */
export function groupedBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) pushTo(groups, keyOf(item), item)
  return groups
}

/** An item, and all that is reached from it in any number of steps, each once. */
export function reachedFrom<T>(start: T, next: (item: T) => Iterable<T>): readonly T[] {
  const all = new Set([start])
  for (const each of all) for (const other of next(each)) all.add(other)
  return [...all]
}

/** How many items of a sorted list come first: `isBefore` holds for them, and for none behind them. */
export function partitionPoint<T>(sorted: readonly T[], isBefore: (item: T) => boolean): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(sorted[middle] as T)) low = middle + 1
    else high = middle
  }
  return low
}
