/**
 * How long tests wait. Nothing here measures the program: a machine that is ten times slower, or has other work, reaches none
 * of these limits. They only end a test that waits for what never happens.
 */
const minute = 60_000

/** The longest that a test waits for one thing to happen, in milliseconds. */
export const longestWait = 10 * minute

/** Settings of every configuration of vitest. */
export const patience = {
  testTimeout: 30 * minute,
  hookTimeout: 30 * minute,
  expect: { poll: { timeout: longestWait } },
} as const

/** Wait until there is something, and answer it; `false` and `undefined` are nothing. Rejects where nothing comes. */
export async function until<T>(look: () => T | false | undefined): Promise<T> {
  for (let waited = 0; waited < longestWait; waited += 5) {
    const found = look()
    if (found !== undefined && found !== false) return found
    await new Promise((done) => setTimeout(done, 5))
  }
  throw new Error('what the test waits for has not happened')
}
