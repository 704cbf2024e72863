import { resolve } from 'node:path'
import { sinceWords } from '../../answers/blame.ts'
import type { BrokenChain, MissedGrant, ReviewedGrant, ReviewReport } from '../../answers/review.ts'
import { decisionWords, differenceSentences, useWords } from '../../answers/review.ts'
import { fullNameWording } from '../../answers/wording.ts'
import type { Budget } from '../../budget.ts'
import { diff } from '../../diff/diff.ts'
import { sha256 } from '../../lint/sha256.ts'
import { lockOf } from '../../lock/lock.ts'
import type { Settings } from '../../names.ts'
import { treeOf } from '../../parser/tree.ts'
import type { World } from '../../policy.ts'
import { isoWords } from '../../report/instants.ts'
import { breaksOf } from '../../review/chain.ts'
import { allowsAny, grantCount, grantsOf, inForceAt, ownerOf, writtenAccess } from '../../review/grants.ts'
import { keyText } from '../../review/keys.ts'
import type { Access, OpenRow, Review } from '../../review/model.ts'
import { type ReviewFile, readReview } from '../../review/read.ts'
import { draftsIn, recorded, sortedRows } from '../../review/round.ts'
import { type Decided, endOfDay, type JudgedGrant, judgedGrants } from '../../review/status.ts'
import { reviewText } from '../../review/text.ts'
import type { GrantUses } from '../../review/use.ts'
import { sourceOf } from '../../source.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { refuseErrors } from '../output/diagnostics.ts'
import { isThere, textAt } from './read-file.ts'
import type { ReviewFacts } from './review-facts.ts'

/** Reads reviews, and finds what is open in them. */

const noReview: ReviewFile = { review: { owners: [], open: [], decisions: [] }, places: [], worlds: { decisions: [], open: [] } }

/** The reason for which a review refuses policies of which not all is known. */
export const recordsAccess = 'records what policies grant'

/** How many grants one review is about at most: each is proved to be what it is written as, which takes some milliseconds. */
const mostGrants = 2_500

/** Throws a refusal where a world has more grants than one review is about, before any of them is looked at. */
export function refuseManyGrants(world: World, instant: number): void {
  const count = grantCount(world, instant)
  if (count <= mostGrants) return
  throw new Refusal(
    `the policies have ${count} grants (a policy and an identity), and one review is about ${mostGrants} at most`,
    'review the policies in parts, with `-p` and a file for each part',
  )
}

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
export async function reviewAt(reviewPath: string, settings: Settings, io: Io): Promise<ReviewOnDisk> {
  const file = resolve(io.cwd, reviewPath)
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

/** Throws a refusal where a review as it would be written is more than is read. */
export async function refuseUnreadable(path: string, text: string): Promise<void> {
  const [problem] = (await treeOf(sourceOf(path, text, 'yaml'))).diagnostics
  if (!problem) return
  throw new Refusal(
    `${path}: the review is not written, since it could not be read again: ${problem.message}`,
    'review the policies in parts, with `-p` and a file for each part',
  )
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

/** The status of each grant of a world in a review. `isListed`: those of which it is said what they grant; by default the open ones. */
export async function reviewedIn(
  world: World,
  read: ReviewFile,
  instant: number,
  settings: Settings,
  run: Budget,
  { uses, since }: ReviewFacts = {},
  isListed: (judged: JudgedGrant) => boolean = ({ status }) => status.kind !== 'decided',
): Promise<Reviewed> {
  const { review } = read
  const { grants, denying, expired } = grantsOf(world, instant)
  const { rows, gone } = judgedGrants(grants, read, instant, run)
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
    if (!isListed(judged)) {
      listed.push(common)
      continue
    }
    const written = await writtenAccess(grant.world, instant, settings, run)
    if (written.access && !allowsAny(written.world)) idle++
    else
      listed.push({
        ...common,
        ...(written.access && { access: written.world, written: written.access }),
        ...(status.kind === 'changed' && { difference: differenceOf(judged, status.by, instant, run) }),
      })
  }
  const { due } = review
  const isOverdue = due !== undefined && instant > endOfDay(due) && listed.some(({ status }) => status.kind !== 'decided')
  return { review, rows: listed, idle, gone: gone.length, ...(uses && { missed: missedIn(gone, uses) }), denying, expired, isOverdue }
}

/** The removed grants that would allow calls which were refused from the day of the decision on. */
function missedIn(gone: readonly Decided[], uses: GrantUses): readonly MissedGrant[] {
  return gone.flatMap(({ decision, world }) => {
    if (decision.decision !== 'remove') return []
    const { refused } = uses.of({ key: decision, world }, Date.parse(decision.date))
    return refused > 0 ? [{ decision, refused }] : []
  })
}

/** How a grant differs from what was decided about. The policies of a lockfile have no names: the words use that of the decision. */
function differenceOf({ grant }: Pick<JudgedGrant, 'grant'>, { world, decision }: Decided, at: number, run: Budget) {
  const then = inForceAt(world, at)
  const named = then.policies.map((policy) => ({ ...policy, name: { ...policy.name, value: decision.policy } }))
  return diff({ ...then, policies: named }, inForceAt(grant.world, at), { within: { from: at }, run })
}

/** Whether a reviewer has to decide about a grant. What was decided and is not carried out needs no other decision. */
export const isToDecide = ({ status }: JudgedGrant): boolean => !['decided', 'not-removed', 'not-shortened'].includes(status.kind)

/** The policies that a review is about, from an instant on. */
export interface ReviewedWorld {
  readonly world: World
  readonly settings: Settings
  readonly at: number
  readonly facts: ReviewFacts
  readonly run: Budget
}

/** A review with what is filled in recorded, and with the grants that are open now. */
export interface RenewedReview extends Omit<Reviewed, 'review'> {
  readonly review: Review
  /** The hash of the lockfile, for further decisions. */
  readonly lock: string | undefined
  /** How many decisions were recorded. */
  readonly count: number
}

/** Record what is filled in, and list what is open. `change`: the head as it is to be. */
export async function renewedReview(
  disk: ReviewOnDisk,
  { world, settings, at, facts, run }: ReviewedWorld,
  isListed: (judged: JudgedGrant) => boolean,
  change: (review: Review) => Review = (review) => review,
): Promise<RenewedReview> {
  const lock = lockHash(world, run)
  const drafts = draftsIn(disk.read.review, isoWords(at).slice(0, 10))
  const before = change(recorded(disk.read.review, drafts, lock))
  // The decisions are read again, before anything rests on them.
  const read = await reviewIn(disk.path, reviewText(before), settings)
  const reviewed = await reviewedIn(world, read, at, settings, run, facts, isListed)
  const open = sortedRows(reviewed.rows.filter(isListed).flatMap(openRow))
  return { ...reviewed, review: { ...before, open }, lock, count: drafts.length }
}

/** The SHA-256 of the lockfile of policies, as `grantwise lock -o -` prints it; undefined where it cannot be determined. */
function lockHash(world: World, budget: Budget): string | undefined {
  const { text } = lockOf(world, budget)
  return text === undefined ? undefined : sha256(text)
}

/** A grant as a row that is to be filled in; none where what it grants cannot be determined. */
export function openRow({ grant, status, owner, use, since, difference, written }: ListedGrant): readonly OpenRow[] {
  if (!written) return []
  return [
    {
      ...grant.key,
      ...(owner !== undefined && { owner }),
      access: written,
      ...(use && { used: useWords(use) }),
      ...(since !== undefined && { since }),
      ...('by' in status && { previous: decisionWords(status.by.decision) }),
      ...(difference && { changed: differenceSentences(difference, fullNameWording(), 8) }),
    },
  ]
}
