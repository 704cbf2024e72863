import { describe, expect, test } from 'vitest'
import { readConditionKey, readTest } from '../../src/conditions/test.ts'
import {
  allOf,
  always,
  anyOf,
  comparison,
  until as expiry,
  type Formula,
  never,
  noneOf,
  openFact,
  openText,
} from '../../src/symbolic/formula.ts'
import { type Conditions, type Situation, whatAlways, whatNever } from '../../src/symbolic/situation.ts'
import { type NextChangeOptions, nextChange, Windows } from '../../src/symbolic/windows.ts'
import { Zones } from '../../src/zones.ts'

/** Descriptions of formulas and changes of what they come to, with all that they hold. */

const zones = new Zones()
const at = (text: string) => Date.parse(text)
const iso = (instant: number) => new Date(instant).toISOString()

/** A comparison, as a policy writes it. */
function is(key: string, value: string): Formula {
  const read = readConditionKey(key, zones).value
  const test = read && readTest(read, value).value
  if (!test) throw new Error(`${key} = ${value}`)
  return comparison(test)
}

const until = (text: string) => expiry(at(text))
const opaque = (text: string) => openFact({ kind: 'condition', text, holds: true })
const hours = (zone: string, from: number, to: number) =>
  allOf([is(`date(${zone}).Hour.GE`, `${from}`), is(`date(${zone}).Hour.LT`, `${to}`)])
const monday = at('2026-03-02T00:00:00Z')

const names = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

/** The runs of hours in a week: `Mo 08-18` for each day, `daily` where all have the same. */
function hoursOf(bits: bigint): string {
  const days = names.map((_, day) => {
    const own = Array.from({ length: 24 }, (_, hour) => ((bits >> BigInt(day * 24 + hour)) & 1n) === 1n)
    const runs: string[] = []
    for (let hour = 0; hour < 24; hour++) {
      if (!own[hour] || own[hour - 1]) continue
      let end = hour
      while (own[end]) end++
      runs.push(`${hour}-${end}`)
    }
    return runs.join('+')
  })
  if (new Set(days).size === 1) return `daily ${days[0]}`
  return days.flatMap((own, i) => (own === '' ? [] : [`${names[i]} ${own}`])).join(' ')
}

const situationLine = ({ spans, weekly, addresses, texts, facts }: Situation) =>
  [
    ...(spans ?? []).map(({ from, to }) => `${from ? iso(from.at) : ''}..${to ? iso(to.at) : ''}`),
    ...weekly.map(({ zone, hours: bits }) => `${zone.name} ${hoursOf(bits)}`),
    ...(addresses ?? []).map(({ first, last }) => `${first}-${last}`),
    ...texts.map(({ subject, join, literals }) => {
      const each = literals.map(({ matchType, value, holds }) => `${holds ? '' : 'not '}${matchType} ${value}`).join(` ${join} `)
      return `${subject.kind}${subject.parameter && ` ${subject.parameter}`} ${each}`
    }),
    ...facts.map(({ is: fact, holds }) => `${holds ? '' : 'not '}${openText(fact)}`),
  ].join('; ')

const linesOf = (found: Conditions | undefined) =>
  found && [...found.any.map(situationLine), ...found.except.map((each) => `except ${situationLine(each)}`)]

const said = (formula: Formula) => linesOf(new Windows({ from: monday }).describe(formula))
const tag = (key: string, value: string) => is(`resource.Tag(${key})`, value)

describe('a description', () => {
  test.each<[string, Formula, readonly string[] | undefined]>([
    ['always', always, ['']],
    ['never', never, []],
    [
      'parts in the order of time, address, tag, name, type and facts',
      allOf([
        opaque('weather'),
        is('resource.Type', 't'),
        is('resource.Name', 'n'),
        tag('k', 'a'),
        is('request.IP', '0.0.0.9'),
        is('date(UTC).Hour', '5'),
        until('2026-12-01T00:00:00Z'),
      ]),
      ['..2026-12-01T00:00:00.001Z; UTC daily 5-6; 9-9; tag k exact a; name exact n; type exact t; weather'],
    ],
    [
      'windows of zones that are always the same hours apart are one',
      allOf([hours('UTC', 0, 6), hours('Asia/Tokyo', 12, 18)]),
      ['UTC daily 3-6'],
    ],
    [
      'a day of a clock that is ahead',
      allOf([is('date(UTC).WeekDay', 'Sunday'), is('date(Asia/Tokyo).WeekDay', 'Monday')]),
      ['UTC Su 15-24'],
    ],
    [
      'a day of a clock that is behind',
      allOf([is('date(UTC).WeekDay', 'Tuesday'), is('date(America/Phoenix).WeekDay', 'Monday')]),
      ['UTC Tu 0-7'],
    ],
    [
      'windows of zones that are not stay apart',
      allOf([is('date(UTC).WeekDay', 'Monday'), is('date(Europe/Paris).Hour', '12')]),
      ['UTC Mo 0-24; Europe/Paris daily 12-13'],
    ],
    ['a window that lies in one of another zone', allOf([hours('UTC', 6, 20), hours('Europe/Paris', 9, 18)]), ['Europe/Paris daily 9-18']],
    ['windows that never meet', allOf([hours('UTC', 1, 5), hours('Europe/Paris', 9, 18)]), []],
    ['a window that a short span has not', allOf([expiry(monday + 3_599_999), is('date(UTC).Hour', '1')]), []],
    [
      'a window that a span has at its only instant',
      allOf([expiry(monday), is('date(UTC).Hour', '0')]),
      ['..2026-03-02T00:00:00.001Z; UTC daily 0-1'],
    ],
    [
      'one of two dates that has the window',
      allOf([is('date(UTC).Date.IN', '2026-03-09, 2026-03-11'), is('date(UTC).WeekDay', 'Monday')]),
      ['2026-03-09T00:00:00.000Z..2026-03-10T00:00:00.000Z; 2026-03-11T00:00:00.000Z..2026-03-12T00:00:00.000Z; UTC Mo 0-24'],
    ],
    [
      'a window that all of a short span has',
      allOf([until('2026-03-02T12:00:00Z'), is('date(UTC).WeekDay', 'Monday')]),
      ['..2026-03-02T12:00:00.001Z; UTC Mo 0-24'],
    ],
    [
      'an exception, where that is shorter',
      allOf([is('date(UTC).Hour.GE', '8'), noneOf(allOf([tag('k', 'a'), tag('e', 'b'), is('request.IP', '0.0.0.9')]))]),
      ['UTC daily 8-24', 'except 9-9; tag k exact a; tag e exact b'],
    ],
    [
      'one text or the other, but not both',
      anyOf([
        allOf([is('resource.Tag(k).STARTS_WITH', 'a'), noneOf(is('resource.Tag(k).ENDS_WITH', 'b'))]),
        allOf([noneOf(is('resource.Tag(k).STARTS_WITH', 'a')), is('resource.Tag(k).ENDS_WITH', 'b')]),
      ]),
      undefined,
    ],
    [
      'the same with one text, and a part of it with another, as exceptions',
      anyOf([
        allOf([tag('e', 'x'), is('resource.Tag(k).STARTS_WITH', 'a'), noneOf(is('resource.Tag(k).ENDS_WITH', 'b'))]),
        allOf([tag('e', 'x'), noneOf(is('resource.Tag(k).STARTS_WITH', 'a')), is('resource.Tag(k).ENDS_WITH', 'b')]),
        allOf([tag('e', 'y'), is('resource.Tag(k).ENDS_WITH', 'b')]),
      ]),
      [
        'tag e exact x or exact y; tag k prefix a or suffix b',
        'except tag e exact y; tag k prefix a and not suffix b',
        'except tag e exact x; tag k prefix a and suffix b',
      ],
    ],
    [
      'the same beside something else',
      anyOf([
        tag('e', 'x'),
        allOf([is('resource.Tag(k).STARTS_WITH', 'a'), noneOf(is('resource.Tag(k).ENDS_WITH', 'b'))]),
        allOf([noneOf(is('resource.Tag(k).STARTS_WITH', 'a')), is('resource.Tag(k).ENDS_WITH', 'b')]),
      ]),
      undefined,
    ],
  ])('%s', (_, formula, expected) => {
    expect(said(formula)).toEqual(expected)
  })

  test('of what has ended, where no first instant is given', () => {
    const both = allOf([until('2020-06-01T00:00:00Z'), is('date(UTC).WeekDay', 'Monday'), is('date(Europe/Paris).Hour', '12')])
    expect(linesOf(new Windows().describe(both))).toEqual(['..2020-06-01T00:00:00.001Z; UTC Mo 0-24; Europe/Paris daily 12-13'])
  })

  test('is remembered, for a formula and for others of its text', () => {
    const windows = new Windows({ from: monday })
    const formula = allOf([tag('k', 'a'), tag('e', 'b')])
    expect(windows.describe(formula)).toBe(windows.describe(formula))
    expect(windows.describe(allOf([tag('k', 'a'), tag('e', 'b')]))).toBe(windows.describe(formula))
    expect(windows.describe(always)).toBe(whatAlways)
    expect(windows.describe(never)).toBe(whatNever)
  })

  test('has at most eight situations', () => {
    const distinct = (count: number) => Array.from({ length: count }, (_, i) => allOf([tag('a', `x${i}`), tag('b', `y${i}`)]))
    expect(said(anyOf(distinct(8)))).toHaveLength(8)
    expect(said(anyOf(distinct(9)))).toBeUndefined()
    // The exceptions count, and what they are taken from.
    const without = (count: number) => {
      const formula = allOf([noneOf(anyOf(distinct(count))), opaque('weather')])
      return linesOf(new Windows({ from: monday, steps: 3_000_000 }).describe(formula))
    }
    expect(without(7)?.map((line) => line.split(' ', 1)[0])).toEqual(['weather', ...Array.from({ length: 7 }, () => 'except')])
    expect(without(9)).toBeUndefined()
  })

  test('compares with at most 150 values', () => {
    const list = (count: number) => is('resource.Name.IN', Array.from({ length: count }, (_, i) => `n${i}`).join(','))
    expect(said(list(150))).toHaveLength(1)
    expect(said(list(151))).toBeUndefined()
    expect(said(allOf([list(149), opaque('weather')]))).toHaveLength(1)
    expect(said(allOf([list(150), opaque('weather')]))).toBeUndefined()
  })
})

describe('the next change', () => {
  const change = (formula: Formula, from: string, options?: NextChangeOptions) => {
    const found = nextChange(formula, at(from), options)
    return found && `${iso(found.at)} ${found.holds} ${found.zone.name}`
  }
  const night = is('date(Europe/Paris).Hour', '2')
  const ny = is('date(America/New_York).Hour', '20')
  const from = '2026-03-02T00:00:00Z'

  test.each<[string, Formula, string | undefined, NextChangeOptions?]>([
    ['of nothing', always, undefined],
    ['of an expiry', until('2026-03-05T12:00:00Z'), '2026-03-05T12:00:00.001Z false UTC'],
    ['of an expiry that has passed', until('2026-03-01T12:00:00Z'), undefined],
    ['of an expiry at this instant', expiry(monday), '2026-03-02T00:00:00.001Z false UTC'],
    ['of a window', is('date(UTC).Hour', '5'), '2026-03-02T05:00:00.000Z true UTC'],
    ['of a window, to an end', is('date(UTC).Hour', '5'), '2026-03-02T06:00:00.000Z false UTC', { to: false }],
    ['of a date', is('date(Europe/Paris).Date', '2026-03-05'), '2026-03-04T23:00:00.000Z true Europe/Paris'],
    ['of a date, to an end', is('date(Europe/Paris).Date', '2026-03-05'), '2026-03-05T23:00:00.000Z false Europe/Paris', { to: false }],
    ['of the clock that is first', anyOf([night, ny]), '2026-03-02T01:00:00.000Z true Europe/Paris'],
    ['of the clock that is second', anyOf([is('date(Europe/Paris).Hour', '9'), ny]), '2026-03-02T01:00:00.000Z true America/New_York'],
    [
      'of an expiry beside a clock',
      allOf([is('date(Europe/Paris).Hour.LT', '23'), until('2026-03-02T12:30:00Z')]),
      '2026-03-02T12:30:00.001Z false UTC',
    ],
    ['after an expiry', allOf([noneOf(until('2026-06-01T00:00:00Z')), night]), '2026-06-01T00:00:00.001Z true UTC'],
    ['long after an expiry', allOf([noneOf(until('2027-06-01T12:00:00Z')), night]), '2027-06-02T00:00:00.000Z true Europe/Paris'],
    ['that other facts decide', allOf([night, tag('k', 'a')]), '2026-03-02T01:00:00.000Z undefined Europe/Paris'],
    [
      'with these facts',
      allOf([night, tag('k', 'a')]),
      '2026-03-02T01:00:00.000Z true Europe/Paris',
      { given: { tags: new Map([['k', 'a']]), assumed: new Map() } },
    ],
    ['with others', allOf([tag('k', 'a'), night]), undefined, { given: { tags: new Map([['k', 'b']]), assumed: new Map() } }],
  ])('%s', (_, formula, expected, options) => {
    expect(change(formula, from, options)).toBe(expected)
  })
})
