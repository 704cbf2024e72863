import type { Budget } from '../budget.ts'
import { datesIn, numbersIn } from '../conditions/sets.ts'
import { holdsAt, holdsClock, type Test, zoneOf } from '../conditions/test.ts'
import { keyOf } from '../keys.ts'
import { dayStart, utc, type WallClock, yearOf, type Zone } from '../zones.ts'

const minute = 60_000
const quarter = 15 * minute
const hour = 4 * quarter
const day = 24 * hour
const week = 7 * day
/** How far around the instants that are named others are tried: beyond, the stretches repeat themselves year by year. */
const year = 366 * day
/** The first and last instants that can be written. */
const [earliest, latest] = [-62135596800000, 253402300799999]

/*
 * Time is one variable: dates, hours and weekdays in several zones and expiries all read the same instant (docs/analysis.md,
 * Time). Between two changes of a zone's offset, and between two instants that a test names, only the place in the week
 * counts, so that one week of each such stretch is all of it.
 */

/** One instant of each class that the tests and expiries distinguish, earliest first; no more of them once the budget is used up. */
export function* classes(tests: readonly Test[], expiries: readonly number[], run?: Budget): Iterable<number> {
  const zones = [...new Set(tests.map(zoneOf))]
  const dated = tests.filter(({ subject }) => subject.kind === 'date')
  const weekly = tests.filter(({ subject }) => subject.kind !== 'date')
  const { ordered, step } = changes(zones, dated, weekly.length > 0, expiries)
  // Of many zones, few are different at one instant.
  const zoneNumbers = weekly.map((test) => zones.indexOf(zoneOf(test)))
  const seen = new Set<string>()
  const sampled = new Set<string>()
  for (const [i, cut] of ordered.entries()) {
    if (run?.isSpent) return
    if (run) run.left -= zones.length + dated.length + expiries.length
    const here = zones.map((zone) => zone.offset(cut))
    const offsets = [...new Set(here)]
    const places = zoneNumbers.map((number) => offsets.indexOf(here[number] as number))
    let stretch = ''
    for (const test of dated) stretch += holdsAt(test, cut) ? '1' : '0'
    for (const expiry of expiries) stretch += cut <= expiry ? '1' : '0'
    const key = keyOf(stretch, here)
    if (sampled.has(key)) continue
    const end = Math.min(ordered[i + 1] ?? cut + 1, cut + week)
    if (end === cut + week || weekly.length === 0) sampled.add(key)
    for (let classStart = cut; classStart < end; classStart = Math.floor(classStart / step + 1) * step) {
      let signature = stretch
      const clocks = offsets.map((offset) => placeInWeek(classStart + offset))
      for (const [i, test] of weekly.entries()) signature += holdsClock(test, clocks[places[i] as number] as WallClock) ? '1' : '0'
      if (run) run.left -= weekly.length
      if (run?.isSpent) return
      if (!seen.has(signature)) yield classStart
      seen.add(signature)
      if (weekly.length === 0) break
    }
  }
}

/** The instants at which anything but the place in the week may change, in order, and how far apart instants are looked at. */
function changes(zones: readonly Zone[], dated: readonly Test[], isWeekly: boolean, expiries: readonly number[]) {
  const dates = dated.flatMap(({ set }) => datesIn(set).map(dayStart))
  const marks = [...expiries, ...dates]
  const reach = isWeekly ? year : 3 * day
  const spans = joined((marks.length > 0 ? marks : [Date.UTC(2026, 0, 1)]).map((mark) => [mark - reach, mark + reach] as const))
  const cuts = new Set<number>()
  const offsets = new Set<number>()
  for (const expiry of expiries) cuts.add(expiry).add(expiry + 1)
  for (const [from, to] of spans) {
    cuts.add(from).add(to)
    for (const zone of zones) {
      for (let y = yearOf(from); y <= yearOf(to); y++) {
        for (const { start, offset } of zone.offsets(y)) {
          offsets.add(offset)
          if (start > from && start < to) cuts.add(start)
        }
      }
    }
  }
  for (const start of dates) for (const offset of offsets) cuts.add(start - offset).add(start + day - offset)
  return {
    ordered: [...cuts].filter((cut) => cut >= earliest && cut <= latest).sort((a, b) => a - b),
    step: [hour, quarter, minute].find((size) => [...offsets].every((offset) => offset % size === 0)) ?? minute,
  }
}

/**
 * Every instant after `from` and up to `to` at which one of the tests may begin or cease to hold, earliest first: it is
 * the same at every other as it was a millisecond before. Undefined where these are more than `most`.
 */
export function cuts(tests: readonly Test[], from: number, to: number, most: number): readonly number[] | undefined {
  const found = cutsByZone(tests, from, to, most)
  return found && [...found.keys()]
}

/** The same, each with the tests of the zones in which it is one: all others come out as they did. */
export function cutsByZone(
  tests: readonly Test[],
  from: number,
  to: number,
  most: number,
): ReadonlyMap<number, readonly (readonly Test[])[]> | undefined {
  const cuts = new Map<number, (readonly Test[])[]>()
  for (const zone of new Set(tests.map(zoneOf))) {
    const ownTests = tests.filter((test) => zoneOf(test) === zone)
    const weekly = ownTests.some(({ subject }) => subject.kind !== 'date')
    // An hour that is named begins, and the one after it: every comparison changes at one of these, or at midnight.
    const hours = new Set([0])
    for (const { subject, set } of ownTests) if (subject.kind === 'hour') for (const n of numbersIn(set)) hours.add(n).add((n + 1) % 24)
    if (weekly && ((to - from) / day) * hours.size > most) return undefined
    const dates = ownTests.flatMap(({ set }) => datesIn(set).map(dayStart))
    for (const [start, end, offset] of stretches(zone, from, to)) {
      const add = (instant: number) => {
        if (instant < start || instant > end || instant <= from) return
        const here = cuts.get(instant)
        if (!here) cuts.set(instant, [ownTests])
        else if (here.at(-1) !== ownTests) here.push(ownTests)
      }
      add(start)
      for (const date of dates) {
        add(date - offset)
        add(date + day - offset)
      }
      if (!weekly) continue
      for (let local = Math.floor((start + offset) / day) * day; local - offset <= end; local += day)
        for (const each of hours) add(local + each * hour - offset)
    }
    if (cuts.size > most) return undefined
  }
  return new Map([...cuts].sort(([a], [b]) => a - b))
}

/** From when to when, both included, local time of the zone is ahead of UTC by how much, between two instants. */
function* stretches(zone: Zone, from: number, to: number): Iterable<readonly [start: number, end: number, offset: number]> {
  let start = from
  let offset = zone.offset(from)
  if (zone !== utc) {
    for (let year = yearOf(from); year <= yearOf(to); year++) {
      for (const step of zone.offsets(year)) {
        if (step.start <= from || step.start > to || step.offset === offset) continue
        yield [start, step.start - 1, offset]
        ;({ start, offset } = step)
      }
    }
  }
  yield [start, to, offset]
}

/** The hour and the weekday of a local time: all that tests on them look at. */
function placeInWeek(local: number): WallClock {
  const days = Math.floor(local / day)
  return { date: 0, hour: Math.floor((local - days * day) / hour), minute: 0, weekday: (((days + 3) % 7) + 7) % 7 }
}

/** Spans of time in order, those that touch made one. */
function joined(spans: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const out: [number, number][] = []
  for (const [from, to] of [...spans].sort(([a], [b]) => a - b)) {
    const last = out.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else out.push([from, to])
  }
  return out
}
