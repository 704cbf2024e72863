import { dateFrom, type Zone } from '../zones.ts'

/**
 * Other times for the time of a question and for those that policies name. Those of policies keep only their order, and where the time of the
 * question is in it; that keeps its day of the week and its hour in each time zone where a policy looks at either.
 */

/** The times in a world and the question to it. */
export interface Times {
  readonly at: number
  readonly expiries: readonly number[]
  /** The dates that conditions name, by the zone whose clock shows them. */
  readonly dates: ReadonlyMap<Zone, readonly number[]>
  /** The zones on whose clocks hours or days of the week are looked at. */
  readonly clocks: readonly Zone[]
}

export interface RenameTimes {
  readonly at: number
  readonly expiry: (instant: number) => number
  readonly date: (zone: Zone, date: number) => number
}

const day = 86_400_000
const week = 7 * day
/** All offsets of zones are multiples of a quarter of an hour. */
const quarter = 900_000
/** Monday, 7 January 2030, noon in UTC. */
const anchor = Date.UTC(2030, 0, 7, 12)
/** The weeks that are tried, until all clocks show what they showed. */
const mostWeeks = 60

export function renamedTimes({ at, expiries, dates, clocks }: Times): RenameTimes {
  const renamedAt = clocks.length === 0 ? anchor : likeClocks(at, clocks)
  const expiryRanks = ranksAround(expiries, at)
  const dateRanks = new Map([...dates].map(([zone, named]) => [zone, ranksAround(named, zone.shows(at).date)]))
  return {
    at: renamedAt,
    expiry: (instant) => renamedAt + (expiryRanks.get(instant) ?? 0) * day,
    date: (zone, date) => dateFrom(zone.shows(renamedAt).date, dateRanks.get(zone)?.get(date) ?? 0),
  }
}

/** An instant near the anchor at which clocks show the same hour and day of the week. */
function likeClocks(original: number, clocks: readonly Zone[]): number {
  const floored = Math.floor(original / quarter) * quarter
  const first = floored + Math.ceil((anchor - 4 * day - floored) / week) * week
  for (let i = 0; i < mostWeeks; i++) {
    const instant = first + i * week
    const isAlike = clocks.every((zone) => {
      const [a, b] = [zone.shows(original), zone.shows(instant)]
      return a.hour === b.hour && a.weekday === b.weekday
    })
    if (isAlike) return instant
  }
  return first
}

/** How many different numbers a number is from one in the middle: below nought for those before it. */
function ranksAround(numbers: readonly number[], middle: number): ReadonlyMap<number, number> {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b)
  const [before, after] = [sorted.filter((number) => number < middle), sorted.filter((number) => number > middle)]
  return new Map([
    ...before.map((number, i) => [number, i - before.length] as const),
    [middle, 0] as const,
    ...after.map((number, i) => [number, i + 1] as const),
  ])
}
