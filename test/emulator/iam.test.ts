import { expect, test } from 'vitest'
import { loadCatalogue } from '../../src/actions/load.ts'
import { bodyLimits } from '../../src/emulator/api/body-problems.ts'
import { pageHeaders } from '../../src/emulator/api/pagination.ts'
import type { Reply } from '../../src/emulator/model/exchange.ts'
import type { InventoryRecord } from '../../src/emulator/model/records.ts'
import type { RecordChange } from '../../src/emulator/model/state.ts'
import { lint } from '../../src/lint/run.ts'
import { defaultSettings } from '../../src/names.ts'
import { deepestCondition } from '../../src/parser/policy.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { buildWorld } from '../../src/parser/world.ts'
import { ruleContext } from '../../src/rules/context.ts'
import { rules } from '../../src/rules/index.ts'
import { sourceOf } from '../../src/source.ts'
import { testAccount, testIdentity, testService } from '../support/service.ts'

const account = `urn:v1:eu:resource:account:${testAccount}`
const site = 'urn:v1:eu:resource:webHosting:example.org'
const vps = 'urn:v1:eu:resource:vps:vps-1'
const ann = `urn:v1:eu:identity:user:${testAccount}/ann`
const managed = 'urn:v1:eu:permissionsGroup:svc:globalReadAccess'

const at = '2026-01-01T00:00:00.000Z'

function resource(urn: string, tags: InventoryRecord['tags'] = {}, owner: string | null = testAccount): RecordChange {
  return { kind: 'inventory', key: urn, value: { urn, owner, tags } }
}

/** An emulator whose service account may do everything about rights, and nothing else. */
function administered(state: readonly RecordChange[] = []) {
  const all = testService({ state })
  all.allow(['account:apisvc:iam/*'], [account])
  const encoded = (urn: string) => encodeURIComponent(urn)
  return {
    ...all,
    encoded,
    post: (path: string, body: unknown) => all.call('POST', path, { body }),
    put: (path: string, body: unknown) => all.call('PUT', path, { body }),
    get: (path: string, headers: Record<string, string> = {}) => all.call('GET', path, { headers }),
    remove: (path: string) => all.call('DELETE', path),
  }
}

/** A body that is written as it is: places count. */
const written = (text: string) => ({ headers: { 'content-type': 'application/json' }, body: text })

interface Problem {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly message: string
  readonly help?: string
}

/** The problems that are reported for a refused body. */
function problemsOf(reply: Reply): readonly Problem[] {
  expect(reply.status).toBe(400)
  const body = reply.body as { class: string; details: { problems: readonly Problem[] } }
  expect(body.class).toBe('Client::BadRequest')
  return body.details.problems
}

/** The fields of a body, whatever it is. */
const fields = (reply: Reply) => reply.body as Record<string, unknown>
/** Whether a record was taken out: there is nothing to say about it. */
const isEmpty = (reply: Reply) => reply.status === 204 && reply.body === undefined && reply.origin === 'public'
const items = (reply: Reply) => reply.body as readonly Record<string, unknown>[]

const webReaders = {
  name: 'web readers',
  description: 'The site team reads its site.',
  identities: [testIdentity],
  resources: [{ urn: site }],
  permissions: { allow: [{ action: 'webHosting:apisvc:get' }] },
}

// Policies.

test('Access policy: name, description, identities, resources, permissions.allow; what the service adds is its own', () => {
  const { post, get } = administered()
  const created = post('/v2/iam/policy', webReaders)
  expect(created).toMatchObject({ status: 200, origin: 'public' })
  expect(created.body).toEqual({
    ...webReaders,
    id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    owner: testAccount,
    readOnly: false,
    permissionsGroups: [],
    createdAt: '2026-01-15T10:00:00.000Z',
    updatedAt: null,
  })
  expect(get(`/v2/iam/policy/${fields(created).id}`).body).toEqual(created.body)
})

test('GET /v2/iam/policy: a list of policy records, paginated by cursor', () => {
  const { post, get } = administered()
  for (const n of [1, 2, 3, 4]) post('/v2/iam/policy', { ...webReaders, name: `readers ${n}` })
  const names: unknown[] = []
  const sizes: number[] = []
  let cursor: string | undefined
  do {
    const page = get('/v2/iam/policy', { 'x-pagination-size': '2', ...(cursor !== undefined && { 'x-pagination-cursor': cursor }) })
    expect(page).toMatchObject({ status: 200, origin: 'public' })
    sizes.push(items(page).length)
    names.push(...items(page).map(({ name }) => name))
    cursor = page.headers?.[pageHeaders.next]
  } while (cursor !== undefined)
  expect(sizes).toEqual([2, 2, 1])
  expect(names.sort()).toEqual(['readers 1', 'readers 2', 'readers 3', 'readers 4', 'test-policy-1'])
})

test('GET /v2/iam/policy: malformed pagination headers are refused', () => {
  const { get } = administered()
  expect(get('/v2/iam/policy', { 'x-pagination-size': '0' })).toMatchObject({ status: 400, body: { class: 'Client::BadRequest' } })
  expect(get('/v2/iam/policy', { 'x-pagination-cursor': 'nonsense' })).toMatchObject({ status: 400, body: { class: 'Client::BadRequest' } })
})

test('every route under /v2/iam is judged by the action that the call needs', () => {
  const { call } = testService({ state: [resource(vps)] })
  const one = encodeURIComponent(vps)
  const needed = [
    ['GET', '/v2/iam/policy', 'iam/policy/get'],
    ['POST', '/v2/iam/policy', 'iam/policy/create'],
    ['GET', '/v2/iam/policy/p1', 'iam/policy/get'],
    ['PUT', '/v2/iam/policy/p1', 'iam/policy/edit'],
    ['DELETE', '/v2/iam/policy/p1', 'iam/policy/delete'],
    ['GET', '/v2/iam/resourceGroup', 'iam/resourceGroup/get'],
    ['POST', '/v2/iam/resourceGroup', 'iam/resourceGroup/create'],
    ['GET', '/v2/iam/resourceGroup/g1', 'iam/resourceGroup/get'],
    ['PUT', '/v2/iam/resourceGroup/g1', 'iam/resourceGroup/edit'],
    ['DELETE', '/v2/iam/resourceGroup/g1', 'iam/resourceGroup/delete'],
    ['GET', '/v2/iam/permissionsGroup', 'iam/permissionsGroup/get'],
    ['POST', '/v2/iam/permissionsGroup', 'iam/permissionsGroup/create'],
    ['GET', '/v2/iam/permissionsGroup/g1', 'iam/permissionsGroup/get'],
    ['PUT', '/v2/iam/permissionsGroup/g1', 'iam/permissionsGroup/edit'],
    ['DELETE', '/v2/iam/permissionsGroup/g1', 'iam/permissionsGroup/delete'],
    ['PUT', `/v2/iam/resource/${one}`, 'iam/resource/edit'],
    ['POST', `/v2/iam/resource/${one}/tag`, 'iam/resource/tag/add'],
    ['DELETE', `/v2/iam/resource/${one}/tag/env`, 'iam/resource/tag/remove'],
  ] as const
  for (const [method, path, action] of needed) {
    const reply = call(method, path)
    expect(reply, `${method} ${path}`).toMatchObject({
      status: 403,
      origin: 'document',
      body: { class: 'Client::Forbidden', details: { unauthorizedActionsByIAM: `account:apisvc:${action}` } },
    })
  }
})

test('scheme A, step 4: a policy that is created, replaced or deleted holds from the very next call', () => {
  const { call, post, put, remove } = administered()
  const read = () => call('GET', '/v1/hosting/web/example.org').status
  expect(read()).toBe(403)
  const { id } = fields(post('/v2/iam/policy', webReaders))
  expect(read()).toBe(200)
  expect(put(`/v2/iam/policy/${id}`, { ...webReaders, resources: [{ urn: 'urn:v1:eu:resource:webHosting:other.org' }] }).status).toBe(200)
  expect(read()).toBe(403)
  expect(put(`/v2/iam/policy/${id}`, webReaders).status).toBe(200)
  expect(read()).toBe(200)
  const denied = fields(post('/v2/iam/policy', { ...webReaders, name: 'nobody', permissions: { deny: [{ action: 'webHosting:*' }] } }))
  expect(read()).toBe(403)
  expect(remove(`/v2/iam/policy/${denied.id}`)).toSatisfy(isEmpty)
  expect(read()).toBe(200)
  expect(remove(`/v2/iam/policy/${id}`).status).toBe(204)
  expect(read()).toBe(403)
  expect(remove(`/v2/iam/policy/${id}`)).toMatchObject({ status: 404, body: { class: 'Client::NotFound' } })
})

test('PUT /v2/iam/policy/{policyId}: replaced whole, but for what the service set', () => {
  const { post, put, get, clock } = administered()
  const created = fields(post('/v2/iam/policy', { ...webReaders, expiredAt: '2027-01-01T00:00:00Z' }))
  clock.advance(1000)
  const replaced = put(`/v2/iam/policy/${created.id}`, {
    ...webReaders,
    name: 'renamed',
    permissions: { allow: null, deny: [{ action: 'vps:*' }] },
  })
  expect(replaced.body).toMatchObject({
    id: created.id,
    name: 'renamed',
    permissions: { allow: null, deny: [{ action: 'vps:*' }] },
    createdAt: '2026-01-15T10:00:00.000Z',
    updatedAt: '2026-01-15T10:00:01.000Z',
  })
  expect(replaced.body).not.toHaveProperty('expiredAt')
  expect(get(`/v2/iam/policy/${created.id}`).body).toEqual(replaced.body)
})

test('POST /v2/iam/policy: a bad body is refused with the place of every problem', () => {
  const { call } = administered()
  const text = `{
  "name": "web readers",
  "identities": ["urn:v1:eu:identity:usr:ab12-svc/ann"],
  "resources": [{"urn": "*"}],
  "permissions": {"allow": [{"action": "webHosting:apisvc:get"}, {"action": "web Hosting"}]}
}`
  const found = problemsOf(call('POST', '/v2/iam/policy', written(text)))
  expect(found.map(({ path, line }) => [path, line])).toEqual([
    ['/identities/0', 3],
    ['/resources/0/urn', 4],
    ['/permissions/allow/1/action', 5],
  ])
  expect(found[0]).toMatchObject({ column: 38, message: expect.stringContaining('usr'), help: expect.stringContaining('user') })
})

test('POST /v2/iam/policy: shape, unknown fields, server fields, conditions, dates and names are held to the rules of the records', () => {
  const { post } = administered()
  let deep: object = { operator: 'MATCH', values: { 'resource.Name': 'a' } }
  for (let level = 1; level <= deepestCondition; level++) deep = { operator: 'NOT', conditions: [deep] }
  const cases: readonly (readonly [body: unknown, path: string, message: RegExp])[] = [
    [{ ...webReaders, conditions: deep }, `/conditions${'/conditions/0'.repeat(deepestCondition)}`, /not understood/],
    [{}, '', /missing/],
    [[], '', /expected an object/],
    [{ ...webReaders, identity: [] }, '/identity', /unknown field `identity`/],
    [{ ...webReaders, name: 7 }, '/name', /expected a text/],
    [{ ...webReaders, identities: ann }, '/identities', /expected a list/],
    [{ ...webReaders, permissions: undefined }, '/name', /permissions/],
    [{ ...webReaders, permissions: undefined, permissionsGroups: [{ urn: managed }] }, '/name', /missing field `permissions`/],
    [{ ...webReaders, id: 'x' }, '/id', /`id` is set by the service/],
    [{ ...webReaders, owner: 'x' }, '/owner', /set by the service/],
    [{ ...webReaders, readOnly: true }, '/readOnly', /set by the service/],
    [{ ...webReaders, createdAt: at }, '/createdAt', /set by the service/],
    [{ ...webReaders, updatedAt: at }, '/updatedAt', /set by the service/],
    [{ ...webReaders, resources: [{ urn: site, resource: {} }] }, '/resources/0/resource', /set by the service/],
    [{ ...webReaders, expiredAt: 'tomorrow' }, '/expiredAt', /tomorrow/],
    [{ ...webReaders, name: 'svc-mine' }, '/name', /reserved/],
    [{ ...webReaders, name: ' ' }, '/name', /empty or blank/],
    [{ ...webReaders, name: 'n'.repeat(bodyLimits.name + 1) }, '/name', /256 characters/],
    [{ ...webReaders, description: 'd'.repeat(bodyLimits.description + 1) }, '/description', /2001 characters/],
    [{ ...webReaders, resources: [{ urn: 'urn:v1:xx:resource:vps:*' }] }, '/resources/0/urn', /xx/],
    [{ ...webReaders, conditions: { operator: 'XOR', conditions: [] } }, '/conditions/operator', /XOR/],
    [
      { ...webReaders, conditions: { operator: 'MATCH', values: { 'request.Country': 'FR' } } },
      '/conditions/values/request.Country',
      /request\.Country/,
    ],
    [{ ...webReaders, conditions: { operator: 'MATCH', values: { 'request.IP': '010.0.0.1' } } }, '/conditions/values/request.IP', /010/],
    [
      { ...webReaders, conditions: { operator: 'MATCH', values: { 'date(Mars).Hour': '3' } } },
      '/conditions/values/date(Mars).Hour',
      /Mars/,
    ],
    [
      { ...webReaders, resources: Array.from({ length: bodyLimits.entries + 1 }, (_, i) => ({ urn: `${vps}${i}` })) },
      '/resources',
      /1001 entries/,
    ],
  ]
  for (const [body, path, message] of cases) {
    const found = problemsOf(post('/v2/iam/policy', body))
    expect(
      found.map((each) => each.path),
      JSON.stringify(body).slice(0, 200),
    ).toContain(path)
    expect(found.map((each) => each.message).join('\n')).toMatch(message)
  }
  expect(post('/v2/iam/policy', undefined)).toMatchObject({ status: 400, body: { class: 'Client::BadRequest' } })
})

test('POST /v2/iam/policy: a key that names a prototype is only a key', () => {
  const { call, get } = administered()
  const text = JSON.stringify({ ...webReaders, conditions: { operator: 'MATCH', values: { 'resource.Tag(__proto__)': 'a' } } })
  const reply = call('POST', '/v2/iam/policy', written(text))
  expect(reply.status).toBe(200)
  expect(JSON.parse(JSON.stringify(get(`/v2/iam/policy/${fields(reply).id}`).body)).conditions).toEqual(JSON.parse(text).conditions)
  expect(call('POST', '/v2/iam/policy', written('{"__proto__": {}, "name": "x"}')).status).toBe(400)
})

test('read-only policies: not changed and not deleted', () => {
  const policy = {
    id: 'p-managed',
    account: testAccount,
    written: { ...webReaders, name: 'svc-default' },
    readOnly: true,
    createdAt: at,
    updatedAt: null,
  }
  const { put, remove, get } = administered([{ kind: 'policy', key: policy.id, value: policy }])
  for (const reply of [put('/v2/iam/policy/p-managed', webReaders), remove('/v2/iam/policy/p-managed')])
    expect(reply).toMatchObject({
      status: 403,
      origin: 'inferred',
      body: { message: 'the policy `svc-default` is read-only: the service manages it' },
    })
  expect(get('/v2/iam/policy/p-managed').body).toMatchObject({ readOnly: true, name: 'svc-default' })
  expect(items(get('/v2/iam/policy?readOnly=true')).map(({ id }) => id)).toEqual(['p-managed'])
  expect(items(get('/v2/iam/policy?readOnly=false')).map(({ name }) => name)).toEqual(['test-policy-1'])
  expect(get('/v2/iam/policy?readOnly=maybe').status).toBe(400)
})

test('POST and PUT /v2/iam/policy: the name of a policy is its own within the account', () => {
  const { post, put } = administered()
  const first = fields(post('/v2/iam/policy', webReaders))
  const second = fields(post('/v2/iam/policy', { ...webReaders, name: 'others' }))
  const refused = { status: 409, body: { class: 'Client::Conflict::POLICY_ALREADY_EXISTS', details: { id: first.id } } }
  expect(post('/v2/iam/policy', webReaders)).toMatchObject(refused)
  expect(put(`/v2/iam/policy/${second.id}`, webReaders)).toMatchObject(refused)
  expect(put(`/v2/iam/policy/${first.id}`, webReaders).status).toBe(200)
})

test('GET /v2/iam/policy: filters keep the policies that name a text', () => {
  const { post, get } = administered()
  post('/v2/iam/policy', webReaders)
  post('/v2/iam/policy', { ...webReaders, name: 'ann', identities: [ann], permissions: { deny: [{ action: 'vps:*' }] } })
  const names = (query: string) => items(get(`/v2/iam/policy?${query}`)).map(({ name }) => name)
  expect(names(`identity=${encodeURIComponent(ann)}`)).toEqual(['ann'])
  expect(names('action=webHosting:apisvc:get')).toEqual(['web readers'])
  expect(names('action=vps:*')).toEqual(['ann'])
  expect(names(`resourceURN=${encodeURIComponent(site)}`).sort()).toEqual(['ann', 'web readers'])
  expect(names(`resourceURN=${encodeURIComponent(vps)}`)).toEqual([])
})

test('policies of another account are not there', () => {
  const far = { id: 'p-far', account: 'zz99-svc', written: { ...webReaders, name: 'far' }, readOnly: false, createdAt: at, updatedAt: null }
  const { get, put, remove, call } = administered([
    { kind: 'account', key: 'zz99-svc', value: { id: 'zz99-svc', region: 'eu', schemasVersion: 1 } },
    { kind: 'policy', key: far.id, value: far },
  ])
  expect(items(get('/v2/iam/policy')).map(({ name }) => name)).toEqual(['test-policy-1'])
  for (const reply of [get('/v2/iam/policy/p-far'), put('/v2/iam/policy/p-far', webReaders), remove('/v2/iam/policy/p-far')])
    expect(reply.status).toBe(404)
  expect(call('GET', '/v1/hosting/web/example.org').status).toBe(403)
})

test('GET /v2/iam/policy?details=true: resources come with what is known of them', () => {
  const { post, get } = administered([resource(vps, { env: 'prod' })])
  const group = fields(post('/v2/iam/resourceGroup', { name: 'servers', resources: [{ urn: vps }] }))
  const entries = [{ urn: vps }, { urn: group.urn }, { urn: 'urn:v1:eu:resource:vps:*' }]
  const { id } = fields(post('/v2/iam/policy', { ...webReaders, resources: entries }))
  const expanded = [
    {
      urn: vps,
      resource: { id: expect.any(String), name: 'vps-1', displayName: 'vps-1', type: 'vps', owner: testAccount, tags: { env: 'prod' } },
      group: null,
    },
    { urn: group.urn, resource: null, group: { id: group.id, name: 'servers', readOnly: false } },
    { urn: 'urn:v1:eu:resource:vps:*', resource: null, group: null },
  ]
  expect(get(`/v2/iam/policy/${id}?details=true`).body).toMatchObject({ resources: expanded })
  expect(items(get('/v2/iam/policy?details=true')).find((policy) => policy.id === id)).toMatchObject({ resources: expanded })
  expect(get(`/v2/iam/policy/${id}`).body).toMatchObject({ resources: entries })
  expect(get(`/v2/iam/policy/${id}?details=1`).status).toBe(400)
})

test('GET /v2/iam/policy: what is listed is clean to the linter, with and without details', async () => {
  const { post, get } = administered([resource(vps, { env: 'prod' }), resource(site)])
  post('/v2/iam/policy', { ...webReaders, expiredAt: null, conditions: null })
  post('/v2/iam/policy', {
    ...webReaders,
    name: 'server readers',
    identities: [`urn:v1:eu:identity:group:${testAccount}/ops`],
    resources: [{ urn: vps }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }], except: null, deny: null },
    conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'prod' } },
  })
  const catalogue = loadCatalogue(defaultSettings.brand)
  for (const query of ['', '?details=true']) {
    const text = JSON.stringify(
      items(get(`/v2/iam/policy${query}`)).filter(({ name }) => name !== 'test-policy-1'),
      null,
      2,
    )
    const read = await readSource(sourceOf('listing.json', text), defaultSettings)
    const { world } = buildWorld([read.facts])
    const found = lint(rules, ruleContext({ world, catalogue, settings: defaultSettings, now: Date.UTC(2026, 0, 15) }), read.diagnostics)
    expect(world.policies.length).toBe(2)
    expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual([])
  }
})

// Permissions groups.

const deployers = { name: 'deployers', description: 'Who brings out the site.', permissions: { allow: [{ action: 'webHosting:*' }] } }

test('POST /v2/iam/permissionsGroup: named by a URN of the account, and holds from the next call', () => {
  const { post, put, get, remove, call, encoded } = administered()
  const created = post('/v2/iam/permissionsGroup', deployers)
  const urn = `urn:v1:eu:permissionsGroup:${testAccount}:deployers`
  expect(created).toMatchObject({ status: 200, origin: 'public' })
  expect(created.body).toEqual({
    ...deployers,
    urn,
    id: expect.any(String),
    owner: testAccount,
    createdAt: '2026-01-15T10:00:00.000Z',
    updatedAt: null,
  })
  const one = `/v2/iam/permissionsGroup/${encoded(urn)}`
  expect(get(one).body).toEqual(created.body)
  expect(get('/v2/iam/permissionsGroup').body).toEqual([created.body])

  const { id } = fields(post('/v2/iam/policy', { ...webReaders, permissions: {}, permissionsGroups: [{ urn }] }))
  expect(call('GET', '/v1/hosting/web/example.org').status).toBe(200)
  expect(put(one, { ...deployers, permissions: { allow: [{ action: 'vps:*' }] } }).status).toBe(200)
  expect(call('GET', '/v1/hosting/web/example.org').status).toBe(403)

  expect(remove(one)).toMatchObject({ status: 501, body: { class: 'StandIn::NotShown', details: { id } } })
  remove(`/v2/iam/policy/${id}`)
  expect(remove(one).status).toBe(204)
  expect(get(one).status).toBe(404)
})

test('POST and PUT /v2/iam/permissionsGroup: bad bodies, names that are taken, and a change of name', () => {
  const { post, put, encoded } = administered()
  const urn = String(fields(post('/v2/iam/permissionsGroup', deployers)).urn)
  expect(post('/v2/iam/permissionsGroup', deployers)).toMatchObject({ status: 409, body: { details: { urn } } })
  expect(put(`/v2/iam/permissionsGroup/${encoded(urn)}`, { ...deployers, name: 'others' })).toMatchObject({
    status: 501,
    body: { class: 'StandIn::NotShown' },
  })
  const cases: readonly (readonly [unknown, string])[] = [
    [{ name: 'x' }, '/name'],
    [{ ...deployers, urn }, '/urn'],
    [{ ...deployers, name: 'a*' }, '/name'],
    [{ ...deployers, name: '' }, '/name'],
    [{ ...deployers, name: ' a' }, '/name'],
    [{ ...deployers, extra: 1 }, '/extra'],
    [{ ...deployers, permissions: { allow: [{ action: 'no action' }] } }, '/permissions/allow/0/action'],
    [{ ...deployers, permissions: [] }, '/permissions'],
  ]
  for (const [body, path] of cases)
    expect(
      problemsOf(post('/v2/iam/permissionsGroup', body)).map((each) => each.path),
      JSON.stringify(body),
    ).toContain(path)
})

test('managed permissions groups: every account has them, and none changes them', () => {
  const group = {
    id: 'g-managed',
    urn: managed,
    account: null,
    written: { ...deployers, name: 'globalReadAccess' },
    readOnly: true,
    createdAt: at,
    updatedAt: null,
  }
  const { get, put, remove, encoded } = administered([{ kind: 'permissionsGroup', key: managed, value: group }])
  const one = `/v2/iam/permissionsGroup/${encoded(managed)}`
  expect(get(one).body).toMatchObject({ urn: managed, owner: 'svc' })
  expect(put(one, deployers).status).toBe(403)
  expect(remove(one).status).toBe(403)
})

// Resource groups.

test('POST /v2/iam/resourceGroup: members by id or URN; a policy on the group holds for them from the next call', () => {
  const { post, put, get, remove, call } = administered([resource(site), resource(vps)])
  post('/v2/iam/policy', {
    ...webReaders,
    name: 'see all',
    resources: [{ urn: 'urn:v1:eu:resource:*' }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
  })
  const known = items(get('/v2/iam/resource'))
  const idOf = (urn: string) => known.find((each) => each.urn === urn)?.id
  const created = post('/v2/iam/resourceGroup', { name: 'sites', resources: [{ id: idOf(vps) }, { urn: site }, { urn: vps }] })
  expect(created).toMatchObject({ status: 200, origin: 'public' })
  const group = fields(created)
  expect(group).toEqual({
    id: expect.any(String),
    urn: `urn:v1:eu:resourceGroup:${group.id}`,
    name: 'sites',
    owner: testAccount,
    readOnly: false,
    resources: [
      { id: idOf(vps), urn: vps },
      { id: idOf(site), urn: site },
    ],
    createdAt: '2026-01-15T10:00:00.000Z',
    updatedAt: null,
  })
  const one = `/v2/iam/resourceGroup/${group.id}`
  expect(get(one).body).toEqual(group)
  expect(get('/v2/iam/resourceGroup').body).toEqual([group])
  expect(get(`${one}?details=true`).body).toMatchObject({
    resources: [{ id: idOf(vps), urn: vps, name: 'vps-1', type: 'vps' }, { urn: site }],
  })

  const { id } = fields(post('/v2/iam/policy', { ...webReaders, resources: [{ urn: group.urn }] }))
  expect(call('GET', '/v1/hosting/web/example.org').status).toBe(200)
  expect(put(one, { name: 'sites', resources: [{ urn: vps }] }).body).toMatchObject({ resources: [{ urn: vps }] })
  expect(call('GET', '/v1/hosting/web/example.org').status).toBe(403)

  expect(remove(one)).toMatchObject({ status: 501, body: { class: 'StandIn::NotShown', details: { id } } })
  remove(`/v2/iam/policy/${id}`)
  expect(remove(one).status).toBe(204)
  expect(get(one).status).toBe(404)
})

test('POST and PUT /v2/iam/resourceGroup: bad bodies', () => {
  const { post, put } = administered([resource(vps)])
  const { id } = fields(post('/v2/iam/resourceGroup', { name: 'empty' }))
  const cases: readonly (readonly [unknown, string])[] = [
    [{}, ''],
    [{ name: 'x', resources: [{ id: 'nobody knows' }] }, '/resources/0/id'],
    [{ name: 'x', resources: [{ urn: 'urn:v1:eu:resource:vps:*' }] }, '/resources/0/urn'],
    [{ name: 'x', resources: [{}] }, '/resources/0'],
    [{ name: 'x', resources: vps }, '/resources'],
    [{ name: '', resources: [] }, '/name'],
    [{ name: 'x', id: 'mine', resources: [] }, '/id'],
    [{ name: 'x', kind: 'mine', resources: [] }, '/kind'],
  ]
  for (const [body, path] of cases)
    expect(
      problemsOf(post('/v2/iam/resourceGroup', body)).map((each) => each.path),
      JSON.stringify(body),
    ).toContain(path)
  expect(problemsOf(put(`/v2/iam/resourceGroup/${id}`, { name: 'empty' }))[0]?.message).toBe('missing field `resources`')
})

// The inventory.

test('GET /v2/iam/resource: what the caller may certainly do something with', () => {
  const { get, allow } = administered([resource(site), resource(vps, { env: 'prod' }), resource('urn:v1:eu:resource:vps:vps-2', null)])
  expect(get('/v2/iam/resource')).toMatchObject({ status: 200, origin: 'inferred', body: [] })
  allow(['vps:apisvc:get'], ['urn:v1:eu:resource:vps:*'])
  const listed = get('/v2/iam/resource')
  expect(items(listed).map(({ urn }) => urn)).toEqual([vps, 'urn:v1:eu:resource:vps:vps-2'])
  expect(items(listed)[0]).toEqual({
    urn: vps,
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    name: 'vps-1',
    displayName: 'vps-1',
    type: 'vps',
    owner: testAccount,
    tags: { env: 'prod' },
  })
  expect(items(listed)[1]).not.toHaveProperty('tags')
  expect(items(get('/v2/iam/resource?resourceName=vps-2'))).toHaveLength(1)
  expect(items(get('/v2/iam/resource?resourceType=webHosting'))).toHaveLength(0)
  expect(items(get('/v2/iam/resource?resourceURN=urn:v1:eu:resource:vps:vps-1'))).toHaveLength(1)
  expect(items(get('/v2/iam/resource?resourceURN=urn:v1:eu:resource:vps:vps-*'))).toHaveLength(2)
  expect(get('/v2/iam/resource?resourceURN=*').status).toBe(400)
  expect(get('/v2/iam/resource?tags=env')).toMatchObject({ status: 501, body: { class: 'StandIn::NotShown' } })
  const first = get('/v2/iam/resource', { 'x-pagination-size': '1' })
  const next = get('/v2/iam/resource', { 'x-pagination-size': '1', 'x-pagination-cursor': first.headers?.[pageHeaders.next] ?? '' })
  expect(items(next).map(({ urn }) => urn)).toEqual(['urn:v1:eu:resource:vps:vps-2'])
  expect(next.headers?.[pageHeaders.next]).toBeUndefined()
})

test('GET /v2/iam/resource/{resourceURN}: for a caller that sees it', () => {
  const { get, allow, encoded } = administered([resource(site)])
  const one = `/v2/iam/resource/${encoded(site)}`
  expect(get(one).status).toBe(404)
  allow(['webHosting:apisvc:get'], [site])
  expect(get(one).body).toMatchObject({ urn: site, type: 'webHosting', tags: {} })
  expect(get(`/v2/iam/resource/${encoded(vps)}`).status).toBe(404)
})

test('GET /v2/iam/resource: what depends on facts that are missing is neither shown nor hidden without a word', () => {
  const { get, post, encoded } = administered([resource(vps), resource(site)])
  post('/v2/iam/policy', { ...webReaders, resources: [{ urn: 'urn:v1:eu:resourceGroup:not-known' }] })
  const missing = 'resourceGroup:urn:v1:eu:resourceGroup:not-known'
  expect(get('/v2/iam/resource')).toMatchObject({ status: 200, origin: 'stand-in', body: [], headers: { 'x-stand-in-left-out': '2' } })
  expect(get(`/v2/iam/resource/${encoded(site)}`)).toMatchObject({
    status: 501,
    body: { class: 'StandIn::Unknown', details: { missing: [missing] } },
  })
  post('/v2/iam/policy', { ...webReaders, name: 'surely' })
  expect(get(`/v2/iam/resource/${encoded(site)}`).status).toBe(200)
  expect(get('/v2/iam/resource').headers).toMatchObject({ 'x-stand-in-left-out': '1' })
})

test('PUT /v2/iam/resource/{resourceURN}: the tags are replaced, and conditions on them follow at once', () => {
  const { put, post, call, encoded, clock } = administered([resource(site, { env: 'prod', 'svc:kind': 'pro' })])
  const one = `/v2/iam/resource/${encoded(site)}`
  post('/v2/iam/policy', { ...webReaders, conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } } })
  expect(call('GET', '/v1/hosting/web/example.org').status).toBe(403)
  clock.advance(1)
  expect(put(one, { tags: { env: 'dev' } }).body).toMatchObject({ urn: site, tags: { 'svc:kind': 'pro', env: 'dev' } })
  expect(call('GET', '/v1/hosting/web/example.org').status).toBe(200)
  expect(put(one, { tags: null }).body).toMatchObject({ tags: { 'svc:kind': 'pro' } })
  const cases: readonly (readonly [unknown, string])[] = [
    [{}, ''],
    [{ tags: { '': 'x' } }, '/tags/'],
    [{ tags: { a: 'x'.repeat(257) } }, '/tags/a'],
    [{ tags: { ['k'.repeat(129)]: 'x' } }, `/tags/${'k'.repeat(129)}`],
    [{ tags: { a: 1 } }, '/tags/a'],
    [{ tags: { 'svc:kind': 'x' } }, '/tags/svc:kind'],
    [{ tags: [] }, '/tags'],
    [{ tags: {}, displayName: 'x' }, '/displayName'],
    [{ tags: {}, colour: 'x' }, '/colour'],
  ]
  for (const [body, path] of cases)
    expect(
      problemsOf(put(one, body)).map((each) => each.path),
      JSON.stringify(body),
    ).toContain(path)
  expect(put(`/v2/iam/resource/${encoded(vps)}`, { tags: {} }).status).toBe(404)
})

test('POST /v2/iam/resource/{resourceURN}/tag and DELETE …/tag/{key}: one tag at a time', () => {
  const { post, remove, get, allow, encoded } = administered([
    resource(site, { team: 'web' }),
    resource(vps, null),
    resource(`${vps}9`, {}, 'zz99-svc'),
  ])
  allow(['webHosting:*'], [site])
  const one = `/v2/iam/resource/${encoded(site)}`
  const tags = () => fields(get(one)).tags
  expect(post(`${one}/tag`, { key: 'env', value: 'prod' })).toMatchObject({ status: 200, body: {} })
  expect(tags()).toEqual({ team: 'web', env: 'prod' })
  expect(remove(`${one}/tag/team`)).toSatisfy(isEmpty)
  expect(remove(`${one}/tag/team`).status).toBe(204)
  expect(tags()).toEqual({ env: 'prod' })
  expect(post(`${one}/tag`, { key: 'a/b', value: '' }).status).toBe(200)
  expect(remove(`${one}/tag/${encodeURIComponent('a/b')}`).status).toBe(204)
  expect(tags()).toEqual({ env: 'prod' })
  expect(problemsOf(post(`${one}/tag`, { key: 'env' })).map((each) => each.message)).toEqual(['missing field `value`'])
  expect(remove(`${one}/tag/${encodeURIComponent('svc:x')}`).status).toBe(400)
  // For a resource whose tags are not known, one tag more would say that there are no others.
  expect(post(`/v2/iam/resource/${encoded(vps)}/tag`, { key: 'env', value: 'prod' })).toMatchObject({
    status: 501,
    body: { class: 'StandIn::Unknown' },
  })
  expect(remove(`/v2/iam/resource/${encoded(vps)}/tag/env`).status).toBe(501)
  expect(post(`/v2/iam/resource/${encoded(`${vps}9`)}/tag`, { key: 'env', value: 'prod' }).status).toBe(404)
})

test('a URN in a path: slashes and colons of its name are encoded', () => {
  const stream = 'urn:v1:eu:resource:ldp/stream:a/b:c'
  const { get, post, allow, encoded } = administered([resource(stream)])
  allow(['ldp:apisvc:get'], [stream])
  expect(get(`/v2/iam/resource/${encoded(stream)}`).body).toMatchObject({ urn: stream, type: 'ldp/stream', name: 'a/b:c' })
  expect(post(`/v2/iam/resource/${encoded(stream)}/tag`, { key: 'env', value: 'prod' }).status).toBe(200)
  const checked = post(`/v2/iam/resource/${encoded(stream)}/authorization/check`, { actions: ['ldp:apisvc:get'] })
  expect(checked.body).toMatchObject({ authorizedActions: ['ldp:apisvc:get'] })
})

// Checks and references.

test('POST /v2/iam/resource/{resourceURN}/authorization/check: each action in one of two lists', () => {
  const { post, allow, encoded } = administered()
  allow(['webHosting:apisvc:get'], [site])
  const path = `/v2/iam/resource/${encoded(site)}/authorization/check`
  const reply = post(path, { actions: ['webHosting:apisvc:get', 'webHosting:apisvc:edit', 'webHosting:apisvc:get'] })
  expect(reply).toMatchObject({ status: 200, origin: 'public' })
  expect(reply.body).toEqual({ authorizedActions: ['webHosting:apisvc:get'], unauthorizedActions: ['webHosting:apisvc:edit'] })
  expect(problemsOf(post(path, { actions: ['webHosting:*'] })).map((each) => each.path)).toEqual(['/actions/0'])
  expect(problemsOf(post(path, { actions: 'vps:apisvc:get' })).map((each) => each.path)).toEqual(['/actions'])
  expect(problemsOf(post(path, {})).map((each) => each.message)).toEqual(['missing field `actions`'])
  expect(post(`/v2/iam/resource/${encoded('urn:v1:eu:resource:vps:*')}/authorization/check`, { actions: [] }).status).toBe(400)
})

test('POST /v2/iam/authorization/check: in batch; what is not known is in neither list, with the facts it depends on', () => {
  const { post, allow } = administered()
  allow(['webHosting:apisvc:get'], [site])
  post('/v2/iam/policy', {
    ...webReaders,
    resources: [{ urn: vps }],
    permissions: { allow: [{ action: 'vps:apisvc:reboot' }] },
    conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } },
  })
  const reply = post('/v2/iam/authorization/check', { actions: ['webHosting:apisvc:get', 'vps:apisvc:reboot'], resourceURNs: [site, vps] })
  expect(reply).toMatchObject({ status: 200, origin: 'stand-in' })
  expect(reply.body).toEqual([
    { resourceURN: site, authorizedActions: ['webHosting:apisvc:get'], unauthorizedActions: ['vps:apisvc:reboot'] },
    {
      resourceURN: vps,
      authorizedActions: [],
      unauthorizedActions: ['webHosting:apisvc:get'],
      standIn: { unknownActions: [{ action: 'vps:apisvc:reboot', missing: ['resource.Tag(env)'] }] },
    },
  ])
  expect(problemsOf(post('/v2/iam/authorization/check', { actions: [], resourceURNs: ['vps-1'] })).map((each) => each.path)).toEqual([
    '/resourceURNs/0',
  ])
  const many = {
    actions: Array.from({ length: 101 }, (_, i) => `vps:apisvc:a${i}`),
    resourceURNs: Array.from({ length: 100 }, (_, i) => `${vps}${i}`),
  }
  expect(post('/v2/iam/authorization/check', many)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('10000 questions') },
  })
})

test('GET /v2/iam/reference/action and /v2/iam/reference/resource/type: from the catalogue, by pages', () => {
  const { call } = testService()
  const catalogue = loadCatalogue(defaultSettings.brand)
  const walk = (path: string) => {
    const all: unknown[] = []
    let cursor: string | undefined
    do {
      const page = call('GET', path, {
        headers: { 'x-pagination-size': '1000', ...(cursor !== undefined && { 'x-pagination-cursor': cursor }) },
      })
      expect(page).toMatchObject({ status: 200, origin: 'public' })
      all.push(...(page.body as readonly unknown[]))
      cursor = page.headers?.[pageHeaders.next]
    } while (cursor !== undefined)
    return all
  }
  expect(walk('/v2/iam/reference/resource/type')).toEqual([...catalogue.types].sort())
  const actions = walk('/v2/iam/reference/action') as readonly { readonly action: string; readonly resourceType?: string }[]
  expect(new Set(actions.map(({ action }) => action)).size).toBe(catalogue.size)
  expect(actions.find(({ action }) => action === 'webHosting:apisvc:get')).toEqual({
    action: 'webHosting:apisvc:get',
    resourceType: 'webHosting',
  })
  const vpsActions = walk('/v2/iam/reference/action?resourceType=vps') as readonly { readonly action: string }[]
  expect(vpsActions.every(({ action }) => action.startsWith('vps:'))).toBe(true)
  expect(vpsActions.length).toBe(catalogue.actionsOf('vps').length)
  expect(call('GET', '/v2/iam/reference/action?resourceType=nothing').status).toBe(400)
})
