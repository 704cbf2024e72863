import type { Review } from '../review/model.ts'
import { type Draft, recorded, sortedRows } from '../review/round.ts'
import { reviewText } from '../review/text.ts'
import type { PageReview } from './data.ts'

/**
 * The file of a review with decisions that were made on the page: the same text that `grantwise review` writes for a file in which
 * they are filled in. `drafts`: by the number of their rows.
 */
export function savedReview({ review, rows, lock }: PageReview, drafts: ReadonlyMap<number, Omit<Draft, 'key'>>): string {
  const decided: readonly Draft[] = [...drafts].flatMap(([i, draft]) => {
    const row = rows[i]?.row
    if (!row) return []
    const { policy, file, identity } = row
    return [{ key: { policy, ...(file !== undefined && { file }), identity }, ...draft }]
  })
  const open = rows.flatMap(({ row, isOpen }, i) => (row && (isOpen || drafts.has(i)) ? [row] : []))
  const whole: Review = { ...review, open: sortedRows(open) }
  return reviewText(recorded(whole, decided, lock ?? undefined))
}
