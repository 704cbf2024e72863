import { weekdays } from '../conditions/time.ts'
import { utc, type Zone } from '../zones.ts'
import { shown } from './safe.ts'

/** Instants: for programs and for `--at` as RFC 3339, for people with the weekday, in the zone that counts. */

/** An instant as programs read it and as `--at` takes it: RFC 3339 in UTC, fractions of a second where there are any. */
export function isoWords(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}

/**
 * An instant for people: `Sat 2026-11-28 18:00 Europe/Paris (17:00 UTC)`, `Sat 2026-11-28 18:00 UTC`. `zone`: that of the
 * condition that counts. Seconds and their fractions where there are any.
 */
export function momentWords(at: number, zone: Zone = utc): string {
  const here = clockWords(at, zone)
  const words = `${here.weekday} ${here.day} ${here.time} ${shown(zone.name)}`
  if (zone.name === utc.name) return words
  const there = clockWords(at, utc)
  return `${words} (${there.day === here.day ? '' : `${there.day} `}${there.time} UTC)`
}

/** The same by the clock of a zone that is named already: `Sat 2026-11-28 18:00`. */
export function localWords(at: number, zone: Zone): string {
  const { weekday, day, time } = clockWords(at, zone)
  return `${weekday} ${day} ${time}`
}

/** Whether an instant is the one after an expiry, which still holds at its own: those are written in whole seconds. */
export function isAfterExpiry(at: number): boolean {
  return ((at % 1000) + 1000) % 1000 === 1
}

/** From when on something holds: `from Mon 2026-11-30 01:00 UTC`, and `after …` where an expiry passes. */
export function fromWords(at: number, zone?: Zone): string {
  return isAfterExpiry(at) ? `after ${momentWords(at - 1, zone)}` : `from ${momentWords(at, zone)}`
}

/** From when on something was looked at: the clock's own instant to the next second, where that is between two. */
export function sinceWords(at: number): string {
  return isAfterExpiry(at) ? fromWords(at) : `from ${momentWords(Math.ceil(at / 1000) * 1000)}`
}

/** The last instant of what ends there: an expiry still holds at its own. */
export function endWords(at: number, zone?: Zone): string {
  return momentWords(Math.floor((isAfterExpiry(at) ? at - 1 : at) / 1000) * 1000, zone)
}

/** When something changes: `Mon 2026-11-30 01:00 UTC`, and `after …` where an expiry passes. */
export function changeWords(at: number, zone?: Zone): string {
  return isAfterExpiry(at) ? `after ${momentWords(at - 1, zone)}` : momentWords(at, zone)
}

/** The day of an instant in a zone: `Sun 2026-12-13`. */
export function dayWords(at: number, zone: Zone = utc): string {
  const { weekday, day } = clockWords(at, zone)
  return `${weekday} ${day}`
}

/** A date that is written as a number. */
export function dateWords(date: number): string {
  return `${String(Math.floor(date / 10000)).padStart(4, '0')}-${two(Math.floor(date / 100) % 100)}-${two(date % 100)}`
}

const two = (number: number) => String(number).padStart(2, '0')

function clockWords(at: number, zone: Zone): { readonly weekday: string; readonly day: string; readonly time: string } {
  const { date, hour, minute, weekday } = zone.shows(at)
  const local = at + zone.offset(at)
  const rest = ((local % 60_000) + 60_000) % 60_000
  const seconds = rest === 0 ? '' : `:${two(Math.floor(rest / 1000))}${rest % 1000 === 0 ? '' : `.${String(rest % 1000).padStart(3, '0')}`}`
  return {
    weekday: (weekdays[weekday] as string).slice(0, 3),
    day: dateWords(date),
    time: `${two(hour)}:${two(minute)}${seconds}`,
  }
}
