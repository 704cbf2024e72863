import { chained } from './chain.ts'
import { compareKeys, keyText } from './keys.ts'
import type { GrantKey, OpenRow, Review, Unchained, Verdict } from './model.ts'

/** The decision of a reviewer about an open row. */
export interface Draft extends Verdict {
  readonly key: GrantKey
}

/** The rows that a reviewer has filled in, as drafts; `today` is the day of those that name none. */
export function draftsIn({ open }: Pick<Review, 'open'>, today: string): readonly Draft[] {
  return open.flatMap(({ policy, file, identity, decision, until, by, date = today, reason }) =>
    decision === undefined || by === undefined
      ? []
      : [
          {
            key: { policy, ...(file !== undefined && { file }), identity },
            decision,
            ...(until !== undefined && { until }),
            by,
            date,
            ...(reason !== undefined && { reason }),
          },
        ],
  )
}

/**
 * A review with drafts recorded: each becomes a decision at the end of the chain, about the access that its row shows, and the row
 * is no longer open. `lock`: the hash of the lockfile. The order is that of the rows.
 */
export function recorded(review: Review, drafts: readonly Draft[], lock: string | undefined): Review {
  if (drafts.length === 0) return review
  const byKey = new Map(drafts.map((draft) => [keyText(draft.key), draft]))
  const added = review.open.flatMap((row): readonly Unchained[] => {
    const draft = byKey.get(keyText(row))
    return draft ? [decisionOf(row, draft, review.round, lock)] : []
  })
  const decisions = chained(review.decisions, added)
  const chain = decisions.at(-1)?.hash
  return { ...review, open: review.open.filter((row) => !byKey.has(keyText(row))), decisions, ...(chain !== undefined && { chain }) }
}

function decisionOf(row: OpenRow, draft: Draft, round: string | undefined, lock: string | undefined): Unchained {
  const { policy, file, identity, owner, access } = row
  const { decision, until, by, date, reason } = draft
  return {
    policy,
    ...(file !== undefined && { file }),
    identity,
    ...(owner !== undefined && { owner }),
    access,
    decision,
    ...(until !== undefined && { until }),
    by,
    date,
    ...(reason !== undefined && { reason }),
    ...(round !== undefined && { round }),
    ...(lock !== undefined && { lock }),
  }
}

/** Rows in the order in which they are listed. */
export function sortedRows(rows: readonly OpenRow[]): readonly OpenRow[] {
  return [...rows].sort(compareKeys)
}
