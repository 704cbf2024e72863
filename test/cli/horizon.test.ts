import { expect, test } from 'vitest'
import { readHorizon } from '../../src/cli/input/horizon.ts'

const from = Date.parse('2026-11-30T12:00:00Z')

test.each([
  ['1s', from + 1000],
  ['P1D', from + 86_400_000],
  ['2026-11-30T12:00:01Z', from + 1000],
  ['9999-12-31T23:59:59Z', Date.parse('9999-12-31T23:59:59Z')],
])('%s ends after the start', (text, to) => {
  expect(readHorizon(text, from)).toBe(to)
})

test.each([
  ['0s', /is no time at all/],
  ['PT0S', /is no time at all/],
  ['2026-11-30T12:00:00Z', /is not after the start/],
  ['2026-11-30T11:59:59Z', /is not after the start/],
  ['P1M', /neither a length of time nor an instant/],
  ['420000w', /beyond the year 9999/],
  [`${'9'.repeat(400)}w`, /beyond the year 9999/],
  ['2026-02-30T00:00:00Z', /names a day that does not exist/],
])('%s is refused', (text, message) => {
  expect(() => readHorizon(text, from)).toThrow(message)
  expect(() => readHorizon(text, from, '--to')).toThrow(/^--to /)
})

test('a length does not begin before the first year that can be written', () => {
  expect(() => readHorizon('1d', Date.parse('0001-01-01T00:00:00Z') - 1)).toThrow(/beyond/)
})
