import { setFlagsFromString } from 'node:v8'

/**
 * By how much of what is in use memory may grow before what is not used is collected, in percent. V8 chooses up to four times as much by
 * itself, where a program makes much that it soon drops.
 */
const growth = 40

/** Has V8 collect earlier from here on: a run takes about a tenth more time, and half of the memory where it takes much. */
export function collectEarlier(): void {
  setFlagsFromString(`--heap-growing-percent=${growth}`)
}
