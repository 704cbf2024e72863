import type { CallTimes, CallTotals, CallUse, LeftCalls } from '../usage/counting.ts'
import { isoWords, momentWords } from './instants.ts'
import type { Names } from './names.ts'
import { plural, presentParts, quoted } from './words.ts'

/** How recorded calls used something, in words and as data. */

const dayOf = (at: number) => isoWords(at).slice(0, 'YYYY-MM-DD'.length)

/** The time that records are of: `2026-09-01 to 2026-11-20`. */
function periodWords({ first, last }: Pick<CallTotals, 'first' | 'last'>): string {
  if (first === undefined || last === undefined) return 'which have no times'
  const [from, to] = [dayOf(first), dayOf(last)]
  return from === to ? from : `${from} to ${to}`
}

const toSecond = (at: number) => Math.floor(at / 1000) * 1000

/** `312 times, last Fri 2026-11-20 16:02 UTC by user/ann` */
function timesWords({ count, last, by }: CallTimes, names: Pick<Names, 'identity'>): string {
  const when = last === undefined ? '' : `${count === 1 ? '' : ', last'} ${count === 1 ? 'at ' : ''}${momentWords(toSecond(last))}`
  return `${count === 1 ? 'once' : `${count} times`}${when}${by === undefined ? '' : ` by ${names.identity(by)}`}`
}

/**
 * The use of something, the most important first. That there is none is said of the time that the records are of. `isNew`: no identity could
 * use it before, but calls may have asked for it.
 */
export function useWords(use: CallUse, totals: CallTotals, names: Pick<Names, 'identity'>, isNew = false): readonly string[] {
  const { used, refused, elsewhere, open } = use
  const records = `${elsewhere > 0 ? ' under these conditions' : ''} in the recorded calls (${periodWords(totals)})`
  return presentParts(
    used.count > 0 && `used ${timesWords(used, names)}`,
    used.count === 0 && (isNew ? refused.count === 0 && `not asked for${records}` : `not used${records}`),
    elsewhere > 0 && `${plural(elsewhere, 'call')} of the same under other conditions`,
    refused.count > 0 && `refused ${timesWords(refused, names)}`,
    open > 0 && `${plural(open, 'call')} that cannot be determined`,
  )
}

/** The calls that an entry denies by itself. */
export function denialWords(
  { used, refused, elsewhere, open }: CallUse,
  totals: CallTotals,
  names: Pick<Names, 'identity'>,
): readonly string[] {
  const conditions = elsewhere > 0 ? ' under these conditions' : ''
  return presentParts(
    refused.count > 0
      ? `refused ${timesWords(refused, names)}`
      : `nothing that this denies was refused${conditions} in the recorded calls (${periodWords(totals)})`,
    used.count > 0 && `let through ${timesWords(used, names)}`,
    open > 0 && `${plural(open, 'call')} that cannot be determined`,
  )
}

const instantJson = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString())

const timesJson = ({ count, last, by }: CallTimes) => ({ count, last: instantJson(last), by: by ?? null })

export const useJson = ({ used, refused, elsewhere, open }: CallUse) => ({
  used: timesJson(used),
  refused: timesJson(refused),
  elsewhere,
  undetermined: open,
})

/** Records that were read, with what could not be read of them. */
export interface CallsRead extends CallTotals {
  /** Log entries without a decision. */
  readonly others: number
  /** Lines that cannot be read. */
  readonly bad: number
}

/** Which records were counted, and what is not counted of them. */
export function callsNotes(read: CallsRead): readonly string[] {
  const { calls, undated, undecided, unplaced, root, others, bad } = read
  const named = ({ actions, count }: LeftCalls) =>
    actions.length === 0 ? '' : ` (${actions.map(quoted).join(', ')}${actions.length < count ? ', …' : ''})`
  const omitted = presentParts(
    unplaced.count > 0 && `${plural(unplaced.count, 'call')} on a resource that is not recorded${named(unplaced)}`,
    undecided.count > 0 && `${plural(undecided.count, 'call')} recorded as neither allowed nor refused${named(undecided)}`,
    root > 0 && `${plural(root, 'call')} of the owning account, which needs no policy`,
    undated > 0 && `${plural(undated, 'call')} without a time`,
    others > 0 && `${plural(others, 'log entry')} of other kinds`,
    bad > 0 && `${plural(bad, 'line')} that cannot be read`,
  )
  return presentParts(
    `counted are ${plural(calls, 'recorded call')}, ${periodWords(read)}: what is not in these records may be used nevertheless`,
    omitted.length > 0 && `among the records: ${omitted.join('; ')}`,
  )
}

export const callsJson = ({ calls, first, last, undated, undecided, unplaced, root, others, bad }: CallsRead) => ({
  count: calls,
  first: instantJson(first),
  last: instantJson(last),
  undated,
  undecided: undecided.count,
  withoutResource: unplaced.count,
  ofOwner: root,
  otherEntries: others,
  badLines: bad,
})
