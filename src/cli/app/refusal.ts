/** What is wrong, and what to do about it. */
export interface Reason {
  readonly message: string
  readonly help?: string | undefined
}

/** Why a command cannot answer, in words for the person who gave it. Ends the program with code 2 and without a trace. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** What to do about it. */
  readonly help: string | undefined
  /** Further reasons, each as good as the first. */
  readonly others: readonly Reason[]

  constructor(message: string, help?: string, others: readonly Reason[] = []) {
    super(message)
    this.help = help
    this.others = others
  }
}

/** Whether an error is a refusal, of this file of the program or of another. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === 'Refusal'
}
