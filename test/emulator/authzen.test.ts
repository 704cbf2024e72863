import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Emulator, startEmulator } from '../../src/embed.ts'
import { effort } from '../support/effort.ts'
import { type Answered, ask } from '../support/http.ts'
import { mainIn } from '../support/in-process.ts'

/** The emulator as a decision point by AuthZEN 1.0. The cases are those of the public certification scenario, in our own words. */

const examples = new URL('../../examples/', import.meta.url)
const at = '2026-06-01T12:00:00Z'
const user = (id: string, properties?: object) => ({ type: 'user', id, ...(properties && { properties }) })
const group = (name: string) => `urn:v1:eu:identity:group:ab12-svc/${name}`
const record = (id: string, properties?: object) => ({ type: 'record', id, ...(properties && { properties }) })
const action = (name: string, properties?: object) => ({ name, ...(properties && { properties }) })
const [alice, bob] = [user('alice'), user('bob')]
const [first, second] = [record('record-1'), record('record-2')]
const admin = user('bob', { role: 'admin' })
const archived = record('record-2', { status: 'archived' })
const json = { 'content-type': 'application/json' }

let emulator: Emulator
beforeAll(async () => {
  emulator = await startEmulator({ seed: new URL('authzen/account.yaml', examples).pathname, config: false, clock: at })
})
afterAll(() => emulator.close())

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = json): Promise<Answered> =>
  ask(emulator, 'POST', `/access/v1/${path}`, headers, typeof body === 'string' ? body : JSON.stringify(body))
const evaluate = (subject: unknown, named: unknown, resource: unknown, others: object = {}) =>
  post('evaluation', { subject, action: named, resource, ...others })
const search = async (path: string, body: unknown) => (await post(`search/${path}`, body)).body as { results: object[]; page?: object }

describe('evaluation', () => {
  test.each([
    ['a user may read', alice, action('read'), first, true],
    ['and write what is active', alice, action('write'), first, true],
    ['another user may read', bob, action('read'), first, true],
    ['and not write what is active', bob, action('write'), first, false],
    ['what is archived is not written', alice, action('write'), archived, false],
    ['but by a role', admin, action('write'), archived, true],
    ['a property of an action is its parameter', alice, action('delete', { soft: true }), first, true],
    ['another value of it', alice, action('delete', { soft: false }), first, false],
    [
      'properties that no policy looks at',
      user('alice', { department: 'Sales', role: 'manager' }),
      action('read', { method: 'GET' }),
      record('record-1', { status: 'active', owner: 'bob' }),
      true,
    ],
    [
      'whole URNs',
      user('urn:v1:eu:identity:user:ab12-svc/alice'),
      action('record:apisvc:read'),
      record('urn:v1:eu:resource:record:x'),
      true,
    ],
    ['a user that is not known', user('nonexistent'), action('read'), first, false],
    ['another account', user('urn:v1:eu:identity:user:other/alice'), action('read'), first, false],
  ])('%s', async (_, subject, named, resource, expected) => {
    for (let i = 0; i < 3; i++) {
      const { status, headers, body } = await evaluate(subject, named, resource)
      expect([status, headers['content-type'], body.decision]).toEqual([200, 'application/json; charset=utf-8', expected])
      expect(body.context).toMatchObject({ verdict: expected ? 'allow' : 'deny' })
    }
  })

  test.each([
    ['a policy', { permissions: { deny: [{ action: 'record:apisvc:delete?soft=true' }] } }],
    ['a policy, by a pattern', { permissions: { deny: [{ action: 'record:*?soft=true' }] } }],
    ['a permissions group', { permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:no' }] }],
  ])('what %s denies with a parameter is denied', async (_, denied) => {
    const about = { identities: ['urn:v1:eu:identity:user:ab12-svc/alice'], resources: [{ urn: 'urn:v1:eu:resource:record:*' }] }
    const policies = [
      { name: 'all', ...about, permissions: { allow: [{ action: 'record:*' }] } },
      { name: 'no', ...about, ...denied },
    ]
    const permissionsGroups = [
      { urn: 'urn:v1:eu:permissionsGroup:ab12-svc:no', name: 'no', permissions: { deny: [{ action: 'record:apisvc:delete?soft=true' }] } },
    ]
    const served = await startEmulator({ seed: [{ account: 'ab12-svc', policies, permissionsGroups }], config: false, clock: at })
    const decisionOf = async (properties: object) => {
      const question = { subject: alice, action: action('delete', properties), resource: first }
      return (await ask(served, 'POST', '/access/v1/evaluation', json, JSON.stringify(question))).body.decision
    }
    expect([await decisionOf({ soft: true }), await decisionOf({ soft: false }), await decisionOf({})]).toEqual([false, true, true])
    await served.close()
  })

  test('a decision that depends on what is not known is none to allow, and says on what', async () => {
    const about = { identities: ['urn:v1:eu:identity:user:ab12-svc/alice'], resources: [{ urn: 'urn:v1:eu:resource:record:*' }] }
    const office = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } }
    const unknown = [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:unknown' }]
    const policies = [
      { name: 'read', ...about, permissions: { allow: [{ action: 'record:apisvc:read' }] }, conditions: office },
      { name: 'write', ...about, permissions: { allow: [{ action: 'record:apisvc:write' }] } },
      { name: 'guard', ...about, resources: [{ urn: 'urn:v1:eu:resource:record:record-2' }], permissions: {}, permissionsGroups: unknown },
    ]
    const served = await startEmulator({ seed: [{ account: 'ab12-svc', policies }], config: false, clock: at })
    const decided = async (name: string, resource: object, context: object) => {
      const question = { subject: alice, action: action(name), resource, context }
      const one = (await ask(served, 'POST', '/access/v1/evaluation', json, JSON.stringify(question))).body as {
        readonly decision: boolean
        readonly context: { readonly verdict: string; readonly missing: readonly unknown[] }
      }
      const many = { evaluations: [question, question] }
      const { evaluations } = (await ask(served, 'POST', '/access/v1/evaluations', json, JSON.stringify(many))).body
      expect(evaluations).toEqual([one, one])
      // A decision is to allow exactly where the verdict is.
      expect(one.decision).toBe(one.context.verdict === 'allow')
      return [one.decision, one.context.verdict, one.context.missing.length > 0]
    }
    expect(await decided('read', first, { ip: '192.0.2.7' })).toEqual([true, 'allow', false])
    expect(await decided('read', first, { ip: '198.51.100.7' })).toEqual([false, 'deny', false])
    expect(await decided('read', first, {})).toEqual([false, 'unknown', true])
    expect(await decided('write', first, {})).toEqual([true, 'allow', false])
    expect(await decided('write', second, {})).toEqual([false, 'unknown', true])
    await served.close()
  })

  test('time and address of the context are facts, and unknown fields are ignored', async () => {
    const context = { time: '2025-06-27T18:03-07:00', ip: '192.168.1.1' }
    expect((await evaluate(alice, action('read'), first, { context, foo: 'bar', more: { nested: true } })).body.decision).toBe(true)
    expect((await evaluate(alice, action('read'), first, { context: { ip: 'here' } })).status).toBe(400)
    expect((await evaluate(alice, action('read'), first, { context: { time: 'noon' } })).status).toBe(400)
  })

  test.each([
    ['urn:v1:eu:identity:user:ab12-svc/alice', 'this is a user, not a group'],
    ['urn:v1:eu:identity:account:ab12-svc', 'this is an account, not a group'],
    ['urn:v1:eu:identity:group:ab12-svc/*', 'pattern'],
    ['a/b/*', 'pattern'],
  ])('a group that is none gives no rights, and is an error: %s', async (group, message) => {
    for (const properties of [{ groups: [group] }, { roles: [group] }, { role: group }]) {
      const { status, body } = await evaluate(user('stranger', properties), action('write'), first)
      expect([status, body.decision, body.message]).toEqual([400, undefined, expect.stringContaining(message)])
    }
  })

  test('the property `account` names the account whose policies decide', async () => {
    const foreign = 'urn:v1:eu:identity:user:other/alice'
    const granted = { name: 'foreign', identities: [foreign], resources: [{ urn: 'urn:v1:eu:resource:record:*' }] }
    const policies = [{ ...granted, permissions: { allow: [{ action: 'record:apisvc:read' }] } }]
    const served = await startEmulator({ seed: [{ account: 'ab12-svc', policies }], config: false, clock: at })
    const asked = async (path: string, subject: object) => {
      const text = JSON.stringify({ subject, action: action('read'), resource: first })
      return (await ask(served, 'POST', `/access/v1/${path}`, json, text)).body
    }
    const named = { account: 'ab12-svc' }
    expect((await asked('evaluation', user(foreign))).decision).toBe(false)
    expect((await asked('evaluation', user(foreign, named))).decision).toBe(true)
    // A search agrees with both.
    expect(await asked('search/subject', { type: 'user' })).toEqual({ results: [] })
    expect(await asked('search/subject', user(foreign))).toEqual({ results: [] })
    expect(await asked('search/subject', { type: 'user', properties: named })).toEqual({ results: [user(foreign)] })
    await served.close()
  })

  test.each([
    ['without a subject', { action: action('read'), resource: first }, '`subject` is missing'],
    ['without an action', { subject: alice, resource: first }, '`action` is missing'],
    ['without a resource', { subject: alice, action: action('read') }, '`resource` is missing'],
    ['without the type of the subject', { subject: { id: 'alice' }, action: action('read'), resource: first }, '`subject.type` is missing'],
    ['without the id of the subject', { subject: { type: 'user' }, action: action('read'), resource: first }, '`subject.id` is missing'],
    ['without the name of the action', { subject: alice, action: {}, resource: first }, '`action.name` is missing'],
    ['without the type of the resource', { subject: alice, action: action('read'), resource: { id: 'x' } }, '`resource.type` is missing'],
    [
      'without the id of the resource',
      { subject: alice, action: action('read'), resource: { type: 'record' } },
      '`resource.id` is missing',
    ],
    ['with a subject that is a string', { subject: 'alice', action: action('read'), resource: first }, '`subject` is not an object'],
    ['with a name that is a number', { subject: alice, action: { name: 123 }, resource: first }, '`action.name` is not a string'],
    [
      'with an unknown type of subject',
      { subject: { type: 'ship', id: 'x' }, action: action('read'), resource: first },
      '`ship`: expected',
    ],
    ['that is a list', [], 'not an object'],
    ['that is empty', '', 'not JSON'],
    ['that is no JSON', '{', 'not JSON'],
  ])('refuses a request %s', async (_, body, message) => {
    const { status, body: answer } = await post('evaluation', body)
    expect([status, answer.message]).toEqual([400, expect.stringContaining(message)])
  })

  test('asks for JSON, sends the id of a request back, and refuses pages of other sites', async () => {
    const asked = JSON.stringify({ subject: alice, action: action('read'), resource: first })
    expect((await post('evaluation', asked, { 'content-type': 'text/plain' })).status).toBe(400)
    expect((await post('evaluation', asked, { ...json, 'x-request-id': 'a-1' })).headers['x-request-id']).toBe('a-1')
    expect((await post('evaluation', '{', { ...json, 'x-request-id': 'a-2' })).headers['x-request-id']).toBe('a-2')
    expect((await post('evaluation', asked)).headers['x-request-id']).toBeUndefined()
    expect((await post('evaluation', asked, { ...json, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await ask(emulator, 'GET', '/access/v1/evaluation')).status).toBe(405)
    expect((await post('other', {})).status).toBe(404)
  })
})

describe('evaluations', () => {
  const decisions = async (body: object) => {
    const { status, body: answer } = await post('evaluations', body)
    expect(status).toBe(200)
    return (answer.evaluations as { decision: boolean }[]).map(({ decision }) => decision)
  }

  test('defaults hold where an item says nothing, and an item replaces them as a whole', async () => {
    expect(await decisions({ subject: alice, action: action('read'), evaluations: [{ resource: first }, { resource: second }] })).toEqual([
      true,
      true,
    ])
    expect(
      await decisions({ subject: bob, resource: first, evaluations: [{ action: action('read') }, { action: action('write') }] }),
    ).toEqual([true, false])
    expect(await decisions({ action: action('write'), resource: archived, evaluations: [{ subject: alice }, { subject: admin }] })).toEqual(
      [false, true],
    )
    const merged = { subject: alice, action: action('write'), resource: { type: 'record' } }
    const items = [{ resource: { id: 'record-1', properties: { status: 'active' } } }, { resource: archived }]
    expect(await decisions({ ...merged, evaluations: items })).toEqual([true, false])
    // The properties of a default are not those of another resource.
    expect(await decisions({ ...merged, resource: archived, evaluations: [{ resource: first }] })).toEqual([true])
  })

  test('an item that cannot be read is a denial with its error', async () => {
    const { body } = await post('evaluations', { subject: alice, action: action('read'), evaluations: [{ resource: first }, {}, 3] })
    expect(body.evaluations).toMatchObject([
      { decision: true },
      { decision: false, context: { error: { status: 400, message: '`resource` is missing' } } },
      { decision: false, context: { error: { message: 'expected an object' } } },
    ])
  })

  test.each([
    ['execute_all', [true, false, true]],
    ['deny_on_first_deny', [true, false]],
    ['permit_on_first_permit', [true]],
  ])('%s', async (semantic, expected) => {
    const evaluations = [{ action: action('read') }, { action: action('none') }, { action: action('write') }]
    expect(
      await decisions({ subject: alice, resource: first, evaluations, options: { evaluations_semantic: semantic, other: 1 } }),
    ).toEqual(expected)
  })

  test('more items than a batch may have are refused, and not evaluated', async () => {
    const asked = { subject: alice, action: action('read'), resource: first }
    expect(await decisions({ ...asked, evaluations: Array.from({ length: 1000 }, () => ({})) })).toHaveLength(1000)
    const { status, body } = await post('evaluations', { ...asked, evaluations: Array.from({ length: 1001 }, () => ({})) })
    expect([status, body.message]).toEqual([400, expect.stringContaining('more than 1000 items')])
  })

  test('without items it is one evaluation, and an unknown semantic is an error', async () => {
    const one = { subject: alice, action: action('read'), resource: first }
    expect((await post('evaluations', one)).body.decision).toBe(true)
    expect((await post('evaluations', { ...one, evaluations: [] })).body.decision).toBe(true)
    expect((await post('evaluations', { ...one, evaluations: {} })).status).toBe(400)
    expect((await post('evaluations', { ...one, evaluations: [{}], options: { evaluations_semantic: 'toString' } })).status).toBe(400)
  })
})

describe('search', () => {
  test('subjects, resources and actions', async () => {
    const users = await search('subject', { subject: { type: 'user' }, action: action('read'), resource: first })
    expect(users).toEqual({ results: [alice, bob] })
    expect((await search('subject', { subject: user('ignored'), action: action('write'), resource: archived })).results).toEqual([bob])
    expect((await search('resource', { subject: alice, action: action('read'), resource: { type: 'record' } })).results).toEqual([
      first,
      second,
    ])
    expect((await search('resource', { subject: admin, action: action('write'), resource: { type: 'record' } })).results).toEqual([second])
    expect((await search('action', { subject: alice, resource: first })).results).toEqual([action('read'), action('write')])
    expect((await search('action', { subject: admin, resource: archived, context: { ip: '192.0.2.1' } })).results).toEqual([
      action('read'),
      action('write'),
    ])
  })

  test('nothing is found of what is not known', async () => {
    expect(await search('action', { subject: user('nonexistent-user'), resource: first })).toEqual({ results: [] })
    expect(await search('subject', { subject: { type: 'spaceship' }, action: action('read'), resource: first })).toEqual({ results: [] })
    expect(await search('resource', { subject: alice, action: action('read'), resource: { type: 'spaceship' } })).toEqual({ results: [] })
  })

  test('pages follow one another, and a token is of one search', async () => {
    const asked = { subject: { type: 'user' }, action: action('read'), resource: first }
    const one = await search('subject', { ...asked, page: { limit: 1 } })
    expect(one).toMatchObject({ results: [alice], page: { count: 1, total: 2, next_token: expect.stringMatching(/./) } })
    const token = (one.page as { next_token: string }).next_token
    expect(await search('subject', { ...asked, page: { token } })).toEqual({ results: [bob], page: { next_token: '', count: 1, total: 2 } })
    for (const page of [{ token: 'x' }, { token: 3 }, { limit: 0 }, { limit: 1.5 }, 'x'])
      expect((await post('search/subject', { ...asked, page })).status).toBe(400)
    expect((await post('search/subject', { ...asked, action: action('write'), page: { token } })).status).toBe(400)
  })

  test('a page has at most 1,000 results, the first one too', async () => {
    const identities = Array.from({ length: 1001 }, (_, i) => ({
      urn: `urn:v1:eu:identity:user:ab12-svc/u${i}`,
      groups: ['all'].map(group),
    }))
    const granted = { name: 'all', identities: [group('all')], resources: [{ urn: 'urn:v1:eu:resource:record:*' }] }
    const policies = [{ ...granted, permissions: { allow: [{ action: 'record:apisvc:read' }] } }]
    const served = await startEmulator({ seed: [{ account: 'ab12-svc', identities, policies }], config: false, clock: at })
    const text = JSON.stringify({ subject: { type: 'user' }, action: action('read'), resource: first, page: { limit: 5000 } })
    const { body } = await ask(served, 'POST', '/access/v1/search/subject', json, text)
    expect(body).toMatchObject({ page: { count: 1000, total: 1001, next_token: expect.stringMatching(/./) } })
    await served.close()
  })

  test.each([
    ['subject', { subject: { type: 'user' }, resource: first }],
    ['subject', { subject: { type: 'user' }, action: action('read'), resource: { type: 'record' } }],
    ['resource', { action: action('read'), resource: { type: 'record' } }],
    ['resource', { subject: { type: 'user' }, action: action('read'), resource: { type: 'record' } }],
    ['action', { subject: alice }],
  ])('a search for a %s that lacks a part is an error', async (of, body) => {
    expect((await post(`search/${of}`, body)).status).toBe(400)
  })
})

describe('the context', () => {
  const [inside, outside] = [{ ip: '192.0.2.1' }, { ip: '198.51.100.1' }]
  let served: Emulator
  beforeAll(async () => {
    const urns = ['alice', 'bob'].map((name) => `urn:v1:eu:identity:user:ab12-svc/${name}`)
    const granted = { resources: [{ urn: 'urn:v1:eu:resource:record:*' }], permissions: { allow: [{ action: 'record:apisvc:read' }] } }
    const conditions = { operator: 'MATCH', values: { 'request.IP.IN_RANGE': '192.0.2.0/24' } }
    const policies = [
      { name: 'anywhere', identities: urns.slice(0, 1), ...granted },
      { name: 'inside', identities: urns.slice(1), ...granted, conditions },
    ]
    const seed = [{ account: 'ab12-svc', identities: urns.map((urn) => ({ urn, groups: [] })), policies }]
    served = await startEmulator({ seed, config: false, clock: at })
  })
  afterAll(() => served.close())
  const asked = async (path: string, body: object) => (await ask(served, 'POST', `/access/v1/${path}`, json, JSON.stringify(body))).body
  const on = { action: action('read'), resource: first }

  test('of an item replaces that of its batch', async () => {
    const batch = async (body: object) => {
      const { evaluations } = await asked('evaluations', { subject: bob, ...on, ...body })
      return (evaluations as { decision: boolean }[]).map(({ decision }) => decision)
    }
    expect(await batch({ evaluations: [{ context: inside }, { context: outside }] })).toEqual([true, false])
    expect(await batch({ context: inside, evaluations: [{ context: outside }, {}] })).toEqual([false, true])
  })

  test('of a search holds for its questions', async () => {
    const found = (context: object) => asked('search/subject', { subject: { type: 'user' }, ...on, context })
    expect([await found(inside), await found(outside)]).toEqual([{ results: [alice, bob] }, { results: [alice] }])
  })
})

test('the metadata name the endpoints, which answer', async () => {
  const { status, body } = await ask(emulator, 'GET', '/.well-known/authzen-configuration')
  expect([status, body.policy_decision_point]).toEqual([200, emulator.url])
  const { policy_decision_point: base, ...endpoints } = body
  expect(Object.keys(endpoints).sort()).toEqual([
    'access_evaluation_endpoint',
    'access_evaluations_endpoint',
    'search_action_endpoint',
    'search_resource_endpoint',
    'search_subject_endpoint',
  ])
  for (const url of Object.values(endpoints)) {
    const answer = await fetch(String(url), { method: 'POST', headers: json, body: '{}' })
    expect(answer.status).toBe(400)
  }
})

describe('over the files of an account', () => {
  const acme = new URL('acme/', examples).pathname
  const files = ['policies', 'world.yaml'].flatMap((name) => ['-p', name])
  let served: Emulator
  beforeAll(async () => {
    served = await startEmulator({ seed: ['policies', 'world.yaml'], cwd: acme, config: false, clock: at })
  })
  afterAll(() => served.close())
  const one = (...names: readonly string[]) => fc.constantFrom(...names)
  const facts = fc.record({
    tags: fc.constantFrom(undefined, { env: 'prod' }, { env: 'dev', team: 'web' }),
    groups: fc.constantFrom(undefined, ['ops'], ['dev', 'admins']),
    ip: fc.constantFrom(undefined, '203.0.113.7', '10.0.0.1'),
  })
  const question = fc.record({
    identity: one('alice', 'bob', 'dave', 'kim', 'someone'),
    action: one('vps:apisvc:reboot', 'vps:apisvc:terminate', 'webHosting:apisvc:database/restore', 'dnsZone:apisvc:get'),
    resource: one('vps/web-1', 'vps/db-1', 'webHosting/shop.acme.example', 'dnsZone/acme.example', 'vps/other'),
    facts,
  })
  type Asked = typeof question extends fc.Arbitrary<infer T> ? T : never
  const bodyOf = ({ identity, action: name, resource, facts: { tags, groups, ip } }: Asked) => {
    const [type = '', id = ''] = resource.split('/')
    return {
      subject: { type: 'user', id: identity, ...(groups && { properties: { groups } }) },
      action: { name },
      resource: { type, id, ...(tags && { properties: { tags } }) },
      context: { time: at, ...(ip !== undefined && { ip }) },
    }
  }
  const decisionOf = async (body: object) =>
    (await ask(served, 'POST', '/access/v1/evaluation', json, JSON.stringify(body))).body as { decision: boolean; context: object }

  test('an evaluation is what `can` says', async () => {
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const { decision, context } = await decisionOf(bodyOf(asked))
        const {
          identity,
          action: name,
          resource,
          facts: { tags = {}, groups = [], ip },
        } = asked
        const [type, id] = resource.split('/')
        const options = [
          ...Object.entries(tags).flatMap(([key, value]) => ['--tag', `${key}=${value}`]),
          ...groups.flatMap((group) => ['--group', group]),
          ...(ip === undefined ? [] : ['--ip', ip]),
        ]
        const names = [`urn:v1:eu:identity:user:acme-svc/${identity}`, name, `urn:v1:eu:resource:${type}:${id}`]
        const args = ['can', '--format', 'json', '--no-config', '--at', at, ...files, ...options, '--', ...names]
        const { verdict, reason, missing, caveats } = JSON.parse((await mainIn(args, acme)).stdout)
        expect(context).toMatchObject({ verdict, reason, missing, caveats })
        expect(decision).toBe(verdict === 'allow')
      }),
      { numRuns: effort(60) },
    )
  })

  test('a search finds those that an evaluation allows', async () => {
    const world = readFileSync(new URL('world.yaml', new URL('acme/', examples)), 'utf8')
    const logins = [...new Set([...world.matchAll(/identity:user:acme-svc\/(\w+)/g)].map(([, login]) => login as string))]
    expect(logins.length).toBeGreaterThan(3)
    await fc.assert(
      fc.asyncProperty(question, async (asked) => {
        const body = bodyOf(asked)
        const { results } = (await ask(served, 'POST', '/access/v1/search/subject', json, JSON.stringify(body))).body as {
          results: { id: string }[]
        }
        // Groups are facts of the subject: a search for subjects is about each of them with these groups.
        const allowed = []
        for (const id of logins) if ((await decisionOf({ ...body, subject: { ...body.subject, id } })).decision) allowed.push(id)
        expect(
          results
            .map(({ id }) => id)
            .filter((id) => logins.includes(id))
            .sort(),
        ).toEqual(allowed.sort())
        const actions = (await ask(served, 'POST', '/access/v1/search/action', json, JSON.stringify(body))).body.results as {
          name: string
        }[]
        expect(actions.some(({ name }) => name === asked.action)).toBe(
          (await decisionOf(body)).decision && asked.action.startsWith(`${body.resource.type}:`),
        )
      }),
      { numRuns: effort(15) },
    )
  })
})
