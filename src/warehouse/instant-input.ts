import type { Dialect } from './dialects.ts'
import type { InstantFormat } from './mapping.ts'
import { spellings } from './spellings.ts'

/** A column of a step, computed of those of the steps before, of which `z` is the row. */
export interface Computed {
  readonly name: string
  readonly value: string
}

/**
 * How instants of a log become milliseconds since 1970 (`at_ms`, NULL where they are none): of `at_given`, which is kept as text in
 * `at_text`. Dates are computed here and not by functions of an engine, so that each reads them as `readInstant` does.
 */
export function instantSteps(d: Dialect, format: InstantFormat): readonly (readonly Computed[])[] {
  const { text, milliseconds } = spellings[d.name]
  const asText: Computed = { name: 'at_text', value: d.cast('z.at_given', text) }
  if (format === 'rfc3339') return [[asText], ...rfc3339(d)]
  const counted =
    format === 'timestamp' ? [[asText, { name: 'at_counted', value: milliseconds('z.at_given') }]] : [[asText], ...epoch(d, format)]
  return [...counted, [{ name: 'at_ms', value: `CASE WHEN z.at_counted BETWEEN ${first} AND ${last} THEN z.at_counted END` }]]
}

/** The years 0 to 9999, which are those of RFC 3339. Milliseconds read as seconds, and microseconds as milliseconds, are beyond them. */
const [first, last] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/** Numbers as they are written: whole ones, and decimals and floating-point numbers, which some engines take a hundred times as long for. */
const numberShapes = {
  epoch_ms: { whole: '-?[0-9]{1,16}', other: '([0-9]{1,16}[.][0-9]*|[0-9]([.][0-9]*)?[Ee][+]?(1[0-5]|0?[0-9]))' },
  epoch_s: { whole: '-?[0-9]{1,13}', other: '([0-9]{1,13}[.][0-9]*|[0-9]([.][0-9]*)?[Ee][+]?(1[0-2]|0?[0-9]))' },
} as const

function epoch(d: Dialect, format: 'epoch_ms' | 'epoch_s'): readonly (readonly Computed[])[] {
  const { decimal, bigint } = spellings[d.name]
  const { whole, other } = numberShapes[format]
  const shaped = (name: string, shape: string): Computed => ({ name, value: `CASE WHEN ${d.fits('z.at_text', shape)} THEN z.at_text END` })
  // As records are read: seconds are rounded to milliseconds, finer fractions of those are cut off.
  const [ofWhole, ofOther] =
    format === 'epoch_ms'
      ? [d.cast('z.at_whole', bigint), `floor(${decimal('z.at_other')})`]
      : [`${d.cast('z.at_whole', bigint)} * 1000`, `round(${decimal('z.at_other')} * 1000)`]
  return [
    [shaped('at_whole', whole), shaped('at_other', other)],
    [{ name: 'at_counted', value: `CASE WHEN z.at_whole IS NOT NULL THEN ${ofWhole} ELSE ${d.cast(ofOther, bigint)} END` }],
  ]
}

const [hour, sixty] = ['([01][0-9]|2[0-3])', '[0-5][0-9]']
const rfc3339Shape = `[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]${hour}:${sixty}:(${sixty}|60)([.][0-9]+)?([Zz]|[+-]${hour}:${sixty})`

function rfc3339(d: Dialect): readonly (readonly Computed[])[] {
  const { bigint } = spellings[d.name]
  const part = (start: string | number, count: number | string) => d.head(d.rest('z.at_ok', String(start)), String(count))
  const number = (value: string) => d.cast(value, bigint)
  const all = d.length('z.at_ok')
  const isUtc = `(${d.endsWith('z.at_ok', 'Z')} OR ${d.endsWith('z.at_ok', 'z')})`
  const zone = `CASE WHEN ${isUtc} THEN 1 ELSE 6 END`
  const fraction = `CASE WHEN ${part(20, 1)} = '.' THEN ${part(21, `${all} - 20 - (${zone})`)} ELSE '' END`
  const minutes = `60 * ${number(part(`${all} - 4`, 2))} + ${number(part(`${all} - 1`, 2))}`
  const offset = `CASE WHEN ${isUtc} THEN 0 WHEN ${part(`${all} - 5`, 1)} = '-' THEN -(${minutes}) ELSE ${minutes} END`
  // Years are counted from March, and 400 more, so that no number is negative.
  const years = '(CASE WHEN z.at_month <= 2 THEN z.at_year + 399 ELSE z.at_year + 400 END)'
  const months = '(CASE WHEN z.at_month <= 2 THEN z.at_month + 9 ELSE z.at_month - 3 END)'
  const days = `365 * ${years} + ${d.quotient(years, 4)} - ${d.quotient(years, 100)} + ${d.quotient(years, 400)} + ${d.quotient(`(153 * ${months} + 2)`, 5)} + z.at_day - 1 - ${719_468 + 146_097}`
  const isLeap = `${d.remainder('z.at_year', 4)} = 0 AND (${d.remainder('z.at_year', 100)} <> 0 OR ${d.remainder('z.at_year', 400)} = 0)`
  const lastDay = `CASE WHEN z.at_month = 2 THEN CASE WHEN ${isLeap} THEN 29 ELSE 28 END WHEN z.at_month IN (4, 6, 9, 11) THEN 30 ELSE 31 END`
  return [
    [{ name: 'at_ok', value: `CASE WHEN ${d.fits('z.at_text', rfc3339Shape)} THEN z.at_text END` }],
    [
      { name: 'at_year', value: number(part(1, 4)) },
      { name: 'at_month', value: number(part(6, 2)) },
      { name: 'at_day', value: number(part(9, 2)) },
      { name: 'at_second', value: number(part(18, 2)) },
      { name: 'at_minutes', value: `60 * ${number(part(12, 2))} + ${number(part(15, 2))} - (${offset})` },
      { name: 'at_fraction', value: number(d.head(d.concat(fraction, "'000'"), '3')) },
    ],
    [{ name: 'at_whole', value: `((${days}) * 1440 + z.at_minutes) * 60 + z.at_second` }],
    [
      {
        name: 'at_ms',
        // A leap second is the last one of a day.
        value: `CASE WHEN z.at_day > ${lastDay} THEN NULL WHEN z.at_second = 60 AND ${d.remainder('z.at_whole', 86_400)} <> 0 THEN NULL ELSE z.at_whole * 1000 + z.at_fraction END`,
      },
    ],
  ]
}
