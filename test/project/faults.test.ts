import { expect, test } from 'vitest'

const { faults, misplaced } = (await import(new URL('../faults/faults.mjs', import.meta.url).href)) as {
  readonly faults: readonly object[]
  readonly misplaced: (fault: object) => string | undefined
}

const { outcomeOf } = (await import(new URL('../faults/outcome.mjs', import.meta.url).href)) as {
  readonly outcomeOf: (report: object) => object
}

// `npm run test:faults` plants them, which takes minutes. Where code changes, `from` of its faults may have to change, too.
test('every fault to plant has its place in the code as it is', () => {
  expect(faults.flatMap((fault) => misplaced(fault) ?? [])).toEqual([])
})

test('a fault is caught by what a test asserts, not by a test that timed out', () => {
  const failed = (fullName: string, message: string) => ({ fullName, status: 'failed', failureMessages: [message] })
  const outcome = (...assertionResults: readonly object[]) => outcomeOf({ testResults: [{ message: 'no such module', assertionResults }] })
  const passed = { fullName: 'adds', status: 'passed', failureMessages: [] }
  const late = failed('waits', 'Error: Test timed out in 1800000ms.\nIf this is a long-running test, pass a timeout value')
  expect(outcome(passed, failed('adds', 'AssertionError: expected 1 to be 2'))).toEqual({ caught: 'adds' })
  expect(outcome(late)).toEqual({ why: 'a test timed out, which asserts nothing: waits' })
  expect(outcome(failed('sets up', 'Error: Hook timed out in 1800000ms.'))).toHaveProperty('why')
  expect(outcome(failed('waits', 'Error: what the test waits for has not happened'))).toHaveProperty('why')
  expect(outcome(late, failed('adds', 'AssertionError: expected 1 to be 2'))).toEqual({ caught: 'adds' })
  expect(outcome(passed)).toEqual({ why: 'no test noticed it', isSilent: true })
  expect(outcome()).toEqual({ why: 'a file of tests could not be run: no such module' })
})
