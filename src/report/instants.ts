import { groupedBy } from '../collections.ts'
import { printDate, weekdays } from '../conditions/time.ts'
import type { Weekly } from '../symbolic/situation.ts'
import { utc, type Zone } from '../zones.ts'
import { shown } from './safe.ts'

/** Instants: for programs and for `--at` as RFC 3339, for readers with the weekday, in the zone that counts. */

/** An instant as programs read it and as `--at` takes it: RFC 3339 in UTC, fractions of a second where there are any. */
export const isoWords = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z')

/**
 * An instant for readers: `Sat 2026-11-28 18:00 Europe/Paris (17:00 UTC)`, `Sat 2026-11-28 18:00 UTC`. `zone`: that of the
 * condition that counts. Seconds and their fractions where there are any.
 */
export function momentWords(instant: number, zone: Zone = utc): string {
  const here = clockWords(instant, zone)
  const words = `${here.weekday} ${here.day} ${here.time} ${shown(zone.name)}`
  if (zone.name === utc.name) return words
  const there = clockWords(instant, utc)
  return `${words} (${there.day === here.day ? '' : `${there.day} `}${there.time} UTC)`
}

/** The same by the clock of a zone that is named already: `Sat 2026-11-28 18:00`. */
export function localWords(at: number, zone: Zone): string {
  const { weekday, day, time } = clockWords(at, zone)
  return `${weekday} ${day} ${time}`
}

/** Whether an instant is the one after an expiry, which still holds at its own: those are written in whole seconds. */
export const isAfterExpiry = (at: number): boolean => ((at % 1000) + 1000) % 1000 === 1

/** From when on something holds: `from Mon 2026-11-30 01:00 UTC`, and `after …` where an expiry passes. */
export const fromWords = (at: number, zone?: Zone): string => `${isAfterExpiry(at) ? '' : 'from '}${changeWords(at, zone)}`

/** From when on something was looked at: the clock's own instant to the next second, where that is between two. */
export const sinceWords = (at: number): string => fromWords(isAfterExpiry(at) ? at : Math.ceil(at / 1000) * 1000)

/** The last instant of what ends there: an expiry still holds at its own. */
export const endWords = (at: number, zone?: Zone): string => momentWords(Math.floor((isAfterExpiry(at) ? at - 1 : at) / 1000) * 1000, zone)

/** When something changes: `Mon 2026-11-30 01:00 UTC`, and `after …` where an expiry passes. */
export const changeWords = (at: number, zone?: Zone): string =>
  isAfterExpiry(at) ? `after ${momentWords(at - 1, zone)}` : momentWords(at, zone)

/** The day of an instant in a zone: `Sun 2026-12-13`. */
export function dayWords(at: number, zone: Zone = utc): string {
  const { weekday, day } = clockWords(at, zone)
  return `${weekday} ${day}`
}

const two = (number: number) => String(number).padStart(2, '0')

function clockWords(instant: number, zone: Zone): { readonly weekday: string; readonly day: string; readonly time: string } {
  const { date, hour, minute, weekday } = zone.shows(instant)
  const local = instant + zone.offset(instant)
  const rest = ((local % 60_000) + 60_000) % 60_000
  const seconds = rest === 0 ? '' : `:${two(Math.floor(rest / 1000))}${rest % 1000 === 0 ? '' : `.${String(rest % 1000).padStart(3, '0')}`}`
  return {
    weekday: (weekdays[weekday] as string).slice(0, 3),
    day: printDate(date),
    time: `${two(hour)}:${two(minute)}${seconds}`,
  }
}

const hoursOfWeek = 7 * 24
const shortDays = weekdays.map((name) => name.slice(0, 3))
const wholeDay = '1'.repeat(24)

/** The hours of the week, or those that are left out where that is shorter. */
export function weeklyWords({ zone, hours }: Weekly): string {
  // A digit for each hour of the week, in order.
  const digits = [...hours.toString(2).padStart(hoursOfWeek, '0')].reverse().join('')
  const held = windowsIn(digits)
  const complement =
    held.length === 1 && !isMost(digits) ? undefined : windowsIn(digits.replace(/./g, (digit) => (digit === '1' ? '0' : '1')))
  const isLess = complement !== undefined && (complement.length < held.length || isMost(digits))
  return `${isLess ? 'outside ' : ''}${(isLess ? complement : held).join(' and ')} ${shown(zone.name)}`
}

/** Whether it is every day over midnight, and most of it: `outside daily 02:00–03:00` reads better than `daily 03:00–02:00`. */
function isMost(digits: string): boolean {
  const row = digits.slice(0, 24)
  return digits === row.repeat(7) && /^1+0+1+$/.test(row) && row.replaceAll('0', '').length > 16
}

function windowsIn(digits: string): readonly string[] {
  const run = longRun(digits)
  if (run !== undefined) return [run]
  const rowOf = (day: number) => digits.slice(24 * day, 24 * day + 24)
  const days = [...weekdays.keys()].filter((day) => rowOf(day).includes('1'))
  return [...groupedBy(days, rowOf)].map(([row, own]) => {
    if (row === wholeDay) return daysWords(own, true)
    return `${own.length === 7 ? 'daily' : daysWords(own, false)} ${hourRanges(row, own.length === 7).join(' and ')}`
  })
}

/** One window over midnight, if that is all of it: `Fri 19:00 to Mon 08:00`. */
function longRun(digits: string): string | undefined {
  const around = digits.at(-1) + digits
  const [start, end] = [around.indexOf('01'), around.indexOf('10')]
  if (start < 0 || end < 0 || start !== around.lastIndexOf('01') || end !== around.lastIndexOf('10')) return undefined
  // Whole days, and hours of one day, are said by day.
  const last = (end + hoursOfWeek - 1) % hoursOfWeek
  if ((start % 24 === 0 && end % 24 === 0) || Math.floor(start / 24) === Math.floor(last / 24)) return undefined
  const point = (hour: number) => `${shortDays[Math.floor(hour / 24)]} ${hourWords(hour % 24)}`
  return `${point(start)} to ${point(end)}`
}

/** Ranges of the hours of a day; one over midnight where every day is alike. */
export function hourRanges(row: string, isDaily: boolean): readonly string[] {
  const ranges = [...row.matchAll(/1+/g)].map(({ index, 0: run }): [number, number] => [index, index + run.length])
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (isDaily && first && last && first !== last && first[0] === 0 && last[1] === 24) {
    ranges.shift()
    last[1] = first[1]
  }
  return ranges.map(([from, to]) => `${hourWords(from)}–${hourWords(to)}`)
}

const hourWords = (hour: number) => `${String(hour).padStart(2, '0')}:00`

export function daysWords(days: readonly number[], isWhole: boolean): string {
  if (days.join('') === '56') return 'weekends'
  if (days.length === 1 && isWhole) return `${weekdays[days[0] as number]}s`
  const runs: number[][] = []
  for (const day of days) {
    const last = runs.at(-1)
    if (last && last.at(-1) === day - 1) last.push(day)
    else runs.push([day])
  }
  return runs
    .flatMap((run) => {
      const names = run.map((day) => shortDays[day] as string)
      return run.length > 2 ? [`${names[0]}–${names.at(-1)}`] : names
    })
    .join(', ')
}
