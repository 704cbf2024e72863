import { resolve } from 'node:path'
import { sinceWords } from '../../answers/blame.ts'
import type { BrokenChain, ReviewedGrant, ReviewReport } from '../../answers/review.ts'
import type { Budget } from '../../budget.ts'
import { diff } from '../../diff/diff.ts'
import type { Settings } from '../../names.ts'
import type { World } from '../../policy.ts'
import { breaksOf } from '../../review/chain.ts'
import { allowsAny, grantsOf, inForceAt, ownerOf, writtenAccess } from '../../review/grants.ts'
import { keyText } from '../../review/keys.ts'
import type { Access } from '../../review/model.ts'
import { type ReviewFile, readReview } from '../../review/read.ts'
import { type Decided, endOfDay, type JudgedGrant, judgedGrants } from '../../review/status.ts'
import { sourceOf } from '../../source.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import { isThere, textAt } from './read-file.ts'
import type { ReviewFacts } from './review-facts.ts'

/** Reads reviews, and finds what is open in them. */

const noReview: ReviewFile = { review: { owners: [], open: [], decisions: [] }, places: [], worlds: { decisions: [], open: [] } }

/** A file of a review as it is on the disk. */
export interface ReviewOnDisk {
  /** Where it is, and as it is shown. */
  readonly file: string
  readonly path: string
  /** Undefined where there is none. */
  readonly text: string | undefined
  readonly read: ReviewFile
}

/** Read the file of a review; one without a decision where there is none. Throws a refusal where it cannot be understood. */
export async function reviewAt(given: string, settings: Settings, io: Io): Promise<ReviewOnDisk> {
  const file = resolve(io.cwd, given)
  const path = displayPath(file, io.cwd)
  if (!isThere(file)) return { file, path, text: undefined, read: noReview }
  const { text, message } = textAt(file, 'settings', io)
  if (text === undefined) throw new Refusal(`${path}: ${message}`)
  return { file, path, text, read: await reviewIn(path, text, settings) }
}

/** The review in a text. Throws a refusal where it cannot be understood. */
export async function reviewIn(path: string, text: string, settings: Settings): Promise<ReviewFile> {
  const { file, diagnostics } = await readReview(sourceOf(path, text, 'yaml'), settings)
  refuseErrors(diagnostics)
  if (!file) throw new Error('a review without problems is read')
  return file
}

/** The decisions at which the chain of a review is broken, with their places. */
export function brokenIn({ path, text = '', read }: ReviewOnDisk): readonly BrokenChain[] {
  const { review, places } = read
  const source = sourceOf(path, text, 'yaml')
  const end = Math.max(0, text.lastIndexOf('\nchain:') + 1)
  return breaksOf(review).map((each): BrokenChain => {
    if (each.kind === 'end') return { kind: 'end', span: { source, start: end, end } }
    const key = review.decisions[each.index]
    return { kind: 'decision', ...(key && { key }), span: places[each.index] ?? { source, start: 0, end: 0 } }
  })
}

/** A grant with its access in the form that is written. */
export interface ListedGrant extends ReviewedGrant {
  readonly written?: Access | undefined
}

/** Which grants of a world are decided and which are open, from an instant on. */
export interface Reviewed extends Omit<ReviewReport, 'breaks' | 'path'> {
  readonly rows: readonly ListedGrant[]
}

/** The status of each grant of a world in a review, with what it grants where it is open. */
export async function reviewedIn(
  world: World,
  read: ReviewFile,
  at: number,
  settings: Settings,
  run: Budget,
  { uses, since }: ReviewFacts = {},
): Promise<Reviewed> {
  const { review } = read
  const { grants, denying, expired } = grantsOf(world, at)
  const { rows, gone } = judgedGrants(grants, read, at, run)
  const filled = new Map(review.open.filter(({ decision }) => decision !== undefined).map((row) => [keyText(row), row]))
  const owners = new Map(review.open.flatMap((row) => (row.owner === undefined ? [] : [[keyText(row), row.owner]])))
  const listed: ListedGrant[] = []
  let idle = 0
  for (const judged of rows) {
    const { grant, status } = judged
    const key = keyText(grant.key)
    const owner = owners.get(key) ?? ownerOf(grant, review.owners)
    const blamed = since?.(grant)
    const facts = {
      ...(uses && { use: uses.of(grant) }),
      ...(since && { since: blamed ? sinceWords(blamed).replace(/^since /, '') : 'not known: it is not in the last commit' }),
    }
    const common = { ...judged, ...facts, owner, filled: filled.get(key) }
    if (status.kind === 'decided') {
      listed.push(common)
      continue
    }
    const written = await writtenAccess(grant.world, at, settings, run)
    if (written.access && !allowsAny(written.world)) idle++
    else
      listed.push({
        ...common,
        ...(written.access && { access: written.world, written: written.access }),
        ...(status.kind === 'changed' && { difference: differenceOf(judged, status.by, at, run) }),
      })
  }
  const { due } = review
  const isOverdue = due !== undefined && at > endOfDay(due) && listed.some(({ status }) => status.kind !== 'decided')
  return { review, rows: listed, idle, gone: gone.length, denying, expired, isOverdue }
}

/** How a grant differs from what was decided about. The policies of a lockfile have no names: the words use that of the decision. */
function differenceOf({ grant }: Pick<JudgedGrant, 'grant'>, { world, decision }: Decided, at: number, run: Budget) {
  const then = inForceAt(world, at)
  const named = then.policies.map((policy) => ({ ...policy, name: { ...policy.name, value: decision.policy } }))
  return diff({ ...then, policies: named }, inForceAt(grant.world, at), { within: { from: at }, run })
}
