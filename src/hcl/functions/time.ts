import { readInstant, weekdays } from '../../conditions/time.ts'
import type { Span } from '../../source.ts'
import { textNode } from '../values.ts'
import { type Builtin, ofTexts, type Result } from './support.ts'

const months = 'January February March April May June July August September October November December'.split(' ')

/** The parts of a moment as they are written, in its own offset from UTC. */
interface Moment {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** `Z`, or `+hh:mm`. */
  readonly offset: string
  readonly weekday: string
}

function momentOf(text: string): Moment | undefined {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,]\d+)?(Z|[-+]\d\d:\d\d)$/.exec(text)
  if (!match || readInstant(text) === undefined) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number]
  const weekday = weekdays[(new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7] as string
  return { year, month, day, hour, minute, second, offset: match[7] as string, weekday }
}

const plain = (value: number) => String(value)
const two = (value: number) => String(value).padStart(2, '0')
const twelve = (hour: number) => hour % 12 || 12
const isUtc = (offset: string) => /^(Z|[-+]00:00)$/.test(offset)
const signed = (offset: string) => (offset === 'Z' ? '+00:00' : offset.replace('-00:00', '+00:00'))

/** The meaning of each sequence of letters; other sequences have none. */
const verbs: Readonly<Record<string, (moment: Moment) => string>> = {
  YY: ({ year }) => two(year % 100),
  YYYY: ({ year }) => String(year).padStart(4, '0'),
  M: ({ month }) => plain(month),
  MM: ({ month }) => two(month),
  MMM: ({ month }) => (months[month - 1] ?? '').slice(0, 3),
  MMMM: ({ month }) => months[month - 1] ?? '',
  D: ({ day }) => plain(day),
  DD: ({ day }) => two(day),
  EEE: ({ weekday }) => weekday.slice(0, 3),
  EEEE: ({ weekday }) => weekday,
  h: ({ hour }) => plain(hour),
  hh: ({ hour }) => two(hour),
  H: ({ hour }) => plain(twelve(hour)),
  HH: ({ hour }) => two(twelve(hour)),
  AA: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  aa: ({ hour }) => (hour < 12 ? 'am' : 'pm'),
  m: ({ minute }) => plain(minute),
  mm: ({ minute }) => two(minute),
  s: ({ second }) => plain(second),
  ss: ({ second }) => two(second),
  Z: ({ offset }) => (isUtc(offset) ? 'Z' : offset),
  ZZZ: ({ offset }) => (isUtc(offset) ? 'UTC' : signed(offset).replace(':', '')),
  ZZZZ: ({ offset }) => signed(offset).replace(':', ''),
  ZZZZZ: ({ offset }) => signed(offset),
}

/** A moment as a format has it; undefined where the format is none. */
function formatted(format: string, moment: Moment): string | undefined {
  let result = ''
  for (let index = 0; index < format.length; ) {
    const [quoted] = /^'(?:[^']|'')*'/.exec(format.slice(index)) ?? []
    const letter = format[index] as string
    if (letter === "'") {
      if (quoted === undefined) return undefined
      result += quoted === "''" ? "'" : quoted.slice(1, -1).replaceAll("''", "'")
      index += quoted.length
    } else if (/[A-Za-z]/.test(letter)) {
      let end = index
      while (format[end] === letter) end++
      const verb = format.slice(index, end)
      if (!Object.hasOwn(verbs, verb)) return undefined
      result += verbs[verb]?.(moment)
      index = end
    } else {
      result += letter
      index++
    }
  }
  return result
}

const longestFormat = 1000

const longestDuration = 100

/** The nanoseconds that no duration has: they are numbers of 64 bits. */
const longestAmount = 2 ** 63

/** Units of durations, in nanoseconds. */
const units: Readonly<Record<string, number>> = { h: 3.6e12, m: 6e10, s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, μs: 1e3, ns: 1 }

/** An instant and a duration such as `1h30m` or `-10m` after it, in the same offset from UTC; to the second. */
function later(instant: string, duration: string, span: Span): Result {
  const from = readInstant(instant)
  if (duration.length > longestDuration) return 'unknown'
  const [, sign, parts = ''] = /^([-+]?)(0|(?:(?:\d+\.?\d*|\.\d+)(?:h|ms|m|s|us|µs|μs|ns))+)$/.exec(duration) ?? []
  if (from === undefined || parts === '') return undefined
  let amount = 0
  for (const [, number, unit] of parts.matchAll(/([\d.]+)(h|ms|m|s|us|µs|μs|ns)/g))
    amount += Number(number) * (units[unit as string] as number)
  if (amount >= longestAmount) return undefined
  const offset = instant
    .slice(19)
    .replace(/^\.\d+/, '')
    .toUpperCase()
  const shift =
    offset === 'Z' ? 0 : (offset.startsWith('-') ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6))) * 60_000
  const to = from + ((sign === '-' ? -1 : 1) * amount) / 1e6
  const shown = new Date(to + shift).toISOString()
  // Parts of seconds, and years that four digits do not hold.
  if (!Number.isInteger(to / 1000) || !/^\d{4}-/.test(shown)) return 'unknown'
  return textNode(span, shown.replace('.000Z', offset))
}

export const timeFunctions: Readonly<Record<string, Builtin>> = {
  formatdate: ofTexts(([format = '', moment = ''], { span }) => {
    const read = momentOf(moment)
    if (!read) return readInstant(moment) === undefined ? undefined : 'unknown'
    if (format.length > longestFormat) return 'unknown'
    const result = formatted(format, read)
    return result === undefined ? undefined : textNode(span, result)
  }),
  timeadd: ofTexts(([moment = '', amount = ''], { span }) => later(moment, amount, span)),
}
