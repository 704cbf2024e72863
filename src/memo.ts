/** A function of an object that is worked out once for each, as long as the object lives. */
export function memo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const known = made.get(key)
    if (known) return known.value
    const value = make(key)
    made.set(key, { value })
    return value
  }
}
