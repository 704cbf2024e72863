import { type End, endOf } from '../symbolic/ends.ts'
import { atomsOf, type Formula } from '../symbolic/formula.ts'
import { dayWords, endWords } from './instants.ts'
import { shown } from './safe.ts'
import { said } from './words.ts'

/** The last day or instant of what ends: `Sun 2026-12-13 (Europe/Paris)`, `Fri 2026-12-11 18:00 Europe/Paris (17:00 UTC)`. */
export function lastWords({ at, zone }: End): string {
  const { hour, minute } = zone.shows(at)
  const isMidnight = hour === 0 && minute === 0 && at % 60_000 === 0
  return isMidnight ? `${dayWords(at - 1, zone)} (${shown(zone.name)})` : endWords(at, zone)
}

/**
 * When access under a condition ends for ever: `last access Sun 2026-12-13 (Europe/Paris), then none`. Nothing where it
 * does not, or where an expiry ends it, which the condition says itself.
 */
export function endItems(condition: Formula, from: number | undefined): readonly string[] {
  const end = endOf(condition, from)
  const isExpiry = end && [...atomsOf(condition)].some((atom) => atom.kind === 'until' && atom.at === end.at - 1)
  return said(end && !isExpiry && `last access ${lastWords(end)}, then none`)
}
