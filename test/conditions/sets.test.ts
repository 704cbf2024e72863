import { describe, expect, test } from 'vitest'
import { countIn, isEnumerated, numberFrom, patternsOf, samplesOf, type ValueSet } from '../../src/conditions/sets.ts'
import { glob } from '../../src/glob.ts'
import { testOf } from '../support/condition-tests.ts'

const setOf = (key: string, value: string): ValueSet => testOf(key, value).set

describe('the values for which a comparison holds', () => {
  test.each([
    ['resource.Name', 'a', true],
    ['resource.Name.STARTS_WITH', 'a', false],
    ['date(UTC).Hour.IN', '8,9', true],
    ['date(UTC).Hour.LE', '8', false],
    ['date(UTC).Date.BEFORE', '2026-11-27', false],
    ['request.IP.IN', '192.0.2.1,2001:db8::1', true],
    ['request.IP.IN_RANGE', '192.0.2.1/32', true],
    ['request.IP.IN_RANGE', '192.0.2.0/24', false],
  ])('of `%s: %s` are single ones: %s', (key, value, isSingle) => {
    expect(isEnumerated(setOf(key, value))).toBe(isSingle)
  })

  test('are single ones only where each of several is', () => {
    const set = setOf('request.IP.IN', '192.0.2.1,192.0.2.2')
    const hours = setOf('date(UTC).Hour.IN', '8,9')
    if (set.kind !== 'addresses' || hours.kind !== 'numbers') throw new Error('sets of other kinds')
    expect(isEnumerated({ ...set, ranges: set.ranges.map((range, i) => ({ ...range, last: range.last + BigInt(i) })) })).toBe(false)
    expect(isEnumerated({ ...hours, intervals: hours.intervals.map(({ first, last }, i) => ({ first, last: last + i })) })).toBe(false)
  })

  test('are counted as often as they are written', () => {
    expect([setOf('resource.Name.IN', 'a,b,a'), setOf('date(UTC).Hour.LE', '8')].map(countIn)).toEqual([3, 1])
  })
})

test('a number next to another exists from the first number of a clock to the last', () => {
  expect([numberFrom('hour', 1, -1), numberFrom('hour', 0, -1)]).toEqual([0, undefined])
  expect([numberFrom('hour', 22, 1), numberFrom('hour', 23, 1)]).toEqual([23, undefined])
})

test('samples are all hours and weekdays, and the days around each date that is written', () => {
  const dated = setOf('date(UTC).Date.IN', '2026-11-30,2026-12-24')
  if (dated.kind !== 'numbers') throw new Error('no numbers')
  expect(samplesOf('weekday', [])).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(samplesOf('date', [dated, dated])).toEqual([20261129, 20261130, 20261201, 20261223, 20261224, 20261225])
})

test('patterns are those of strings, without values with an asterisk', () => {
  expect(patternsOf(setOf('resource.Name.IN', 'a,b*'))).toEqual([glob('a')])
  expect(patternsOf(setOf('resource.Name.ENDS_WITH', 'a'))).toEqual([glob('*a')])
  expect(patternsOf(setOf('request.IP', '192.0.2.1'))).toEqual([])
})
