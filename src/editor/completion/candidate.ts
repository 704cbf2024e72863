import type { CompletionKind } from '../types.ts'

/** A text that may stand at a cursor, however it will be written there. */
export interface Candidate {
  readonly value: string
  readonly kind: CompletionKind
  readonly detail?: string
  readonly documentation?: string
  /** Lower ones come first; by the text where they are alike. */
  readonly rank?: number
  /** More follows behind it. */
  readonly isOpen?: true
}
