import { Budget } from '../../src/budget.ts'
import type { World } from '../../src/policy.ts'
import { type Grant, grantsOf, writtenAccess } from '../../src/review/grants.ts'
import { keyText } from '../../src/review/keys.ts'
import type { OpenRow, Review } from '../../src/review/model.ts'
import { type ReviewFile, readReview } from '../../src/review/read.ts'
import { type Draft, recorded } from '../../src/review/round.ts'
import { judgedGrants, type Status } from '../../src/review/status.ts'
import { reviewText } from '../../src/review/text.ts'
import { sourceOf } from '../../src/source.ts'
import { testSettings } from './settings.ts'

/** Reviews of worlds of tests. */

export const emptyReview: Review = { owners: [], open: [], decisions: [] }

/** A row for each grant of a world. */
export async function rowsOf(world: World, at: number): Promise<readonly OpenRow[]> {
  const rows: OpenRow[] = []
  for (const { key, world: own } of grantsOf(world, at).grants) {
    const { access } = await writtenAccess(own, at, testSettings, new Budget())
    if (access) rows.push({ ...key, access })
  }
  return rows
}

/** A review in which everything that a world grants is decided alike. */
export async function decidedReview(world: World, at: number, draft: Omit<Draft, 'key'>): Promise<Review> {
  const open = await rowsOf(world, at)
  return recorded(
    { ...emptyReview, open },
    open.map((key) => ({ key, ...draft })),
    undefined,
  )
}

/** A review written to a file and read again. */
export async function reread(review: Review): Promise<ReviewFile> {
  const text = reviewText(review)
  const { file, diagnostics } = await readReview(sourceOf('review.yaml', text, 'yaml'), testSettings)
  if (!file) throw new Error(`${diagnostics.map(({ message }) => message).join('\n')}\n${text}`)
  return file
}

/** The status of each grant of a world, by the names of the grant. */
export function statusesOf(
  world: World,
  file: ReviewFile,
  at: number,
): ReadonlyMap<string, { readonly grant: Grant; readonly status: Status }> {
  const { rows } = judgedGrants(grantsOf(world, at).grants, file, at, new Budget())
  return new Map(rows.map((row) => [keyText(row.grant.key), row]))
}
