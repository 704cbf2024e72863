import { readInstant } from '../../conditions/time.ts'
import { Refusal } from '../app/refusal.ts'
import { instantOf } from './question.ts'

const day = 86_400_000
const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: day, w: 7 * day }
/** Years and months have no fixed length: a duration is given in weeks, days, hours, minutes and seconds. */
const isoDuration = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/
const shortDuration = /^(\d+)(ms|[smhdw])$/

/** A duration in milliseconds: `30d`, `12h`, `500ms`, `P30D`, `PT12H`; undefined when it is none, or nothing at all. */
export function readDuration(text: string): number | undefined {
  return readLength(text) || undefined
}

/** A duration in milliseconds, where none at all (`0s`) is one as well. */
export function readLength(text: string): number | undefined {
  const [, count, unit = ''] = shortDuration.exec(text) ?? []
  if (count !== undefined) return Number(count) * (units[unit] as number)
  const parts = isoDuration.exec(text)
  if (!parts || text === 'P' || text.endsWith('T')) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((each) => Number(each ?? 0))
  return (weeks * 7 + days) * day + ((hours * 60 + minutes) * 60 + seconds) * 1000
}

/** The first and last instants that can be written. */
const [earliest, latest] = [-62135596800000, 253402300799999]

/** `--horizon`, or the option of that name: a length of time from an instant, or the instant itself. Milliseconds since 1970. */
export function readHorizon(text: string, from: number, option = '--horizon'): number {
  if (readLength(text) === 0) throw new Refusal(`${option} \`${text}\` is no time at all`, 'write a length such as `30d`, `12h` or `P30D`')
  const duration = readDuration(text)
  const to = duration === undefined ? readInstant(text) : from + duration
  if (to === undefined) {
    const help = 'write a length such as `30d`, `12h` or `P30D`, or an instant such as `2027-01-31T23:59:59Z`'
    if (/^\d{4}-/.test(text)) return instantOf(option, text)
    throw new Refusal(
      `${option} \`${text}\` is neither a length of time nor an instant`,
      /^P.*[YM](?!.*T)/.test(text) ? 'months and years differ in length: count days, such as `P90D`' : help,
    )
  }
  if (to <= from) throw new Refusal(`${option} \`${text}\` is not after the start`, 'it has to end later than it starts')
  if (to > latest || from < earliest) throw new Refusal(`${option} \`${text}\` leads beyond the year 9999`)
  return to
}
