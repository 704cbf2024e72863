/** A component of a key. No `null`, since it would equal a missing value; the same for a number that is not finite. */
export type KeyPart = string | number | boolean | undefined | readonly KeyPart[]

/**
 * A text for several values, as the key of a map or a set or where two lists are compared: equal only where all values are.
 * Strings joined by a separator would not do: one that contains the separator makes two lists equal
 * (`test/project/keys.deep.test.ts`).
 */
export function keyOf(...parts: readonly KeyPart[]): string {
  return JSON.stringify(parts)
}
