import type { CompletionKind } from '../types.ts'

/** A string that may be written at a cursor, independent of quotes and layout. */
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
