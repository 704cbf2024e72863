import { describe, expect, test } from 'vitest'
import { holdsAt, readConditionKey, readTest, type Test } from '../../src/conditions/test.ts'
import { classes, cuts } from '../../src/symbolic/clock.ts'
import { Zones } from '../../src/zones.ts'
import { pick, randomOf } from '../support/worlds.ts'

const zones = new Zones()
const minute = 60_000
const quarter = 15 * minute
const hour = 60 * minute
const day = 24 * hour
const week = 7 * day
const at = (text: string) => Date.parse(text)
const written = (instants: readonly number[]) => instants.map((instant) => new Date(instant).toISOString().replace(':00.000Z', 'Z'))

/** A comparison with the time, as a policy writes it. */
function is(key: string, value: string): Test {
  const read = readConditionKey(key, zones).value
  const test = read && readTest(read, value).value
  if (!test) throw new Error(`${key} = ${value}`)
  return test
}

/** The values of tests and expiries at an instant. */
const said = (tests: readonly Test[], expiries: readonly number[], instant: number) =>
  [...tests.map((test) => holdsAt(test, instant)), ...expiries.map((expiry) => instant <= expiry)].map((is) => (is ? '1' : '0')).join('')

const [earliest, latest] = [at('0001-01-01T00:00:00Z'), at('9999-12-31T23:59:59.999Z')]

describe('one instant of each class', () => {
  /** Every instant that can matter, some weeks around the first mark and around each change of summer time. */
  const grid = (from: string, days: number, step = hour) =>
    Array.from({ length: Math.ceil((days * day) / step) + 1 }, (_, i) => at(from) + i * step)

  const cases: readonly (readonly [name: string, tests: readonly Test[], expiries: readonly string[], instants: readonly number[]])[] = [
    ['nothing', [], [], [at('2026-01-01T00:00:00Z')]],
    ['an expiry', [], ['2026-06-01T12:00:00Z'], grid('2026-05-30T00:00:00Z', 5)],
    ['two expiries at one time', [], ['2026-06-01T12:00:00Z', '2026-06-01T12:00:00Z'], grid('2026-05-30T00:00:00Z', 5)],
    [
      'expiries far apart',
      [],
      ['2020-06-01T12:00:00Z', '2026-06-01T12:00:00Z', '2031-01-01T00:00:00Z'],
      grid('2020-05-30T00:00:00Z', 4000, day),
    ],
    ['an hour', [is('date(UTC).Hour', '5')], [], grid('2026-01-01T00:00:00Z', 8)],
    ['an hour at midnight', [is('date(UTC).Hour', '0')], [], grid('2026-01-01T00:00:00Z', 8)],
    ['hours of two zones', [is('date(UTC).Hour.GE', '22'), is('date(Europe/Paris).Hour.LT', '1')], [], grid('2026-01-01T00:00:00Z', 366)],
    [
      'the hour that is skipped, and the one that comes twice',
      [is('date(Europe/Paris).Hour', '2'), is('date(UTC).Hour', '0'), is('date(Europe/Paris).WeekDay', 'Sunday')],
      [],
      grid('2026-01-01T00:00:00Z', 366),
    ],
    [
      'zones half an hour and a quarter off',
      [is('date(Asia/Kolkata).Hour', '9'), is('date(UTC).Hour', '3'), is('date(Asia/Kathmandu).Hour', '9')],
      [],
      grid('2026-01-01T00:00:00Z', 8, quarter),
    ],
    ['a weekday and an expiry', [is('date(UTC).WeekDay', 'Monday')], ['2026-06-01T12:00:00Z'], grid('2026-05-20T00:00:00Z', 30)],
    [
      'an expiry within an hour',
      [is('date(UTC).Hour', '12'), is('date(UTC).WeekDay', 'Monday')],
      ['2026-06-01T12:20:00Z'],
      grid('2026-05-20T00:00:00Z', 30, quarter),
    ],
    ['a date', [is('date(UTC).Date', '2026-03-29')], [], grid('2026-03-20T00:00:00Z', 20)],
    ['a date and an hour', [is('date(UTC).Date', '2026-03-29'), is('date(UTC).Hour.LT', '3')], [], grid('2026-03-20T00:00:00Z', 20)],
    [
      'a date that is 23 hours long',
      [
        is('date(Europe/Paris).Date', '2026-03-29'),
        is('date(Europe/Paris).Hour', '2'),
        is('date(UTC).Hour', '0'),
        is('date(UTC).Hour', '22'),
      ],
      [],
      grid('2026-03-20T00:00:00Z', 20),
    ],
    [
      'a date in zones on both sides of UTC',
      [
        is('date(Pacific/Auckland).Date', '2026-07-01'),
        is('date(UTC).Date', '2026-07-01'),
        is('date(America/New_York).Date', '2026-07-01'),
      ],
      [],
      grid('2026-06-25T00:00:00Z', 14),
    ],
    [
      'dates far apart with a weekday',
      [is('date(UTC).Date.IN', '2020-02-29, 2026-12-24'), is('date(UTC).WeekDay', 'Saturday'), is('date(UTC).Hour.LT', '1')],
      [],
      grid('2020-02-20T00:00:00Z', 2600),
    ],
    [
      'a date before and one after, with an expiry between',
      [is('date(Europe/Paris).Date.AFTER', '2026-03-29'), is('date(Europe/Paris).Date.BEFORE', '2026-10-25')],
      ['2026-07-01T12:00:00Z'],
      grid('2026-03-20T00:00:00Z', 250),
    ],
  ]

  test.each(cases)('%s', (_, tests, expiries, instants) => {
    const ends = expiries.map(at)
    const found = [...classes(tests, ends)]
    const signatures = found.map((instant) => said(tests, ends, instant))
    // Of each class that the instants hold there is one, and of no class two.
    const wanted = new Set(instants.map((instant) => said(tests, ends, instant)))
    expect([...signatures].sort()).toEqual([...wanted].sort())
    expect(found).toEqual([...found].sort((a, b) => a - b))
  })

  test('in each season before and after expiries, in whatever order these are', () => {
    // The times of Paris and UTC at one instant say which season it is.
    const tests = [is('date(Europe/Paris).Hour', '2'), is('date(UTC).Hour', '0'), is('date(UTC).Hour', '1')]
    const all: readonly (readonly string[])[] = [
      ['2024-01-10', '2026-11-10', '2027-01-10', '2030-06-10'],
      ['2030-06-10', '2027-01-10', '2026-11-10', '2024-01-10'],
      ['2027-01-10', '2024-01-10', '2030-06-10', '2026-11-10'],
      ['2026-03-10', '2027-01-10'],
      ['2027-01-10', '2026-03-10'],
    ]
    const instants = grid('2023-01-01T00:00:00Z', 3300)
    for (const dates of all) {
      const ends = dates.map((date) => at(`${date}T00:00:00Z`))
      const wanted = new Set(instants.map((instant) => said(tests, ends, instant)))
      const found = [...classes(tests, ends)].map((instant) => said(tests, ends, instant))
      expect([...found].sort()).toEqual([...wanted].sort())
    }
  })

  test('is at the marks themselves, at once after them, and nowhere else', () => {
    expect(written([...classes([is('date(UTC).Hour', '5')], [])].map((instant) => instant % day))).toEqual([
      '1970-01-01T00:00Z',
      '1970-01-01T05:00Z',
    ])
    const end = at('2026-06-01T12:00:00Z')
    const [before = Number.NaN, ...after] = classes([], [end])
    expect(before).toBeLessThanOrEqual(end)
    expect(after).toEqual([end + 1])
  })

  test('is within the instants that can be written', () => {
    for (const [tests, expiries, count] of [
      [[], [earliest], 2],
      [[], [earliest + day], 2],
      [[], [latest], 1],
      [[], [latest - 1], 2],
      [[is('date(UTC).Hour', '23')], [latest], 2],
      [[is('date(UTC).Hour', '0')], [earliest], 3],
      [[is('date(UTC).Date', '9999-12-31')], [], 2],
    ] as const) {
      const found = [...classes(tests, expiries)]
      expect(found).toHaveLength(count)
      expect(found.filter((instant) => instant < earliest || instant > latest)).toEqual([])
    }
  })

  test('holds every combination of random tests that a year shows', () => {
    const random = randomOf(41)
    const names = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata']
    for (let i = 0; i < 12; i++) {
      const tests = Array.from({ length: 3 }, () => {
        const zone = pick(random, names)
        return pick(random, [
          () => is(`date(${zone}).Hour.GE`, String(Math.floor(random() * 24))),
          () => is(`date(${zone}).Hour.IN`, `${Math.floor(random() * 24)}, ${Math.floor(random() * 24)}`),
          () => is(`date(${zone}).WeekDay.IN`, pick(random, ['Monday,Sunday', 'Saturday', 'Sunday'])),
          () => is(`date(${zone}).Date`, pick(random, ['2026-03-29', '2026-07-05'])),
        ])()
      })
      const seen = new Set<string>()
      for (let instant = at('2026-01-01T00:00:00Z'); instant < at('2027-01-01T00:00:00Z'); instant += 2 * quarter)
        seen.add(said(tests, [], instant))
      const found = [...classes(tests, [])].map((instant) => said(tests, [], instant))
      expect(new Set(found).size).toBe(found.length)
      expect([...seen].filter((each) => !found.includes(each))).toEqual([])
    }
  })
})

describe('the instants at which a test may change', () => {
  const between = (tests: readonly Test[], from: string, to: string, most = Number.POSITIVE_INFINITY) => {
    const found = cuts(tests, at(from), at(to), most)
    return found && written(found)
  }

  test.each<[string, readonly Test[], string, string, readonly string[]]>([
    ['none', [], '2026-01-01T00:00Z', '2027-01-01T00:00Z', []],
    [
      'weekdays: each midnight',
      [is('date(UTC).WeekDay', 'Monday')],
      '2026-01-01T00:00Z',
      '2026-01-03T00:00Z',
      ['2026-01-02T00:00Z', '2026-01-03T00:00Z'],
    ],
    [
      'an hour: where it begins and ends, and midnight',
      [is('date(UTC).Hour', '5')],
      '2026-01-01T00:00Z',
      '2026-01-02T05:00Z',
      ['2026-01-01T05:00Z', '2026-01-01T06:00Z', '2026-01-02T00:00Z', '2026-01-02T05:00Z'],
    ],
    [
      'the last hour of the day ends at midnight',
      [is('date(UTC).Hour', '23')],
      '2026-01-01T05:00Z',
      '2026-01-02T05:00Z',
      ['2026-01-01T23:00Z', '2026-01-02T00:00Z'],
    ],
    [
      'a date: its beginning and end',
      [is('date(UTC).Date', '2026-01-05')],
      '2026-01-01T00:00Z',
      '2026-12-31T00:00Z',
      ['2026-01-05T00:00Z', '2026-01-06T00:00Z'],
    ],
    ['a date that is over', [is('date(UTC).Date', '2026-01-05')], '2026-01-06T00:00Z', '2026-12-31T00:00Z', []],
    ['a date to come', [is('date(UTC).Date', '2026-01-05')], '2026-01-01T00:00Z', '2026-01-04T23:59Z', []],
    [
      'a date that is 23 hours long, and the change within it',
      [is('date(Europe/Paris).Date', '2026-03-29')],
      '2026-03-28T00:00Z',
      '2026-03-31T00:00Z',
      ['2026-03-28T23:00Z', '2026-03-29T01:00Z', '2026-03-29T22:00Z'],
    ],
    [
      'an hour on the day that is 25 hours long',
      [is('date(Europe/Paris).Hour', '2')],
      '2026-10-24T22:00Z',
      '2026-10-25T23:00Z',
      ['2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T02:00Z', '2026-10-25T23:00Z'],
    ],
    [
      'an hour west of UTC',
      [is('date(America/New_York).Hour', '20')],
      '2026-01-01T00:00Z',
      '2026-01-02T00:00Z',
      ['2026-01-01T01:00Z', '2026-01-01T02:00Z', '2026-01-01T05:00Z'],
    ],
    [
      'an hour half an hour off',
      [is('date(Asia/Kolkata).Hour', '9')],
      '2026-01-01T00:00Z',
      '2026-01-02T00:00Z',
      ['2026-01-01T03:30Z', '2026-01-01T04:30Z', '2026-01-01T18:30Z'],
    ],
    [
      'each zone by itself',
      [is('date(UTC).Hour', '5'), is('date(Asia/Kolkata).Date', '2026-01-02'), is('date(Europe/Paris).WeekDay', 'Monday')],
      '2026-01-01T00:00Z',
      '2026-01-02T00:00Z',
      ['2026-01-01T05:00Z', '2026-01-01T06:00Z', '2026-01-01T18:30Z', '2026-01-01T23:00Z', '2026-01-02T00:00Z'],
    ],
    [
      'dates and weekdays of one zone',
      [is('date(Europe/Paris).Date', '2026-01-05'), is('date(Europe/Paris).WeekDay', 'Sunday')],
      '2026-01-03T00:00Z',
      '2026-01-05T00:00Z',
      ['2026-01-03T23:00Z', '2026-01-04T23:00Z'],
    ],
    [
      'the year after',
      [is('date(Europe/Paris).WeekDay', 'Sunday')],
      '2026-12-31T00:00Z',
      '2027-01-02T00:00Z',
      ['2026-12-31T23:00Z', '2027-01-01T23:00Z'],
    ],
    [
      'a change of the clock at the first instant itself is none',
      [is('date(Europe/Paris).Date', '2026-01-05')],
      '2026-03-29T01:00Z',
      '2026-03-30T00:00Z',
      [],
    ],
    [
      'a change of the clock at the last instant',
      [is('date(Europe/Paris).Date', '2026-01-05')],
      '2026-03-28T00:00Z',
      '2026-03-29T01:00Z',
      ['2026-03-29T01:00Z'],
    ],
    ['no change of the clock after it', [is('date(Europe/Paris).Date', '2026-01-05')], '2026-03-28T00:00Z', '2026-03-29T00:59Z', []],
  ])('%s', (_, tests, from, to, expected) => {
    expect(between(tests, from, to)).toEqual(expected)
  })

  test('hold every change that a step of a quarter of an hour shows', () => {
    const random = randomOf(42)
    const names = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']
    const starts = ['2026-03-27T05:00:00Z', '2026-10-23T17:30:00Z', '2026-12-30T00:00:00Z', '2026-04-03T03:00:00Z'].map(at)
    let changes = 0
    for (let i = 0; i < 60; i++) {
      const zone = pick(random, names)
      const tests = [
        is(`date(${zone}).Hour.${pick(random, ['LT', 'LE', 'GT', 'GE'])}`, String(Math.floor(random() * 24))),
        is(`date(${pick(random, names)}).WeekDay.${pick(random, ['LE', 'BEFORE', 'AFTER'])}`, pick(random, ['Friday', 'Sunday', 'Monday'])),
        is(`date(${pick(random, names)}).Date`, pick(random, ['2026-03-29', '2026-10-25', '2027-01-01', '2026-04-05'])),
      ]
      const from = pick(random, starts)
      const found = cuts(tests, from, from + week, Number.POSITIVE_INFINITY) ?? []
      expect(found).toEqual([...new Set(found)].sort((a, b) => a - b))
      expect(found.filter((instant) => instant <= from || instant > from + week)).toEqual([])
      for (let instant = from + quarter; instant <= from + week; instant += quarter) {
        if (said(tests, [], instant) === said(tests, [], instant - 1)) continue
        changes++
        expect(found).toContain(instant)
      }
    }
    expect(changes).toBeGreaterThan(500)
  })

  test('are not listed where there are more than are wanted', () => {
    const from = '2026-01-01T00:00Z'
    const hourly = [is('date(UTC).Hour', '5')]
    // Ten days with three instants each.
    expect(between(hourly, from, '2026-01-11T00:00Z', 30)).toHaveLength(30)
    expect(between(hourly, from, '2026-01-11T00:00Z', 29)).toBeUndefined()
    const dates = [is('date(UTC).Date.IN', '2026-01-05, 2026-02-05, 2026-03-05')]
    expect(between(dates, from, '2026-12-31T00:00Z', 6)).toHaveLength(6)
    expect(between(dates, from, '2026-12-31T00:00Z', 5)).toBeUndefined()
    // Over centuries it is known at once that there are too many.
    expect(cuts(hourly, earliest, latest, 1000)).toBeUndefined()
    expect(cuts(dates, earliest, latest, 6)).toHaveLength(6)
  })
})
