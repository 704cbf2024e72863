/** What a key is made of. `null` is none, since it would be the same as what is not there; nor is a number that is not finite. */
export type KeyPart = string | number | boolean | undefined | readonly KeyPart[]

/**
 * A text for several things, as the key of a map or a set or where two lists are compared: the same only where all of them
 * are. Texts joined by a separator are not: a text that holds the separator makes two lists one (`test/project/keys.test.ts`).
 */
export function keyOf(...parts: readonly KeyPart[]): string {
  return JSON.stringify(parts)
}
