import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RecordChange, State } from '../../src/emulator/model/state.ts'
import { effort } from '../support/effort.ts'
import { testAccount, testIdentity, testService } from '../support/service.ts'

/**
 * Whatever a body holds, it is understood or refused with the place of what is wrong; what was understood is kept so that it
 * can be read again, and decided over.
 */

const vps = 'urn:v1:eu:resource:vps:vps-1'
const one = encodeURIComponent(vps)
const permissions = { allow: [{ action: 'vps:*' }], except: [{ action: 'vps:apisvc:reboot' }], deny: null }
const policy = {
  name: 'one',
  description: 'what it is for',
  identities: [testIdentity, `urn:v1:eu:identity:group:${testAccount}/ops`],
  resources: [{ urn: vps }, { urn: 'urn:v1:eu:resource:vps:*' }, { urn: 'urn:v1:eu:resourceGroup:g1' }],
  permissions,
  permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:svc:reader' }],
  conditions: {
    operator: 'AND',
    conditions: [
      { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod', 'date(Europe/Paris).Hour.LT': '12' } },
      { operator: 'NOT', conditions: [{ operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } }] },
    ],
  },
  expiredAt: '2027-01-31T23:59:59Z',
}

/** Calls that take a body, each with one that is right. */
const calls = [
  ['POST', '/v2/iam/policy', policy],
  ['PUT', '/v2/iam/policy/p1', policy],
  ['POST', '/v2/iam/permissionsGroup', { name: 'g', description: 'd', permissions }],
  [
    'PUT',
    `/v2/iam/permissionsGroup/${encodeURIComponent(`urn:v1:eu:permissionsGroup:${testAccount}:g`)}`,
    { name: 'g', description: 'd', permissions },
  ],
  ['POST', '/v2/iam/resourceGroup', { name: 'g', resources: [{ urn: vps }] }],
  ['PUT', '/v2/iam/resourceGroup/g1', { name: 'g', resources: [{ urn: vps }] }],
  ['PUT', `/v2/iam/resource/${one}`, { tags: { env: 'prod', team: 'web' } }],
  ['POST', `/v2/iam/resource/${one}/tag`, { key: 'env', value: 'prod' }],
  ['POST', `/v2/iam/resource/${one}/authorization/check`, { actions: ['vps:apisvc:get'] }],
  ['POST', '/v2/iam/authorization/check', { actions: ['vps:apisvc:get'], resourceURNs: [vps] }],
] as const

const common = { account: testAccount, readOnly: false, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null }
const groupUrn = `urn:v1:eu:permissionsGroup:${testAccount}:g`
const state: readonly RecordChange[] = [
  { kind: 'policy', key: 'p1', value: { ...common, id: 'p1', written: { ...policy, name: 'first' } } },
  { kind: 'permissionsGroup', key: groupUrn, value: { ...common, id: 'pg1', urn: groupUrn, written: { name: 'g', permissions } } },
  {
    kind: 'resourceGroup',
    key: 'urn:v1:eu:resourceGroup:g1',
    value: { ...common, id: 'g1', urn: 'urn:v1:eu:resourceGroup:g1', written: { name: 'g', resources: [] } },
  },
  { kind: 'inventory', key: vps, value: { urn: vps, owner: null, tags: { env: 'dev' } } },
]

type Path = readonly (string | number)[]

/** Every place in a value, the whole first. */
function places(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, Array.isArray(value) ? Number(key) : key]))]
}

/** A value with something else at a place; undefined takes it out. */
function changed(value: unknown, [key, ...rest]: Path, to: unknown): unknown {
  if (key === undefined) return to
  if (Array.isArray(value))
    return value.flatMap((item, i) => (i !== key ? [item] : to === undefined && rest.length === 0 ? [] : [changed(item, rest, to)]))
  const entries = Object.entries(value as object).map(([name, inner]) => [name, name === key ? changed(inner, rest, to) : inner] as const)
  return Object.fromEntries(entries)
}

const strange = fc.oneof(
  // Values that may be right where they are put.
  fc.constantFrom<unknown>(
    'x',
    'env',
    'vps:apisvc:*',
    'vps:apisvc:get',
    vps,
    'urn:v1:eu:resource:*',
    testIdentity,
    'AND',
    { urn: vps },
    { allow: null },
    [],
    null,
  ),
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    0,
    -1e300,
    '',
    ' ',
    '*',
    'a:*',
    'urn:v1:*',
    'urn:v1:eu:resource:*',
    'vps:apisvc:get',
    [],
    {},
    [null],
    [[]],
    { urn: null },
    { urn: vps, id: 'x' },
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.dictionary(
    fc.constantFrom('__proto__', 'constructor', 'urn', 'id', 'name', 'action', 'operator', 'toString'),
    fc.constantFrom<unknown>('a', null, [], {}),
    { maxKeys: 3 },
  ),
)

/** Take out what was added, and put back what was there. */
function startAgain({ table, commit }: State): void {
  const was = new Set(state.map(({ key }) => key))
  for (const kind of ['policy', 'permissionsGroup', 'resourceGroup'] as const)
    for (const [key] of [...table(kind).entries()]) if (!was.has(key) && key !== 'test-policy-1') commit([{ kind, key }])
  commit(state)
}

test('a body that is changed anywhere is understood or refused with a place, never a fault, and what is kept can be read again', () => {
  const { service, call, allow } = testService({ state })
  allow(['account:apisvc:iam/*'])
  const met = new Map<number, number>()
  const at = calls.map(([, , body]) => places(body))
  fc.assert(
    fc.property(fc.nat(calls.length - 1), fc.nat(), strange, (n, place, to) => {
      const [method, path, right] = calls[n] as (typeof calls)[number]
      const body = changed(right, (at[n] as Path[])[place % (at[n] as Path[]).length] as Path, to)
      const text = body === undefined ? '' : JSON.stringify(body)
      const reply = call(method, path, { headers: { 'content-type': 'application/json' }, body: text })
      met.set(reply.status, (met.get(reply.status) ?? 0) + 1)
      expect([200, 400, 409, 501], JSON.stringify({ method, path, body, reply })).toContain(reply.status)
      // Reading what is kept throws where it cannot be understood.
      expect(service.worldOf(testAccount).world.resources.size).toBe(1)
      if (reply.status === 200) startAgain(service.state)
      if (reply.status !== 400 || body === undefined) return
      const { message, details } = reply.body as {
        message: string
        details?: { problems?: { line: number; column: number }[]; line?: number }
      }
      expect(message).not.toBe('')
      expect(details?.problems?.length ?? details?.line, JSON.stringify({ method, path, body, reply })).toBeGreaterThan(0)
      for (const problem of details?.problems ?? [])
        expect(problem).toMatchObject({ line: expect.any(Number), column: expect.any(Number), message: expect.any(String) })
    }),
    { numRuns: effort(1500, 30) },
  )
  expect(met.get(200)).toBeGreaterThan(effort(100, 30))
  expect(met.get(400)).toBeGreaterThan(effort(500, 30))
})

test('each field of a body that is understood is kept, and decides: a field less is another record', () => {
  const { service, call, allow } = testService({ state })
  allow(['account:apisvc:iam/*'])
  const kept = (kind: 'policy' | 'permissionsGroup' | 'resourceGroup', body: object) => {
    const path = `/v2/iam/${kind}`
    const reply = call('POST', path, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const was = new Set(state.map(({ key }) => key))
    const records = [...service.state.table(kind).entries()].flatMap(([key, { written }]) =>
      was.has(key) || key === 'test-policy-1' ? [] : [written],
    )
    startAgain(service.state)
    return { status: reply.status, records }
  }
  for (const [method, path, body] of calls.slice(0, 6)) {
    if (method !== 'POST') continue
    const kind = path.slice('/v2/iam/'.length) as 'policy' | 'permissionsGroup' | 'resourceGroup'
    const named = kind === 'permissionsGroup' ? { ...body, name: 'another' } : body
    const { status, records } = kept(kind, named)
    expect([path, status]).toEqual([path, 200])
    expect(records).toEqual([named])
  }
  const reply = call('POST', '/v2/iam/policy', { headers: { 'content-type': 'application/json' }, body: JSON.stringify(policy) })
  expect(reply.status).toBe(200)
  const found = service.worldOf(testAccount).world.policies.find(({ name, condition }) => name.value === policy.name && condition)
  expect(found?.expiresAt?.value).toBe(Date.parse(policy.expiredAt))
})
