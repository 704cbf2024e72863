import type { Diagnostic } from '../diagnostic.ts'

/** A rule of an organisation did not do its work: nothing that it would have found is known, and so there is no answer. */
export class RuleFault extends Error {
  override readonly name = 'RuleFault'
  /** The error, at the place where the module is named. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message)
    this.diagnostics = [diagnostic]
  }
}
