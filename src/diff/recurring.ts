import { pushTo } from '../collections.ts'
import { printFormula } from '../symbolic/formula.ts'
import type { Zone } from '../zones.ts'
import type { DiffRegion } from './diff.ts'
import type { TimelineEntry } from './timeline.ts'

/** A window that comes back: each opening of some access with the closing after it. */
export interface Recurring {
  readonly zone: Zone
  /** When access is open, or closed where it is open for most of the week: hours of the week as in `Weekly`. */
  readonly hours: bigint
  readonly kind: 'open' | 'closed'
  /** When it begins to be so. */
  readonly instants: readonly number[]
  /** Local days between the first and the last on which it does not begin: milliseconds of their midnight, read as UTC. */
  readonly skipped: readonly number[]
  /** The entry that opens, or that closes. */
  readonly entry: TimelineEntry
}

const hoursOfWeek = 7 * 24
const hour = 3_600_000
const day = 24 * hour
/** How many days a window may skip and still be one. */
const mostSkipped = 3
/** How often it begins at least. */
const leastStarts = 3

/** The entries, with those that open and close the same access at the hours of one weekly window made one. */
export function recurring(entries: readonly TimelineEntry[]): readonly (TimelineEntry | Recurring)[] {
  const byKey = new Map<string, TimelineEntry[]>()
  for (const entry of entries) {
    const key = keyOf(entry)
    if (key !== undefined) pushTo(byKey, key, entry)
  }
  const folded = new Map<TimelineEntry, Recurring | undefined>()
  for (const list of [...byKey.values()].flatMap(withoutPauses)) {
    // Single changes may be exceptions of one week, or the rest of a window with a missing day.
    const patterned = list.filter(({ pattern }) => pattern)
    for (const some of [list, patterned]) {
      const window = windowOf(some)
      if (!window) continue
      for (const entry of some) folded.set(entry, undefined)
      folded.set(some[0] as TimelineEntry, window)
      break
    }
  }
  return entries.flatMap((entry): readonly (TimelineEntry | Recurring)[] => {
    const window = folded.get(entry)
    return window ? [window] : folded.has(entry) ? [] : [entry]
  })
}

/** The same for an entry that opens some access and one that closes it; undefined for one that does both, or not on the hour. */
function keyOf({ zone, instants, difference }: TimelineEntry): string | undefined {
  const { gained, lost, undecided } = difference
  const isOneSided = gained.length > 0 !== lost.length > 0
  if (undecided.length > 0 || !isOneSided || instants.some((at) => localOf(at, zone) % hour !== 0)) return undefined
  const region = ({ identities, groups, actions, resources, condition, except, certain }: DiffRegion) => [
    identities,
    groups,
    actions,
    resources,
    printFormula(condition),
    except.map(({ condition: when, policy, why: _why, ...rest }) => [rest, printFormula(when), policy?.name.value]),
    certain,
  ]
  return JSON.stringify([zone, [...gained, ...lost].map(region)])
}

/** Local time as milliseconds since 1970, read as UTC. */
const localOf = (at: number, zone: Zone) => at + zone.offset(at)

/** Splits entries where more than a week is between two of them. */
function withoutPauses(entries: readonly TimelineEntry[]): readonly (readonly TimelineEntry[])[] {
  const lists: TimelineEntry[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const entry of entries) {
    if ((entry.instants[0] as number) > last + 7 * day) lists.push([])
    lists.at(-1)?.push(entry)
    last = Math.max(last, entry.instants.at(-1) as number)
  }
  return lists
}

interface Step {
  readonly at: number
  readonly local: number
  readonly opens: boolean
  readonly entry: TimelineEntry
}

/** The window that openings and closings make; undefined if they do not alternate, or not in the same way each week. */
function windowOf(entries: readonly TimelineEntry[]): Recurring | undefined {
  const steps = entries.flatMap((entry) =>
    entry.instants.map((at): Step => ({ at, local: localOf(at, entry.zone), opens: entry.difference.gained.length > 0, entry })),
  )
  steps.sort((a, b) => a.at - b.at)
  if (steps.some(({ opens }, i) => i > 0 && steps[i - 1]?.opens === opens)) return undefined
  const marks = new Map(steps.map(({ local, opens }) => [hourOf(local), opens]))
  const ordered = [...marks].sort(([a], [b]) => a - b)
  if (ordered.length < 2 || ordered.some(([, opens], i) => ordered.at(i - 1)?.[1] === opens)) return undefined
  const lengthOf = (i: number) =>
    ((ordered[(i + 1) % ordered.length] as [number, boolean])[0] - (ordered[i] as [number, boolean])[0] + hoursOfWeek) % hoursOfWeek
  const open = ordered.reduce((sum, [, opens], i) => sum + (opens ? lengthOf(i) : 0), 0)
  const kind = open * 2 <= hoursOfWeek ? 'open' : 'closed'
  const windows = ordered.flatMap(([start, opens], i) => (opens === (kind === 'open') ? [{ start, length: lengthOf(i) }] : []))
  const starts = steps.filter(({ opens }) => opens === (kind === 'open'))
  const [first] = starts
  const skipped = skippedIn(steps, starts, windows)
  if (!first || starts.length < leastStarts || !skipped || skipped.length > mostSkipped) return undefined
  let hours = 0n
  for (const { start, length } of windows) for (let i = 0; i < length; i++) hours |= 1n << BigInt((start + i) % hoursOfWeek)
  return { zone: first.entry.zone, hours, kind, instants: starts.map(({ at }) => at), skipped, entry: first.entry }
}

/** Windows of the same access as one, that of all their hours; undefined where that one would begin at other times than they do. */
export function joined(windows: readonly [Recurring, ...Recurring[]]): Recurring | undefined {
  const [first] = windows
  if (windows.some(({ skipped }) => skipped.length > 0)) return undefined
  const hours = windows.reduce((all, window) => all | window.hours, 0n)
  const instants = windows.flatMap((window) => window.instants).sort((a, b) => a - b)
  const begins = instants.map((at) => localOf(at, first.zone))
  const isIn = (local: number) => (hours >> BigInt(hourOf(local))) % 2n === 1n
  let next = 0
  for (let local = begins[0] as number; next < begins.length; local += hour) {
    if (local > (begins[next] as number)) return undefined
    if (isIn(local) && !isIn(local - hour) && begins[next++] !== local) return undefined
  }
  return { ...first, hours, instants }
}

/** The hour of the week of a local time. 1970 began on a Thursday. */
const hourOf = (local: number) => (((Math.floor(local / hour) + 3 * 24) % hoursOfWeek) + hoursOfWeek) % hoursOfWeek

/** The local days on which a window does not begin; undefined where one begins or ends otherwise than each week. */
function skippedIn(
  steps: readonly Step[],
  starts: readonly Step[],
  windows: readonly { readonly start: number; readonly length: number }[],
): readonly number[] | undefined {
  const [first, last] = [starts[0], starts.at(-1)]
  if (!first || !last) return undefined
  const times = new Set(steps.map(({ local }) => local))
  const end = steps.at(-1)?.local as number
  const skipped = new Set<number>()
  let covered = 0
  for (let local = first.local; local <= last.local; local += hour) {
    const window = windows.find(({ start }) => start === hourOf(local))
    if (!window) continue
    const over = local + window.length * hour
    const [begins, ends] = [times.has(local), times.has(over)]
    if (begins && (ends || over > end)) covered += ends ? 2 : 1
    else if (!begins && !ends) skipped.add(Math.floor(local / day) * day)
    else return undefined
  }
  // A window that was open before the first one ends once more.
  return covered === steps.length - (steps[0] === first ? 0 : 1) ? [...skipped] : undefined
}
