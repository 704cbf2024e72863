import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { recordReader } from '../../src/usage/record.ts'
import { tallyingCalls } from '../../src/usage/rules.ts'
import { recordCounter } from '../../src/usage/tally.ts'

const row = {
  account: null,
  identity: 'urn:v1:eu:identity:user:ab12-svc/ann',
  action: 'vps:apisvc:get',
  resource: 'urn:v1:eu:resource:vps:a',
  verdict: 'allow',
  calls: 3,
  first_ms: Date.UTC(2026, 0, 1),
  last_ms: Date.UTC(2026, 0, 3),
}

const read = (line: object) => recordReader(defaultSettings).read(JSON.stringify(line))

function recordOf(line: object) {
  const found = read(line)
  if (found.kind !== 'records' || !found.records[0]) throw new Error(JSON.stringify(found))
  return found.records[0]
}

test('a row with a number of calls counts as so many, with their first and last times', () => {
  const tally = recordCounter()
  tally.add(recordOf(row))
  // 64-bit numbers may be text.
  tally.add(recordOf({ ...row, calls: '4', first_ms: String(Date.UTC(2025, 0, 1)), last_ms: String(Date.UTC(2026, 0, 2)) }))
  tally.add(recordOf({ ...row, calls: 1, first_ms: null, last_ms: null }))
  tally.add(recordOf({ ...row, verdict: 'deny', calls: 5 }))
  const { records, letThrough, uses, alsoRefused } = tally.end()
  expect([records, letThrough]).toEqual([13, 8])
  expect(uses.map(({ count, first, last }) => [count, first, last])).toEqual([[8, Date.UTC(2025, 0, 1), Date.UTC(2026, 0, 3)]])
  expect(alsoRefused.map(({ count }) => count)).toEqual([5])
  const calls = tallyingCalls()
  calls.add(recordOf(row))
  expect(calls.end()).toMatchObject({ records: 3, left: { 'no-call': 3 } })
})

test('what the owning account did needs no policy', () => {
  const tally = recordCounter()
  tally.add(recordOf({ ...row, identity: 'urn:v1:eu:identity:account:ab12-svc', account: 'ab12-svc' }))
  expect(tally.end().left.root.map(({ count }) => count)).toEqual([3])
})

test.each([
  [{ calls: 0 }, '`calls` is not a number of calls'],
  [{ calls: 1.5 }, '`calls` is not a number of calls'],
  [{ calls: 'many' }, '`calls` is not a number of calls'],
  [{ last_ms: '2026-01-01' }, '`last_ms` is no number of milliseconds since 1970'],
  [{ last_ms: 8_640_000_000_000_001 }, '`last_ms` is no number of milliseconds since 1970'],
  [{ first_ms: 1e300 }, '`first_ms` is no number of milliseconds since 1970'],
  [{ identity: 7 }, '`identity` is not a text'],
  [{ action: null }, '`action` is not a text'],
  [{ verdict: 'error' }, '`verdict` is not `allow`, `deny` or `unknown`'],
])('a row with %j is refused', (wrong, message) => {
  const found = read({ ...row, ...wrong })
  expect(found.kind === 'fault' ? found.fault.message : found).toBe(message)
})
