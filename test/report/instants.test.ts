import { expect, test } from 'vitest'
import { changeWords, endWords, hourRanges, isoWords, momentWords, sinceWords, weeklyWords } from '../../src/report/instants.ts'
import { utc, type Zone, Zones } from '../../src/zones.ts'

const paris = new Zones().get('Europe/Paris') as Zone

/** Hours of the week, from Monday 00:00 on: those from one to before another. */
const hours = (...ranges: readonly (readonly [from: number, to: number])[]) =>
  ranges.reduce((all, [from, to]) => all | (((1n << BigInt(to - from)) - 1n) << BigInt(from)), 0n)
const daily = (from: number, to: number) => [0, 1, 2, 3, 4, 5, 6].map((day) => [24 * day + from, 24 * day + to] as const)
const weekly = (...ranges: readonly (readonly [from: number, to: number])[]) => weeklyWords({ zone: utc, hours: hours(...ranges) })

test.each([
  ['2026-11-28T17:00:00Z', 'Sat 2026-11-28 18:00 Europe/Paris (17:00 UTC)'],
  ['2026-11-28T23:30:00Z', 'Sun 2026-11-29 00:30 Europe/Paris (2026-11-28 23:30 UTC)'],
  ['2026-11-28T17:00:05.040Z', 'Sat 2026-11-28 18:00:05.040 Europe/Paris (17:00:05.040 UTC)'],
])('%s by the clock of a zone: %s', (at, words) => {
  expect(momentWords(Date.parse(at), paris)).toBe(words)
})

test.each([
  ['2026-01-01T00:00:00.001Z', 'after Thu 2026-01-01 00:00 UTC', 'Thu 2026-01-01 00:00 UTC', 'after Thu 2026-01-01 00:00 UTC'],
  ['2026-01-01T00:00:00Z', 'Thu 2026-01-01 00:00 UTC', 'Thu 2026-01-01 00:00 UTC', 'from Thu 2026-01-01 00:00 UTC'],
  ['2026-01-01T00:00:00.400Z', 'Thu 2026-01-01 00:00:00.400 UTC', 'Thu 2026-01-01 00:00 UTC', 'from Thu 2026-01-01 00:00:01 UTC'],
])('%s as a change, as an end and as a beginning', (text, change, end, since) => {
  const at = Date.parse(text)
  expect([changeWords(at), endWords(at), sinceWords(at)]).toEqual([change, end, since])
})

test('programs read fractions of a second where there are any', () => {
  expect([0, 5].map((rest) => isoWords(Date.parse('2026-01-01T00:00:00Z') + rest))).toEqual([
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00.005Z',
  ])
})

test.each([
  [daily(8, 18), 'daily 08:00–18:00 UTC'],
  [[...daily(0, 2), ...daily(3, 24)], 'outside daily 02:00–03:00 UTC'],
  [[...daily(0, 9), ...daily(17, 24)], 'daily 17:00–09:00 UTC'],
  [[...daily(0, 4), ...daily(10, 24)], 'outside daily 04:00–10:00 UTC'],
  [[[24 * 4 + 19, 24 * 7] as const, [0, 8] as const], 'Fri 19:00 to Mon 08:00 UTC'],
  [[[24, 48] as const], 'Tuesdays UTC'],
  [[[24 * 5, 24 * 7] as const], 'weekends UTC'],
  [[[24, 72] as const], 'Tue, Wed UTC'],
  [[[0, 2] as const, [22, 24] as const], 'Mon 00:00–02:00 and 22:00–24:00 UTC'],
])('hours of the week %#: %s', (ranges, words) => {
  expect(weekly(...ranges)).toBe(words)
})

test('ranges over midnight are one where each day is alike', () => {
  const row = `11${'0'.repeat(20)}11`
  expect([hourRanges(row, true), hourRanges(row, false)]).toEqual([['22:00–02:00'], ['00:00–02:00', '22:00–24:00']])
})
