import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/names.ts'
import { grantsOf } from '../../src/review/grants.ts'
import { GrantUses } from '../../src/review/use.ts'
import { recordReader } from '../../src/usage/record.ts'
import { recordCounter } from '../../src/usage/tally.ts'
import { type PolicyJson, worldOf } from '../support/worlds.ts'

/** The use of a grant is that of the calls that it allows by itself. */

const at = Date.parse('2026-12-01T00:00:00Z')
const [ann, bob, ops] = ['user:ab12-svc/ann', 'user:ab12-svc/bob', 'group:ab12-svc/ops'].map((each) => `urn:v1:eu:identity:${each}`) as [
  string,
  string,
  string,
]
const vps = (name: string) => `urn:v1:eu:resource:vps:${name}`

/** A line of an access log. */
const line = (identities: readonly string[], action: string, resource: string, day: number, isAllowed = true) =>
  JSON.stringify({
    identities,
    requested_actions: [action],
    [isAllowed ? 'authorized_actions' : 'unauthorized_actions']: [action],
    resource,
    account: 'ab12-svc',
    timestamp: `2026-11-${String(day).padStart(2, '0')}T08:00:00Z`,
    client_ip: '203.0.113.7',
  })

function usesOf(policies: readonly PolicyJson[], lines: readonly string[], from?: number) {
  const world = worldOf({ policies, permissionsGroups: [], resourceGroups: [], resources: [], identities: [] })
  const reader = recordReader(defaultSettings)
  const counter = recordCounter()
  for (const each of lines) {
    const read = reader.read(each)
    if (read.kind !== 'records') throw new Error(JSON.stringify(read))
    for (const record of read.records) counter.add(record)
  }
  const uses = new GrantUses(world, counter.end(), at)
  return Object.fromEntries(grantsOf(world, at).grants.map((grant) => [grant.key.policy, uses.of(grant, from)]))
}

const policy = (name: string, identity: string, more: Partial<PolicyJson> = {}): PolicyJson => ({
  name,
  identities: [identity],
  resources: [{ urn: vps('web-*') }],
  permissions: { allow: [{ action: 'vps:apisvc:*' }] },
  ...more,
})

test('calls count for each grant that allows them, with the last day', () => {
  const lines = [
    line([ann], 'vps:apisvc:get', vps('web-1'), 3),
    line([ann], 'vps:apisvc:get', vps('web-2'), 5),
    line([ann], 'vps:apisvc:get', vps('db-1'), 9),
    line([bob, ops], 'vps:apisvc:reboot', vps('web-1'), 7),
  ]
  expect(
    usesOf([policy('a', ann), policy('g', ops), policy('b', bob, { permissions: { allow: [{ action: 'vps:apisvc:get' }] } })], lines),
  ).toEqual({
    a: { count: 2, last: Date.parse('2026-11-05T08:00:00Z'), refused: 0 },
    b: { count: 0, last: undefined, refused: 0 },
    g: { count: 1, last: Date.parse('2026-11-07T08:00:00Z'), refused: 0 },
  })
})

test('refused calls are those that the grant would allow, and not those that are denied', () => {
  const deny = policy('guard', ann, { permissions: { deny: [{ action: 'vps:apisvc:terminate' }] } })
  const lines = [line([ann], 'vps:apisvc:get', vps('web-1'), 3, false), line([ann], 'vps:apisvc:terminate', vps('web-1'), 4, false)]
  expect(usesOf([policy('a', ann), deny], lines)).toEqual({ a: { count: 0, last: undefined, refused: 1 } })
})

test('a condition that did not hold for a call excludes it', () => {
  const from = (range: string) => ({ conditions: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': range } } })
  const lines = [line([ann], 'vps:apisvc:get', vps('web-1'), 3)]
  expect(usesOf([policy('a', ann, from('203.0.113.0/24')), policy('b', ann, from('198.51.100.0/24'))], lines)).toMatchObject({
    a: { count: 1 },
    b: { count: 0 },
  })
})

test('a call counts for the groups that its caller was in then, and for those that it is in today', () => {
  const lines = [
    line([bob, ops], 'vps:apisvc:get', vps('web-1'), 3),
    line([bob, ops], 'vps:apisvc:get', vps('web-1'), 5, false),
    line([bob, ann.replace('user', 'group')], 'vps:apisvc:reboot', vps('web-1'), 7),
  ]
  expect(usesOf([policy('g', ops), policy('later', ann.replace('user', 'group'))], lines)).toMatchObject({
    g: { count: 1, last: Date.parse('2026-11-03T08:00:00Z'), refused: 1 },
    later: { count: 2, refused: 1 },
  })
})

test('a call of which a record lacks a fact counts for the grants that it may have been made by', () => {
  const from = (range: string) => ({ conditions: { operator: 'MATCH', values: { 'request.IP.IN_RANGE': range } } })
  const withoutAddress = (text: string) => JSON.stringify({ ...JSON.parse(text), client_ip: undefined })
  const lines = [line([ann], 'vps:apisvc:get', vps('web-1'), 3), line([ann], 'vps:apisvc:reboot', vps('web-1'), 5, false)]
  const policies = [policy('a', ann, from('203.0.113.0/24')), policy('b', ann, from('198.51.100.0/24'))]
  const used = { a: { count: 1, refused: 1 }, b: { count: 0, refused: 0 } }
  expect(usesOf(policies, lines)).toMatchObject(used)
  expect(usesOf(policies, lines.map(withoutAddress))).toMatchObject({ a: used.a, b: used.a })
})

test('the calls since an instant are at least those that are certainly from then on, and as many as there are without those before', () => {
  const days = [3, 5, 7, 9]
  const instants = days.map((day) => Date.parse(`2026-11-0${day}T08:00:00Z`))
  // One action, whose calls are counted together; and one for each call, which are counted one by one.
  const together = days.map((day) => line([ann], 'vps:apisvc:get', vps('web-1'), day))
  const apart = days.map((day) => line([ann], `vps:apisvc:a${day}`, vps('web-1'), day))
  for (const from of [...instants.flatMap((instant) => [instant - 1, instant, instant + 1]), Number.NEGATIVE_INFINITY]) {
    const later = instants.filter((instant) => instant >= from).length
    expect(usesOf([policy('a', ann)], apart, from)).toMatchObject({ a: { count: later } })
    // The last one is, and of the others only the first and the last time are known.
    const certain = later === days.length ? later : Math.min(1, later)
    expect(usesOf([policy('a', ann)], together, from)).toMatchObject({ a: { count: certain } })
  }
})

test('the order of the lines of a log does not matter', () => {
  const lines = [
    line([bob, ops], 'vps:apisvc:get', vps('web-1'), 3),
    line([bob, ann.replace('user', 'group')], 'vps:apisvc:get', vps('web-1'), 5),
    line([bob], 'vps:apisvc:get', vps('web-1'), 7),
  ]
  const policies = [policy('g', ops), policy('later', ann.replace('user', 'group'))]
  const [first, ...others] = lines.flatMap((one) => {
    const [a, b] = lines.filter((each) => each !== one) as [string, string]
    return [usesOf(policies, [one, a, b]), usesOf(policies, [one, b, a])]
  })
  expect(first).toMatchObject({ g: { count: 3 }, later: { count: 3 } })
  for (const each of others) expect(each).toEqual(first)
})
