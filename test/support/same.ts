import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'

/** As `expect(found, about).toEqual(expected)`, in a tenth of the time where both are the same: for what is compared thousands of times. */
export function expectSame(found: unknown, expected: unknown, about: () => string = () => ''): void {
  if (!isDeepStrictEqual(found, expected)) expect(found, about()).toEqual(expected)
}
