import { describe, expect, test } from 'vitest'
import type { Reply } from '../../src/emulator/model/exchange.ts'
import type { Store, StoredChange } from '../../src/emulator/model/ports.ts'
import { openState } from '../../src/emulator/model/state.ts'
import type { CallRecord } from '../../src/usage/record.ts'
import { testAccount, testClient, testIdentity, testService } from '../support/service.ts'

const hosting = '/v1/hosting/web/example.org'
const form = (fields: Readonly<Record<string, string>> | string) => new URLSearchParams(fields).toString()
const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const good = { grant_type: 'client_credentials', client_id: testClient.id, client_secret: testClient.secret, scope: 'all' }
const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`

describe('a call, from the token to the answer', () => {
  test('is refused without a policy, and allowed by one at once', () => {
    const { call, allow } = testService()
    expect(call('GET', hosting)).toMatchObject({
      status: 403,
      origin: 'document',
      body: {
        class: 'Client::Forbidden',
        message: 'User not granted for this request',
        details: {
          unauthorizedActionsByIAM: 'webHosting:apisvc:get',
          standIn: {
            gate: 'policies',
            refused: [{ action: 'webHosting:apisvc:get', resource: 'urn:v1:eu:resource:webHosting:example.org', reason: 'default' }],
          },
        },
      },
    })
    allow(['webHosting:apisvc:get'])
    expect(call('GET', hosting)).toMatchObject({ status: 200, origin: 'public', body: { serviceName: 'example.org' } })
    const { judged: _, ...first } = call('GET', hosting)
    expect(call('GET', '/1.0/hosting/web/example.org')).toMatchObject(first)
  })

  test('is judged by a policy that very many changes of policies have followed', () => {
    const { call, allow } = testService()
    expect(call('GET', hosting).status).toBe(403)
    allow(['webHosting:apisvc:get'])
    for (let i = 0; i < 2001; i++) allow(['vps:apisvc:get'])
    expect(call('GET', hosting).status).toBe(200)
  })

  test('is judged by the resource that its path names', () => {
    const { call, allow } = testService()
    allow(['webHosting:apisvc:get'], ['urn:v1:eu:resource:webHosting:example.org'])
    expect(call('GET', hosting).status).toBe(200)
    expect(call('GET', '/v1/hosting/web/example.net').status).toBe(403)
  })

  test('a deny that names no identity is reported', () => {
    const denied = {
      id: 'no',
      account: testAccount,
      written: {
        name: 'nothing is read',
        identities: [testIdentity],
        resources: [{ urn: 'urn:v1:eu:resource:*' }],
        permissions: { deny: [{ action: 'webHosting:*' }] },
      },
      readOnly: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: null,
    }
    const { call, allow } = testService({ state: [{ kind: 'policy', key: 'no', value: denied }] })
    allow(['*'])
    expect(call('GET', hosting)).toMatchObject({
      status: 403,
      body: { details: { standIn: { refused: [{ reason: 'denied', deniedBy: ['nothing is read'] }] } } },
    })
  })

  test('answers only to a valid token, on the host of its region', () => {
    const { send, call, token, clock, allow } = testService()
    allow(['webHosting:*'])
    const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` } })
    const kept = token()
    expect(send('GET', hosting)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
    expect(send('GET', hosting, bearer('no-such-token')).headers?.['www-authenticate']).toMatch(/^Bearer error="invalid_token"/)
    expect(send('GET', hosting, { headers: { authorization: 'Token x' } }).headers?.['www-authenticate']).toMatch(/error="invalid_request"/)
    expect(call('GET', hosting, { region: 'ca' }).status).toBe(401)
    clock.advance(3_598_999)
    expect(send('GET', hosting, bearer(kept)).status).toBe(200)
    clock.advance(1)
    expect(send('GET', hosting, bearer(kept)).status).toBe(401)
    expect(call('GET', hosting).status).toBe(200)
  })

  test('depends on a fact that is not known: neither answer is pretended', () => {
    const tagged = {
      id: 'tagged',
      account: testAccount,
      written: {
        name: 'tagged',
        identities: [testIdentity],
        resources: [{ urn: 'urn:v1:eu:resource:*' }],
        permissions: { allow: [{ action: 'webHosting:*' }] },
        conditions: { operator: 'MATCH', values: { 'resource.Tag(team)': 'web' } },
      },
      readOnly: false,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: null,
    }
    const { call, service } = testService({ state: [{ kind: 'policy', key: 'tagged', value: tagged }] })
    expect(call('GET', hosting)).toMatchObject({
      status: 501,
      origin: 'stand-in',
      body: { class: 'StandIn::Unknown', details: { missing: ['resource.Tag(team)'] } },
    })
    const urn = 'urn:v1:eu:resource:webHosting:example.org'
    service.state.commit([{ kind: 'inventory', key: urn, value: { urn, owner: null, tags: { team: 'web' } } }])
    expect(call('GET', hosting).status).toBe(200)
  })

  test('that the emulator does nothing for is answered empty, in the right shape, when allowed', () => {
    const { call, allow } = testService()
    expect(call('GET', '/v1/hosting/web')).toMatchObject({ status: 200, origin: 'public', body: [] })
    expect(call('GET', '/v1/vps/vps-1').status).toBe(403)
    allow(['vps:*'])
    expect(call('GET', '/v1/vps/vps-1')).toMatchObject({ status: 200, origin: 'public', body: {} })
    expect(call('POST', '/v1/vps/vps-1/reboot')).toMatchObject({ status: 200, body: null })
  })

  test('to no path that is known says which was meant, and by which methods one goes', () => {
    const { call, send } = testService()
    expect(call('GET', '/v1/hostnig/web/example.org')).toMatchObject({ status: 404, body: { class: 'Client::NotFound' } })
    expect((call('GET', '/v1/hostnig/web/example.org').body as { message: string }).message).toContain('`/v1/hosting/web/example.org`')
    expect(call('PATCH', hosting)).toMatchObject({ status: 405, headers: { allow: expect.stringContaining('GET') } })
    expect(call('GET', '/v1/hosting/web/%zz').status).toBe(400)
    expect(call('GET', '/v1/hosting/web/..').status).toBe(400)
    expect(send('OPTIONS', hosting)).toMatchObject({ status: 204, headers: { allow: expect.stringContaining('GET') } })
  })

  test('is reported to each listener, once it was judged', () => {
    const { service, call, send, allow } = testService()
    const records: CallRecord[] = []
    service.sinks.add((record) => records.push(record))
    service.sinks.add(() => {
      throw new Error('the disk is full')
    })
    send('GET', hosting)
    call('GET', hosting, { ip: '198.51.100.7' })
    allow(['webHosting:*'])
    expect(call('GET', hosting).status).toBe(200)
    expect(records.map(({ verdict, status }) => [verdict, status])).toEqual([
      ['deny', 403],
      ['allow', 200],
    ])
    expect(records[0]).toEqual({
      at: '2026-01-15T10:00:00.000Z',
      account: testAccount,
      identity: testIdentity,
      method: 'GET',
      path: hosting,
      ip: '198.51.100.7',
      operation: '/v1/hosting/web/{serviceName}',
      actions: [
        { action: 'webHosting:apisvc:get', resource: 'urn:v1:eu:resource:webHosting:example.org', required: true, verdict: 'deny' },
      ],
      verdict: 'deny',
      credential: null,
      status: 403,
    })
  })
})

describe('the token endpoint', () => {
  const ask = (
    fields: Readonly<Record<string, string>> | string,
    headers: Readonly<Record<string, string>> = {},
    region: 'eu' | 'ca' = 'eu',
  ) => testService().send('POST', '/auth/oauth2/token', { headers: { ...formType, ...headers }, body: form(fields), region })
  const { client_id: _, client_secret: __, ...bare } = good

  test('answers as the document shows', () => {
    const reply = ask(good)
    expect(reply).toMatchObject({ status: 200, origin: 'document', headers: { 'cache-control': 'no-store' } })
    expect(reply.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{40,}$/),
      token_type: 'Bearer',
      expires_in: 3599,
      scope: 'all',
    })
  })

  test.each<[string, Readonly<Record<string, string>> | string, Readonly<Record<string, string>>, number, string]>([
    ['HTTP Basic in place of the body', bare, { authorization: basic(testClient.id, testClient.secret) }, 200, ''],
    ['no grant type', { client_id: 'a', client_secret: 'b' }, {}, 400, 'invalid_request'],
    ['another grant type', { ...good, grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
    ['a wrong secret', { ...good, client_secret: 'wrong' }, {}, 401, 'invalid_client'],
    ['an unknown client', { ...good, client_id: 'nobody' }, {}, 401, 'invalid_client'],
    ['no client', bare, {}, 400, 'invalid_request'],
    ['a wrong secret by HTTP Basic', bare, { authorization: basic(testClient.id, 'wrong') }, 401, 'invalid_client'],
    ['a header that is no Basic', bare, { authorization: 'Basic ???' }, 401, 'invalid_client'],
    ['both ways at once', good, { authorization: basic(testClient.id, testClient.secret) }, 400, 'invalid_request'],
    ['a scope that is not shown', { ...good, scope: 'all more' }, {}, 400, 'invalid_scope'],
    ['a field given twice', `${form(good)}&scope=all`, {}, 400, 'invalid_request'],
  ])('%s', (_name, fields, headers, status, error) => {
    const reply = ask(fields, headers)
    expect(reply.status).toBe(status)
    expect(reply.headers?.['cache-control']).toBe('no-store')
    if (status === 200) return
    expect(reply.body).toEqual({ error, error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) })
    expect(reply.headers?.['www-authenticate'] !== undefined).toBe(status === 401 && 'authorization' in headers)
    expect(JSON.stringify(reply)).not.toContain(testClient.secret)
  })

  test('a service account is used with the host of its region', () => {
    expect(ask(good, {}, 'ca')).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })

  test('takes a form and nothing else', () => {
    const { send } = testService()
    expect(send('POST', '/auth/oauth2/token', { body: good })).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(send('POST', '/auth/oauth2/token')).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    expect(send('GET', '/auth/oauth2/token').status).not.toBe(200)
  })

  test('the authorization code flow is not shown', () => {
    expect(testService().send('GET', '/auth/oauth2/authorize?response_type=code')).toMatchObject({
      status: 501,
      body: { class: 'StandIn::NotShown' },
    })
  })

  test('neither secrets nor tokens are kept as they are', () => {
    const { service, token } = testService()
    const text = token()
    const kept = JSON.stringify([...service.state.table('token').entries(), ...service.state.table('serviceAccount').entries()])
    expect(kept).not.toContain(text)
    expect(kept).not.toContain(testClient.secret)
  })

  test('tokens that are over are forgotten', () => {
    const { service, token, clock } = testService()
    token()
    clock.advance(3_599_000)
    token()
    expect(service.state.table('token').size).toBe(1)
  })
})

/** A store in memory that can be made to fail. */
function memoryStore() {
  const kept = new Map<string, StoredChange>()
  const control = { isBroken: false }
  const store: Store = {
    load: () => kept.values(),
    commit(changes) {
      if (control.isBroken) throw new Error('no space left')
      for (const { kind, key, value } of changes) {
        if (value === undefined) kept.delete(`${kind} ${key}`)
        else kept.set(`${kind} ${key}`, { kind, key, value: JSON.parse(JSON.stringify(value)) })
      }
    },
    close: () => {},
  }
  return { store, control, kept }
}

describe('what is kept', () => {
  test('a store that fails is answered with 500 and the reason, and nothing has changed', () => {
    const { store, control } = memoryStore()
    const { service, send, token } = testService({ store })
    token()
    const before = [...service.state.table('token').entries()]
    control.isBroken = true
    const reply: Reply = send('POST', '/auth/oauth2/token', { headers: formType, body: form(good) })
    expect(reply).toMatchObject({ status: 500, body: { class: 'Server::InternalError' } })
    expect(reply.body).toMatchObject({ message: expect.stringContaining('was not made: no space left') })
    expect([...service.state.table('token').entries()]).toEqual(before)
    control.isBroken = false
    expect(send('POST', '/auth/oauth2/token', { headers: formType, body: form(good) }).status).toBe(200)
  })

  test('goes on where it was left', () => {
    const { store } = memoryStore()
    const first = testService({ store })
    first.allow(['webHosting:*'])
    const authorization = `Bearer ${first.token()}`
    const second = testService({ store })
    expect(second.send('GET', hosting, { headers: { authorization } }).status).toBe(200)
  })

  test('a record of a kind that is not known is no state of ours', () => {
    const { store } = memoryStore()
    store.commit([{ kind: 'spaceship', key: '1', value: {} }])
    expect(() => openState(store)).toThrow('spaceship')
  })
})
