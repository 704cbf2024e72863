import type { Verdict } from '../../simulate/decision.ts'

/** The exit codes of every command. */
export const exit = { success: 0, failure: 1, error: 2, unknown: 3 } as const

export type ExitCode = (typeof exit)[keyof typeof exit]

/** The exit code of a verdict. */
export const verdictExit: Readonly<Record<Verdict, ExitCode>> = { allow: exit.success, deny: exit.failure, unknown: exit.unknown }

/** The meaning of each code, for `--help`. */
export const sentences: Readonly<Record<ExitCode, string>> = {
  0: 'success: no finding at or above the failing severity, access allowed, tests passed, no new access',
  1: 'findings, denial or failed check',
  2: 'error: wrong usage, unreadable or malformed input, invalid configuration, internal error',
  3: 'unknown: the verdict depends on facts that are not given; the output lists them',
}
