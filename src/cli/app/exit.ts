/** What the program leaves behind when it ends, the same for every command (spec: command line, exit codes). */
export const exit = { good: 0, bad: 1, noAnswer: 2, uncertain: 3 } as const

export type ExitCode = (typeof exit)[keyof typeof exit]

/** The sentence of each code, as `--help` shows them. */
export const sentences: Readonly<Record<ExitCode, string>> = {
  0: 'the answer is good: nothing found at or above the failing level; allowed; tests pass; no new access',
  1: 'the answer is bad: findings; denied; a test failed; new access',
  2: 'no answer: a usage error, unreadable or malformed input, a bad configuration, an internal error',
  3: 'no certain answer: the verdict is unknown, and the output lists the facts that would settle it',
}
