import { madeIn } from '../collections.ts'
import { holdsClock, type Test, zoneOf } from '../conditions/test.ts'
import { keyOf } from '../keys.ts'
import { dateFrom, dayStart, utc, type WallClock, type Zone } from '../zones.ts'
import type { AgeTest, ClockTest } from './conditions.ts'

const hour = 3_600_000
const week = 7 * 24 * hour
const day = 24 * hour

/** The years whose clocks are in the tables; in zones other than UTC, comparisons of others are left to the engine. */
export const exportedYears = { first: 2005, last: 2044 } as const
const from = dayStart(exportedYears.first * 10000 + 101)
const to = dayStart((exportedYears.last + 1) * 10000 + 101)

/** The last instant in milliseconds, as the product has it (`readQuestion`); the first one is as far before 1970. */
export const lastInstant = 8_640_000_000_000_000

export interface InstantTables {
  readonly periods: number[][]
  readonly weeks: number[][]
  readonly holds: number[][]
  readonly slot: number
}

/** A time during which a zone keeps one offset. */
interface Steady {
  readonly start: number
  readonly end: number
  readonly offset: number
}

/**
 * Instants in classes: those at which the same comparisons with the hour and the weekday hold. The span falls into periods, in which
 * no zone changes its offset: within one, each week looks like the next. So no engine needs to know time zones.
 */
export function instantTables(tests: readonly ClockTest[]): InstantTables {
  const periods: number[][] = []
  const weeks: number[][] = []
  const holds: number[][] = []
  if (tests.length === 0) return { periods, weeks, holds, slot: hour }
  const zones = [...new Set(tests.map(({ test }) => zoneOf(test)))]
  const everywhere = zones.flatMap(steadyTimes)
  const isWhole = (unit: number) => everywhere.every(({ offset }) => offset % unit === 0)
  const slot = isWhole(hour) ? hour : hour / 4
  const starts = [...new Set([from, ...everywhere.map(({ start }) => start)])].sort((a, b) => a - b)
  const weekNumbers = new Map<string, number>()
  const classes = new Map<string, number>()
  for (const [index, start] of starts.entries()) {
    const offsets = zones.map((zone) => zone.offset(start))
    // Offsets of seconds were in use until 1972: nothing is exported for them.
    if (offsets.some((offset) => offset % slot !== 0)) continue
    const number = madeIn(weekNumbers, keyOf(offsets), () => {
      const weekNumber = weekNumbers.size
      for (let each = 0; each < week / slot; each++) {
        const atoms = tests.filter(({ test }) => holdsInWeek(test, each * slot, zoneOf(test).offset(start))).map(({ atom }) => atom)
        const classNumber = madeIn(classes, keyOf(...atoms), () => {
          for (const atom of atoms) holds.push([classes.size, atom])
          return classes.size
        })
        weeks.push([weekNumber, each, classNumber])
      }
      return weekNumber
    })
    const last = periods.at(-1)
    const after = starts[index + 1] ?? to
    if (last?.[2] === number && last[1] === start - 1) last[1] = after - 1
    else periods.push([start, after - 1, number])
  }
  return { periods, weeks, holds, slot }
}

export interface AgeTables {
  readonly groups: number[][]
  readonly ages: number[][]
  readonly holds: number[][]
}

/** The first and the last instant of a time. */
type Span = readonly [first: number, last: number]

/**
 * Instants in ages, which begin and end with what is compared: dates, and the expiries of policies. A comparison holds in ages that
 * follow each other, so that its rows are few, however many the ages are. Ages are in groups, so that an engine finds one in two steps.
 */
export function ageTables(tests: readonly AgeTest[]): AgeTables {
  if (tests.length === 0) return { groups: [], ages: [], holds: [] }
  const zones = new Set(tests.flatMap((each) => ('test' in each ? [zoneOf(each.test)] : [])))
  const isUniversal = [...zones].every((zone) => zone === utc)
  const all: Span = isUniversal ? [-lastInstant, lastInstant] : [from, to - 1]
  const times = new Map(
    [...zones].map((zone) => [zone, zone === utc ? [{ start: all[0], end: all[1] + 1, offset: 0 }] : steadyTimes(zone)]),
  )
  const spans = tests.map((each) => ({
    atom: each.atom,
    within:
      'until' in each ? withinSpan([all[0], each.until], all) : spansOf(each.test, times.get(zoneOf(each.test)) as readonly Steady[], all),
  }))
  const bounds = new Set([all[0]])
  for (const { within } of spans)
    for (const [first, last] of within) {
      bounds.add(first)
      if (last < all[1]) bounds.add(last + 1)
    }
  const starts = [...bounds].sort((a, b) => a - b)
  const numbers = new Map(starts.map((start, index) => [start, index + 1]))
  const ofGroup = Math.ceil(Math.sqrt(starts.length))
  const groups: number[][] = []
  const ages = starts.map((start, index) => {
    const end = (starts[index + 1] ?? all[1] + 1) - 1
    const group = Math.floor(index / ofGroup) + 1
    if (index % ofGroup === 0) groups.push([group, start, end])
    else (groups[group - 1] as number[])[2] = end
    return [group, start, end, index + 1]
  })
  const holds = spans.flatMap(({ atom, within }) =>
    within.map(([first, last]) => [
      atom,
      numbers.get(first) as number,
      last === all[1] ? starts.length : (numbers.get(last + 1) as number) - 1,
    ]),
  )
  return { groups, ages, holds }
}

/** A time without what is outside of another; none where nothing is left. */
function withinSpan([first, last]: Span, [least, most]: Span): readonly Span[] {
  const span: Span = [Math.max(first, least), Math.min(last, most)]
  return span[0] > span[1] ? [] : [span]
}

/** The times in which a comparison of dates holds, in their order. */
function spansOf({ set }: Test, steady: readonly Steady[], all: Span): readonly Span[] {
  if (set.kind !== 'numbers') return []
  const unmerged = steady.flatMap(({ start, end, offset }) =>
    set.intervals.flatMap(({ first, last }) =>
      withinSpan(
        [first === -Infinity ? all[0] : dayStart(first) - offset, last === Infinity ? all[1] : dayStart(dateFrom(last, 1)) - offset - 1],
        [start, end - 1],
      ),
    ),
  )
  const spans: [number, number][] = []
  for (const [first, last] of unmerged.sort(([a], [b]) => a - b)) {
    const before = spans.at(-1)
    if (before && before[1] >= first - 1) before[1] = Math.max(before[1], last)
    else spans.push([first, last])
  }
  return spans
}

/** The times of one offset each, over the exported years. */
function steadyTimes(zone: Zone): readonly Steady[] {
  const steps: { readonly start: number; readonly offset: number }[] = []
  for (let year: number = exportedYears.first; year <= exportedYears.last; year++)
    for (const step of zone.offsets(year)) if (steps.at(-1)?.offset !== step.offset) steps.push(step)
  return steps.map(({ start, offset }, i) => ({ start, offset, end: steps[i + 1]?.start ?? to }))
}

/** Whether a comparison of the hour or the weekday holds in a slot of a week. Weeks are counted from the first instant of 1970, a Thursday. */
function holdsInWeek(test: Test, slotStart: number, offset: number): boolean {
  const local = (((slotStart + offset) % week) + week) % week
  const clock: WallClock = {
    date: 0,
    hour: Math.floor((local % day) / hour),
    minute: 0,
    weekday: (Math.floor(local / day) + 3) % 7,
  }
  return holdsClock(test, clock)
}
