import type { Attempt } from '../../ask/context.ts'
import type { Diagnostic } from '../../diagnostic.ts'

/** A problem with its remedy. */
export interface Reason {
  readonly message: string
  readonly help?: string | undefined
}

/** An error that the user can act on. It ends the program with code 2 and without a stack trace. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** The remedy. */
  readonly help: string | undefined
  /** Further reasons. */
  readonly others: readonly Reason[]
  /** The same as problems at their places, where it is about a text. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(message: string, help?: string, others: readonly Reason[] = [], diagnostics: readonly Diagnostic[] = []) {
    super(message)
    this.help = help
    this.others = others
    this.diagnostics = diagnostics
  }
}

/** Refuse with all reasons together, if there are any. */
export function refuseProblems(problems: readonly Reason[]): void {
  const [first, ...others] = problems
  if (first) throw new Refusal(first.message, first.help, others)
}

/** The value that was read. Throws a refusal where there is none. */
export function requireValue<T>({ value, problem }: Attempt<T>): T {
  if (problem) throw new Refusal(problem.message, problem.help)
  return value as T
}

/** A value, or undefined and the refusal of it among the problems. */
export function attempt<T>(read: () => T, problems: Reason[]): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    problems.push({ message: error.message, ...(error.help !== undefined && { help: error.help }) })
    return undefined
  }
}
