const instantShape = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?([Zz]|([+-])(\d{2}):(\d{2}))$/

/**
 * Read an RFC 3339 date and time: milliseconds since 1970, or undefined. Impossible dates are refused, a missing offset
 * is refused, and a leap second counts as the second after it. Finer fractions than a millisecond are cut off.
 */
export function readInstant(text: string): number | undefined {
  const m = instantShape.exec(text)
  if (!m) return undefined
  const [year, month, day, hour, minute, second] = [m[1], m[2], m[3], m[4], m[5], m[6]].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const [offsetHour, offsetMinute] = [Number(m[10] ?? 0), Number(m[11] ?? 0)]
  if (!isDate(year, month, day) || hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined
  const offset = (m[9] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute)
  const midnight = new Date(0)
  midnight.setUTCFullYear(year, month - 1, day)
  const whole = midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000
  if (second === 60 && whole % 86_400_000 !== 0) return undefined
  return whole + Number((m[7] ?? '').slice(0, 3).padEnd(3, '0'))
}

/**
 * Why `readInstant` refuses a text, and what to write instead: a day or time that does not exist, or a missing part. If only
 * the notation is wrong, the help has the whole corrected text.
 */
export function instantFault(text: string): {
  readonly message: string
  readonly help: string
  /** The corrected text; `isSure` if it cannot be anything else. */
  readonly meant?: { readonly text: string; readonly isCertain: boolean }
} {
  const [, date = '', separator = '', time = '', seconds = '', offset = ''] = looseInstant.exec(text.trim()) ?? []
  if (date === '') return { message: 'is not a date and time', help: 'write RFC 3339 with an offset, such as `2027-01-31T23:59:59Z`' }
  if (readDate(date) === undefined) {
    const [year = 0, month = 0] = date.split('-').map(Number)
    const last = [31, 30, 29, 28].find((day) => isDate(year, month, day))
    if (last === undefined) return { message: 'names a month that does not exist', help: 'months run from `01` to `12`' }
    return { message: 'names a day that does not exist', help: `the last day of that month is \`${date.slice(0, 8)}${last}\`` }
  }
  if (time === '') {
    const example = `${date}T23:59:59Z`
    return {
      message: 'has no time and no offset from UTC',
      help: `write both: the end of that day in UTC is \`${example}\``,
      meant: { text: example, isCertain: false },
    }
  }
  const whole = `${date}T${time}${seconds.replace(',', '.') || ':00'}${offset === '' ? 'Z' : offset.replace(/^([+-]\d\d)(\d\d)?$/, (_, h, m) => `${h}:${m ?? '00'}`)}`
  if (readInstant(whole) === undefined)
    return { message: 'names a time or an offset that does not exist', help: 'times run from `00:00:00` to `23:59:59`' }
  if (offset === '')
    return {
      message: 'has no offset from UTC',
      help: `write \`${whole}\` if UTC is intended, or an offset such as \`+01:00\` for the \`Z\``,
      meant: { text: whole, isCertain: false },
    }
  const message = !/^t$/i.test(separator)
    ? 'has no `T` between date and time'
    : seconds === ''
      ? 'has no seconds'
      : 'is not written as RFC 3339'
  return { message, help: `did you mean \`${whole}\`?`, meant: { text: whole, isCertain: true } }
}

/** Date, separator, hours and minutes, seconds, offset: each but the first may be missing. */
const looseInstant = /^(\d{4}-\d{2}-\d{2})(?:([Tt_ ]+)(\d{2}:\d{2})(:\d{2}(?:[.,]\d+)?)? ?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/

/** A day or month that does not exist leads into another month, or is no month at all. */
function isDate(year: number, month: number, day: number): boolean {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1
}

/** Read `YYYY-MM-DD` to year·10000 + month·100 + day, or undefined when there is no such day. */
export function readDate(text: string): number | undefined {
  const m = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!m || !isDate(Number(m[1]), Number(m[2]), Number(m[3]))) return undefined
  return Number(m[1]) * 10000 + Number(m[2]) * 100 + Number(m[3])
}

/** A date that is a number, as `YYYY-MM-DD`. */
export const printDate = (date: number): string =>
  String(date)
    .padStart(8, '0')
    .replace(/(..)(..)$/, '-$1-$2')

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** Read an English weekday name in any case: 0 for Monday to 6 for Sunday. */
export function readWeekday(text: string): number | undefined {
  const index = weekdays.findIndex((name) => name.toLowerCase() === text.toLowerCase())
  return index < 0 ? undefined : index
}
