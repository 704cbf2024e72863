import { momentWords } from '../report/instants.ts'
import { plural } from '../report/words.ts'

/** How far an instant is from now, and the instant: `in 12 days, 2026-12-05 00:00 UTC`, `3 hours ago, …`. */
export function distanceWords(instant: number, now: number): string {
  const distance = Math.abs(instant - now)
  const { length, noun } = units.find(({ from }) => distance >= from) ?? second
  const count = plural(Math.floor(distance / length), noun)
  return `${instant >= now ? `in ${count}` : `${count} ago`}, ${momentWords(instant)}`
}

const second = { from: 0, length: 1000, noun: 'second' }
const day = 86_400_000
/** From two of a unit on, it is counted in that. */
const units = [
  { from: 730 * day, length: 365 * day, noun: 'year' },
  { from: 2 * day, length: day, noun: 'day' },
  { from: 7_200_000, length: 3_600_000, noun: 'hour' },
  { from: 120_000, length: 60_000, noun: 'minute' },
]

/** The same of an expiry. */
export function expiryWords(at: number, now: number): string {
  return `${at >= now ? 'expires' : 'expired'} ${distanceWords(at, now)}`
}
