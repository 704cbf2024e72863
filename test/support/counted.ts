import { TestRunner } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases the test tried: `npm run figures` writes it to figures/claims.json. */
    cases?: number
  }
}

/** Note that the running test tries so many cases more, and give the number back. */
export function counted(cases: number): number {
  const test = TestRunner.getCurrentTest()
  if (test) test.meta.cases = (test.meta.cases ?? 0) + cases
  return cases
}
