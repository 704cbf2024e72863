import { madeIn } from '../collections.ts'
import { datesIn } from '../conditions/sets.ts'
import { holdsClock, type Test, zoneOf } from '../conditions/test.ts'
import { keyOf } from '../keys.ts'
import { dateFrom, dayStart, type WallClock, type Zone } from '../zones.ts'
import type { InstantTest } from './conditions.ts'

const hour = 3_600_000
const week = 7 * 24 * hour
const day = 24 * hour

/** The years whose instants are decided by tables; others are left to the engine. */
export const exportedYears = { first: 2005, last: 2044 } as const
const from = dayStart(exportedYears.first * 10000 + 101)
const to = dayStart((exportedYears.last + 1) * 10000 + 101)

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
 * Instants in classes: those at which the same comparisons with the time hold. The span falls into periods, in which no zone
 * changes its offset, no date that is compared with begins, and no policy expires: within one, each week looks like the next.
 * So no engine needs to know time zones.
 */
export function instantTables(tests: readonly InstantTest[]): InstantTables {
  const periods: number[][] = []
  const weeks: number[][] = []
  const holds: number[][] = []
  if (tests.length === 0) return { periods, weeks, holds, slot: hour }
  const ofClock = tests.flatMap((each) => ('test' in each ? [each.test] : []))
  const steadyByZone = new Map<Zone, readonly Steady[]>()
  for (const test of ofClock) madeIn(steadyByZone, zoneOf(test), steadyTimes)
  const everywhere = [...steadyByZone.values()].flat()
  const isWhole = (unit: number) => everywhere.every(({ offset }) => offset % unit === 0)
  const slot = isWhole(hour) ? hour : hour / 4
  const bounds = new Set([from])
  for (const { start } of everywhere) bounds.add(start)
  for (const each of tests) {
    if ('until' in each) bounds.add(each.until + 1)
    else for (const bound of dateBounds(each.test, steadyByZone.get(zoneOf(each.test)) as readonly Steady[])) bounds.add(bound)
  }
  const starts = [...bounds].filter((bound) => bound >= from && bound < to).sort((a, b) => a - b)
  const weekNumbers = new Map<string, number>()
  const classes = new Map<string, number>()
  for (const [index, start] of starts.entries()) {
    const offsets = [...steadyByZone].map(([zone]) => zone.offset(start))
    // Offsets of seconds were in use until 1972: nothing is exported for them.
    if (offsets.some((offset) => offset % slot !== 0)) continue
    const fixed = tests.map((each) =>
      'until' in each ? start <= each.until : isOfDate(each.test) ? holdsClock(each.test, zoneOf(each.test).at(start)) : undefined,
    )
    const number = madeIn(
      weekNumbers,
      keyOf(
        offsets,
        fixed.map((truth) => truth ?? 'clock'),
      ),
      () => {
        const own = weekNumbers.size
        for (let each = 0; each < week / slot; each++) {
          const atoms = tests
            .filter((test, i) => fixed[i] ?? ('test' in test && holdsInWeek(test.test, each * slot, zoneOf(test.test).offset(start))))
            .map(({ atom }) => atom)
          const known = madeIn(classes, keyOf(...atoms), () => {
            for (const atom of atoms) holds.push([classes.size, atom])
            return classes.size
          })
          weeks.push([own, each, known])
        }
        return own
      },
    )
    const last = periods.at(-1)
    const after = starts[index + 1] ?? to
    if (last?.[2] === number && last[1] === start - 1) last[1] = after - 1
    else periods.push([start, after - 1, number])
  }
  return { periods, weeks, holds, slot }
}

/** The times of one offset each, over the exported years. */
function steadyTimes(zone: Zone): readonly Steady[] {
  const steps: { readonly start: number; readonly offset: number }[] = []
  for (let year: number = exportedYears.first; year <= exportedYears.last; year++)
    for (const step of zone.offsets(year)) if (steps.at(-1)?.offset !== step.offset) steps.push(step)
  return steps.map(({ start, offset }, i) => ({ start, offset, end: steps[i + 1]?.start ?? to }))
}

const isOfDate = ({ set }: Test) => set.kind === 'numbers' && set.part === 'date'

/** The instants at which the days begin that a comparison of dates distinguishes. */
function dateBounds(test: Test, steady: readonly Steady[]): readonly number[] {
  const days = datesIn(test.set).flatMap((date) => [dateFrom(date, -1), date, dateFrom(date, 1)])
  return days
    .flatMap((date) =>
      steady
        .map(({ start, end, offset }) => ({ start, end, at: dayStart(date) - offset }))
        .filter(({ start, end, at }) => at >= start && at < end),
    )
    .map(({ at }) => at)
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
