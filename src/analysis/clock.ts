import { holdsClock, type Test } from '../conditions/test.ts'
import { type WallClock, wallClock } from '../conditions/time.ts'

/**
 * Time is one variable: dates, hours and weekdays in several zones and expiries all read the same instant (spec:
 * analysis, 6.6). Zones shift by whole quarters of an hour, so that between two quarters nothing changes but an expiry.
 */

const minute = 60_000
const quarter = 15 * minute
const hour = 4 * quarter
const day = 24 * hour
/** How far around the dates that are named instants are tried: beyond, weeks repeat themselves. */
const year = 366 * day

interface Offsets {
  readonly from: number
  readonly to: number
  /** From each start on, local time is ahead of UTC by so much. */
  readonly steps: readonly { readonly start: number; readonly offset: number }[]
}

const known = new Map<string, Offsets>()

/** Local time less UTC, in milliseconds, read off the wall clock. */
function offsetAt(zone: string, instant: number): number {
  const { date, hour, minute: minutes } = wallClock(zone, instant)
  return dayStart(date) + hour * 60 * minute + minutes * minute - Math.floor(instant / minute) * minute
}

function offsetsOf(zone: string, from: number, to: number): Offsets {
  const cached = known.get(zone)
  if (cached && cached.from <= from && cached.to >= to) return cached
  const steps: { start: number; offset: number }[] = [{ start: from, offset: offsetAt(zone, from) }]
  for (let at = from; at < to; at += 7 * day) {
    const before = (steps.at(-1) as { offset: number }).offset
    const end = Math.min(at + 7 * day, to)
    if (offsetAt(zone, end) === before) continue
    let low = at
    let high = end
    while (high - low > quarter) {
      const middle = low + Math.floor((high - low) / 2 / quarter) * quarter
      const next = middle === low ? low + quarter : middle
      if (next >= high) break
      if (offsetAt(zone, next) === before) low = next
      else high = next
    }
    steps.push({ start: high, offset: offsetAt(zone, high) })
  }
  const offsets = { from, to, steps }
  known.set(zone, offsets)
  return offsets
}

/** What a clock in the zone shows: as `wallClock`, and much faster for many instants of one span. */
export function clockOf(zone: string, instant: number): WallClock {
  const offsets = zone === 'UTC' ? undefined : known.get(zone)
  if (!offsets || instant < offsets.from || instant > offsets.to) return wallClock(zone, instant)
  let offset = 0
  for (const step of offsets.steps) {
    if (step.start > instant) break
    offset = step.offset
  }
  return wallClock('UTC', instant + offset)
}

/** One instant of each class that the tests and expiries tell apart, earliest first. */
export function clockClasses(tests: readonly Test[], expiries: readonly number[]): readonly number[] {
  const named = tests.filter(({ subject }) => subject.kind === 'date').flatMap(({ numbers = [] }) => numbers.map(dayStart))
  const instants = new Set<number>()
  for (const at of expiries) instants.add(at).add(at + 1)
  const marks = [...expiries, ...named]
  const repeats = tests.some(({ subject }) => subject.kind !== 'date')
  const center = marks.length > 0 ? Math.min(...marks) : Date.UTC(2026, 0, 1)
  const last = marks.length > 0 ? Math.max(...marks) : center
  const from = Math.floor((center - (repeats ? year : 3 * day)) / day) * day
  const to = Math.ceil((last + (repeats ? 2 * year : 3 * day)) / day) * day
  const zones = [...new Set(tests.map(({ subject }) => subject.parameter))]
  for (const zone of zones) if (zone !== 'UTC') offsetsOf(zone, from, to)
  if (tests.length > 0) {
    const step = zones.every((zone) => zone === 'UTC') ? hour : quarter
    if (repeats) for (let at = from; at <= to; at += step) instants.add(at)
    else {
      for (const mark of [...named, from, to]) for (let at = mark - 2 * day; at <= mark + 3 * day; at += step) instants.add(at)
    }
  }
  instants.add(from)
  instants.add(to)
  const seen = new Map<string, number>()
  for (const at of [...instants].sort((a, b) => a - b)) {
    let signature = ''
    for (const test of tests) signature += holdsClock(test, clockOf(test.subject.parameter, at)) ? '1' : '0'
    for (const expiry of expiries) signature += at <= expiry ? '1' : '0'
    if (!seen.has(signature)) seen.set(signature, at)
  }
  return [...seen.values()]
}

/** Midnight UTC of a date written as year·10000 + month·100 + day. */
function dayStart(date: number): number {
  return Date.UTC(Math.floor(date / 10000), (Math.floor(date / 100) % 100) - 1, date % 100)
}
