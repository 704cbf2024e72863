/** Why a command cannot answer, in words for the person who gave it. Ends the program with code 2 and without a trace. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** What to do about it. */
  readonly help: string | undefined

  constructor(message: string, help?: string) {
    super(message)
    this.help = help
  }
}

/** Whether an error is a refusal, of this file of the program or of another. */
export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && error.name === 'Refusal'
}
