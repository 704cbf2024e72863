import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestLimits } from '../../src/emulator/api/credential-routes.ts'
import {
  acceptCredential,
  accessAsked,
  applicationLimits,
  pendingLifetime,
  refuseCredential,
  registerApplication,
} from '../../src/emulator/auth/credentials.ts'
import { isCurrent, sign, timestampWindow } from '../../src/emulator/auth/signature.ts'
import { exportSeed } from '../../src/emulator/control/export.ts'
import type { Reply } from '../../src/emulator/model/exchange.ts'
import type { ApplicationRecord } from '../../src/emulator/model/records.ts'
import { timestamp } from '../../src/emulator/model/tasks.ts'
import { defaultSettings } from '../../src/names.ts'
import { readSource } from '../../src/parser/read-source.ts'
import { sourceOf } from '../../src/source.ts'
import { type TestRequest, type TestService, testAccount, testPorts, testService } from '../support/service.ts'

const customer = `urn:v1:eu:identity:user:${testAccount}/ann`
const site = 'https://app.example/done'
const readHosting = { method: 'GET', path: '/hosting/web/*' }
const hosting = '/1.0/hosting/web/example.org'

/** An emulator with an application, and a customer who may do everything. */
function delegating(options: Parameters<typeof testService>[0] = {}) {
  const tested = testService(options)
  const { service } = tested
  const written = {
    name: 'everything for the customer',
    identities: [customer],
    resources: [{ urn: 'urn:v1:eu:resource:*' }],
    permissions: { allow: [{ action: '*' }] },
  }
  const record = { id: 'p1', account: testAccount, written, readOnly: false, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null }
  service.state.commit([{ kind: 'policy', key: 'p1', value: record }])
  const application = registered(tested)
  const ask = (body: unknown = { accessRules: [readHosting], redirection: site }, headers: Record<string, string> = {}) =>
    tested.send('POST', '/1.0/auth/credential', { body, headers: { 'x-service-application': application.key, ...headers } })
  const asked = (body?: unknown) => {
    const { consumerKey, validationUrl } = ask(body).body as { consumerKey: string; validationUrl: string }
    return { consumerKey, token: new URL(validationUrl).searchParams.get('token') ?? '' }
  }
  const accepted = (rules: readonly { method: string; path: string }[]) => {
    const { consumerKey, token } = asked({ accessRules: rules })
    expect(acceptCredential(service, 'eu', token, customer)).toMatchObject({ state: 'validated' })
    return consumerKey
  }
  const signed = (consumerKey: string, method: string, path: string, wrong: Wrong = {}) =>
    tested.send(method, path, signedRequest(tested, application, consumerKey, method, path, wrong))
  return { ...tested, application, ask, asked, accepted, signed }
}

function registered({ service }: TestService): ApplicationRecord {
  const application = registerApplication(service, 'eu', { name: 'Shop', description: 'Shows your hostings', account: testAccount })
  if (!('key' in application)) throw new Error('the application was not registered')
  return application
}

/** Faults of a signed request. */
interface Wrong {
  readonly secret?: string
  readonly timestamp?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signed?: { readonly method?: string; readonly url?: string; readonly body?: string; readonly timestamp?: string }
}

/** Written out by hand, so that it does not rest on what is tested. */
function signedRequest(
  { clock }: TestService,
  { key, secret }: ApplicationRecord,
  consumerKey: string,
  method: string,
  path: string,
  { secret: used = secret, timestamp = String(Math.floor(clock.now() / 1000)), headers = {}, body = '', signed = {} }: Wrong,
): TestRequest {
  const covered = { method, url: `http://localhost/eu${path}`, body, timestamp, ...signed }
  const text = `${used}+${consumerKey}+${covered.method}+${covered.url}+${covered.body}+${covered.timestamp}`
  return {
    headers: {
      'x-service-application': key,
      'x-service-consumer': consumerKey,
      'x-service-timestamp': timestamp,
      'x-service-signature': `$1$${createHash('sha1').update(text).digest('hex')}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== '' && { body }),
  }
}

const codeOf = ({ status, body }: Reply) => `${status} ${(body as { errorCode?: string }).errorCode}`

describe('application', () => {
  test('the registration returns an application key and an application secret', () => {
    const { service } = testService()
    const registration = { name: ' Shop ', description: 'Shows your hostings', account: testAccount }
    const [first, second] = [registerApplication(service, 'eu', registration), registerApplication(service, 'eu', registration)]
    expect(first).toMatchObject({ name: 'Shop', description: 'Shows your hostings' })
    const keys = [first, second].flatMap((application) => ('key' in application ? [application.key, application.secret] : []))
    expect(new Set(keys).size).toBe(4)
  })
  test('a problem of a registration is shown at its field', () => {
    const { service } = testService()
    const fieldOf = (wrong: object) => {
      const registered = registerApplication(service, 'eu', { name: 'Shop', description: 'Shows', account: testAccount, ...wrong })
      return 'key' in registered ? undefined : registered.map(({ field }) => field).join()
    }
    expect(fieldOf({})).toBeUndefined()
    for (const name of ['', '  ', 'a\nb', 'x'.repeat(applicationLimits.name + 1)]) expect(fieldOf({ name })).toBe('name')
    for (const description of [' ', 'x'.repeat(applicationLimits.description + 1)]) expect(fieldOf({ description })).toBe('description')
    expect(fieldOf({ account: 'nobody' })).toBe('account')
  })
})

describe('POST /1.0/auth/credential', () => {
  test('returns `state`, `consumerKey` and `validationUrl`', () => {
    const { ask } = delegating()
    const reply = ask()
    expect(reply).toMatchObject({ status: 200, origin: 'document', body: { state: 'pendingValidation' } })
    expect(Object.keys(reply.body as object).sort()).toEqual(['consumerKey', 'state', 'validationUrl'])
    expect((reply.body as { validationUrl: string }).validationUrl).toMatch(
      /^http:\/\/localhost\/eu\/auth\/credential\/validate\?token=\w+$/,
    )
  })
  test('the same through the alias prefix `/v1`', () => {
    const { send, application } = delegating()
    const headers = { 'x-service-application': application.key }
    expect(send('POST', '/v1/auth/credential', { headers, body: { accessRules: [readHosting] } }).status).toBe(200)
  })
  test('without the key of an application: refused', () => {
    const { ask, send } = delegating()
    expect(codeOf(ask(undefined, { 'x-service-application': 'nobody' }))).toBe('403 INVALID_KEY')
    expect(codeOf(send('POST', '/1.0/auth/credential', { body: { accessRules: [readHosting] } }))).toBe('403 INVALID_KEY')
  })
  test('a body that cannot be understood: 400, and no credential', () => {
    const { ask, service } = delegating()
    const rules = [readHosting]
    const bodies = [
      [],
      'null',
      {},
      { accessRules: {} },
      { accessRules: [] },
      { accessRules: ['GET /me'] },
      { accessRules: [{ method: 'get', path: '/me' }] },
      { accessRules: [{ method: 'GET' }] },
      { accessRules: [[]] },
      { accessRules: [{ method: 'GET', path: '/me', allowedIPs: ['192.0.2.7'] }] },
      { accessRules: [readHosting, { method: 'GET', path: '/me', path2: '/me' }] },
      { accessRules: [{ method: 'GET', path: 'me' }] },
      { accessRules: [{ method: 'GET', path: `/${'x'.repeat(requestLimits.path)}` }] },
      { accessRules: Array.from({ length: requestLimits.rules + 1 }, () => readHosting) },
      { accessRules: rules, redirect: site },
    ]
    for (const body of bodies) expect(ask(body, { 'content-type': 'application/json' }).status, JSON.stringify(body)).toBe(400)
    expect(ask({ accessRules: rules, allowedIPs: ['192.0.2.0/24'] })).toMatchObject({ status: 501, body: { class: 'StandIn::NotShown' } })
    expect(service.state.table('credential').size).toBe(0)
    // A client sends null for what it leaves open.
    expect(ask({ accessRules: rules, allowedIPs: null, redirection: null }).status).toBe(200)
  })
  test('`redirection` is an address of the web, and nothing that a browser would take for another one', () => {
    const { ask } = delegating()
    const statusOf = (redirection: unknown) => ask({ accessRules: [readHosting], redirection }).status
    for (const good of [site, 'http://localhost:3000/cb?x=1#y', null]) expect(statusOf(good), String(good)).toBe(200)
    const bad = [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example',
      '/done',
      'https:evil.example',
      'https:///evil.example',
      'https:\\\\evil.example',
      'https://app.example\\@evil.example/',
      'https://app.example@evil.example/',
      'https://user:secret@app.example/',
      'https://app.example/\r\nset-cookie: a=b',
      ' https://app.example/',
      'https://',
      'https://[::1',
      `https://app.example/${'x'.repeat(requestLimits.redirection)}`,
      '',
      1,
      {},
    ]
    for (const each of bad) expect(statusOf(each), String(each)).toBe(400)
  })
})

describe('credential request: a key is worth nothing before the customer accepted it', () => {
  test('scheme B, 4 and 5: accepted, the customer is led to the address of `redirection`, and calls are made for the customer', () => {
    const { service, asked, signed } = delegating()
    const { consumerKey, token } = asked()
    expect(accessAsked(service, 'eu', token)).toMatchObject({ state: 'pendingValidation', application: { name: 'Shop' } })
    expect(codeOf(signed(consumerKey, 'GET', hosting))).toBe('403 INVALID_CREDENTIAL')
    expect(codeOf(signed(consumerKey, 'GET', '/1.0/auth/currentCredential'))).toBe('403 INVALID_CREDENTIAL')
    expect(acceptCredential(service, 'eu', token, customer)).toMatchObject({ redirection: site, state: 'validated' })
    expect(signed(consumerKey, 'GET', hosting)).toMatchObject({ status: 200, body: { serviceName: 'example.org' } })
  })
  test('refused: worth nothing from then on, and the customer is led nowhere', () => {
    const { service, asked, signed } = delegating()
    const { consumerKey, token } = asked()
    expect(refuseCredential(service, 'eu', token)).toMatchObject({ state: 'refused' })
    expect(codeOf(signed(consumerKey, 'GET', hosting))).toBe('403 INVALID_CREDENTIAL')
    expect(acceptCredential(service, 'eu', token, customer)).toEqual({ problem: expect.stringContaining('has been answered') })
    expect(codeOf(signed(consumerKey, 'GET', hosting))).toBe('403 INVALID_CREDENTIAL')
  })
  test('a request is answered once, on its host, by an account or a user of that host, and in time', () => {
    const { service, asked, clock } = delegating()
    const { token } = asked()
    const problem = (identity: string, region: 'eu' | 'ca' = 'eu', of = token) => {
      const answered = acceptCredential(service, region, of, identity)
      return 'problem' in answered ? answered.problem : undefined
    }
    expect(problem(customer, 'ca')).toContain('no such request')
    expect(problem(customer, 'eu', 'guess')).toContain('no such request')
    expect(problem(customer, 'eu', '')).toContain('no such request')
    for (const identity of [
      'ann',
      `urn:v1:eu:identity:user:${testAccount}/*`,
      `urn:v1:eu:identity:group:${testAccount}/ops`,
      `urn:v1:eu:identity:credential:${testAccount}/oauth2-x`,
    ])
      expect(problem(identity), identity).toContain('not an account or a user')
    for (const identity of ['urn:v1:eu:identity:user:zz99-svc/ann', `urn:v1:ca:identity:user:${testAccount}/ann`])
      expect(problem(identity), identity).toContain('not of an account of this host')
    expect(accessAsked(service, 'eu', token)?.state).toBe('pendingValidation')
    clock.advance(pendingLifetime * 1000)
    expect(accessAsked(service, 'eu', token)?.state).toBe('expired')
    expect(problem(customer)).toContain('expired')
    const next = asked()
    expect(problem(customer, 'eu', next.token)).toBeUndefined()
    expect(problem(customer, 'eu', next.token)).toContain('has been answered')
  })
  test('an accepted key outlives the time in which it could be accepted, and a key with an end expires then', () => {
    const { service, accepted, signed, clock } = delegating()
    const lasting = accepted([readHosting])
    const short = { consumerKey: accepted([readHosting]) }
    const table = service.state.table('credential')
    const record = table.get(short.consumerKey)
    if (!record) throw new Error('no such key')
    const expiresAt = new Date(clock.now() + 60_000).toISOString()
    service.state.commit([{ kind: 'credential', key: short.consumerKey, value: { ...record, expiresAt } }])
    clock.advance(59_999)
    expect(signed(short.consumerKey, 'GET', hosting).status).toBe(200)
    clock.advance(1)
    expect(codeOf(signed(short.consumerKey, 'GET', hosting))).toBe('403 INVALID_CREDENTIAL')
    clock.advance(pendingLifetime * 1000)
    expect(signed(lasting, 'GET', hosting).status).toBe(200)
  })
})

describe('scheme B, 5: calls within the granted access rules', () => {
  test('a call outside the rules: 403, with the message of that gate', () => {
    const { accepted, signed } = delegating()
    const key = accepted([readHosting])
    for (const [method, path] of [
      ['GET', '/1.0/hosting/web'],
      ['PUT', '/1.0/hosting/web/example.org'],
      ['GET', '/1.0/me'],
      ['GET', '/1.0/auth/currentCredential'],
    ] as const)
      expect(signed(key, method, path).body, `${method} ${path}`).toMatchObject({
        class: 'Client::Forbidden',
        message: 'This call has not been granted',
      })
  })
  test('a call inside the rules is still held to the rights of the customer', () => {
    const { service, accepted, signed } = delegating()
    const key = accepted([readHosting])
    service.state.commit([{ kind: 'policy', key: 'p1' }])
    expect(signed(key, 'GET', hosting).body).toMatchObject({ message: 'User not granted for this request' })
  })
  test('soft mode lets through what policies refuse, and not what the rules may not hold', () => {
    const { service, accepted, signed } = delegating({ isSoft: true })
    const key = accepted([{ method: 'GET', path: '/hosting/web/example.org' }])
    service.state.commit([{ kind: 'policy', key: 'p1' }])
    expect(signed(key, 'GET', hosting).headers).toMatchObject({ 'grantwise-soft': 'refused' })
    // Whether the service compares the path with the slash is not known.
    const open = signed(key, 'GET', `${hosting}/`)
    expect(open.status).toBeGreaterThanOrEqual(400)
    expect(open.headers ?? {}).not.toHaveProperty('grantwise-soft')
    expect(signed(key, 'GET', '/1.0/me').status).toBe(403)
  })
  test('what a call does is done for the customer, with a body that is signed', () => {
    const { service, accepted, signed } = delegating()
    const key = accepted([{ method: 'POST', path: '/v2/iam/policy' }])
    const body = JSON.stringify({
      name: 'made by an application',
      identities: [customer],
      resources: [{ urn: 'urn:v1:eu:resource:vps:*' }],
      permissions: { allow: [{ action: 'vps:*' }] },
    })
    const before = service.state.table('policy').size
    expect(codeOf(signed(key, 'POST', '/v2/iam/policy', { body, signed: { body: '' } }))).toBe('400 INVALID_SIGNATURE')
    expect(signed(key, 'POST', '/v2/iam/policy', { body }).status).toBeLessThan(300)
    expect(service.state.table('policy').size).toBe(before + 1)
  })
})

describe('signature (published scheme)', () => {
  test('it is what the published scheme says', () => {
    const { digest } = testPorts()
    const signed = { secret: 'AS', consumerKey: 'CK', method: 'GET', url: 'https://h/1.0/me', body: '', timestamp: '1366560945' }
    expect(sign(digest, signed)).toBe(`$1$${createHash('sha1').update('AS+CK+GET+https://h/1.0/me++1366560945').digest('hex')}`)
    expect(sign(digest, { ...signed, body: 'é' })).toBe(
      `$1$${createHash('sha1').update('AS+CK+GET+https://h/1.0/me+é+1366560945', 'utf8').digest('hex')}`,
    )
  })
  test('each way to fail has its error', () => {
    const { accepted, signed, send, service, clock } = delegating()
    const key = accepted([readHosting])
    const other = registered({ service } as TestService)
    const code = (wrong: Wrong) => codeOf(signed(key, 'GET', hosting, wrong))
    expect(signed(key, 'GET', hosting).status).toBe(200)
    expect(code({ headers: { 'x-service-application': 'nobody' } })).toBe('403 INVALID_KEY')
    expect(code({ headers: { 'x-service-application': other.key } })).toBe('403 NOT_CREDENTIAL')
    expect(codeOf(signed('nobody', 'GET', hosting))).toBe('403 NOT_CREDENTIAL')
    expect(codeOf(send('GET', hosting, { headers: { 'x-service-application': other.key } }))).toBe('403 NOT_CREDENTIAL')
    expect(code({ secret: 'guess' })).toBe('400 INVALID_SIGNATURE')
    for (const signature of ['', '$1$', 'x', `$2$${'0'.repeat(40)}`])
      expect(code({ headers: { 'x-service-signature': signature } })).toBe('400 INVALID_SIGNATURE')
    const seconds = Math.floor(clock.now() / 1000)
    for (const late of [-1, 1]) expect(code({ timestamp: String(seconds + late * (timestampWindow + 1)) })).toBe('400 QUERY_TIME_OUT')
    for (const late of [-1, 1])
      expect(signed(key, 'GET', hosting, { timestamp: String(seconds + late * timestampWindow) }).status).toBe(200)
    for (const timestamp of ['', 'now', '-5', '1e9', String(clock.now())]) expect(code({ timestamp })).toBe('400 QUERY_TIME_OUT')
  })
  test('no error reveals a secret, or the state of a key to a caller that cannot sign for it', () => {
    const { asked, signed, application } = delegating()
    const { consumerKey, token } = asked()
    const reply = signed(consumerKey, 'GET', hosting, { secret: 'guess' })
    expect(codeOf(reply)).toBe('400 INVALID_SIGNATURE')
    const text = JSON.stringify([reply, signed(consumerKey, 'GET', hosting)])
    for (const secret of [application.secret, token]) expect(text).not.toContain(secret)
  })
  test('a key is used with the host of its region', () => {
    const { accepted, application, clock, send } = delegating()
    const key = accepted([readHosting])
    const request = signedRequest({ clock } as TestService, application, key, 'GET', hosting, {
      signed: { url: `http://localhost/ca${hosting}` },
    })
    expect(codeOf(send('GET', hosting, { ...request, region: 'ca' }))).toBe('403 NOT_CREDENTIAL')
  })
  test('whatever part of a request is changed after it was signed, it is refused', () => {
    const { accepted, signed } = delegating()
    const key = accepted([
      { method: 'GET', path: '*' },
      { method: 'POST', path: '*' },
    ])
    const path = '/1.0/hosting/web/example.org?a=1'
    const url = `http://localhost/eu${path}`
    const other = (text: string) => fc.string({ maxLength: 60 }).filter((each) => each !== text)
    const change = fc.oneof(
      other('GET').map((method) => ({ method })),
      other(url).map((each) => ({ url: each })),
      fc.nat(url.length - 1).map((at) => ({ url: url.slice(0, at) + url.slice(at + 1) })),
      other('').map((body) => ({ body })),
      fc
        .integer({ min: -timestampWindow, max: timestampWindow })
        .filter((by) => by !== 0)
        .map((by) => ({ timestamp: String(1768471200 + by) })),
    )
    expect(signed(key, 'GET', path).status).toBe(200)
    fc.assert(
      fc.property(change, (changed) => {
        expect(codeOf(signed(key, 'GET', path, { signed: changed }))).toBe('400 INVALID_SIGNATURE')
      }),
      { numRuns: 500 },
    )
  })
  test('`HEAD` is signed as it is sent', () => {
    const { accepted, signed } = delegating()
    const key = accepted([readHosting])
    expect(signed(key, 'HEAD', hosting).status).toBe(200)
    expect(codeOf(signed(key, 'HEAD', hosting, { signed: { method: 'GET' } }))).toBe('400 INVALID_SIGNATURE')
    expect(codeOf(signed(key, 'GET', hosting, { signed: { method: 'HEAD' } }))).toBe('400 INVALID_SIGNATURE')
  })
  test('a timestamp is near from both sides', () => {
    const now = 1_000_000_000_000
    expect([0, timestampWindow, -timestampWindow].every((by) => isCurrent(String(1_000_000_000 + by), now))).toBe(true)
    expect([timestampWindow + 1, -timestampWindow - 1].some((by) => isCurrent(String(1_000_000_000 + by), now))).toBe(false)
  })
})

describe('what is shown of credentials and applications (published)', () => {
  test('GET /auth/time: seconds, to anybody', () => {
    const { send, clock } = delegating()
    expect(send('GET', '/1.0/auth/time')).toMatchObject({ status: 200, origin: 'public', body: Math.floor(clock.now() / 1000) })
  })
  test('GET /auth/currentCredential and POST /auth/logout', () => {
    const { accepted, signed, call } = delegating()
    const rules = [
      { method: 'GET', path: '/auth/*' },
      { method: 'POST', path: '/auth/logout' },
    ]
    const key = accepted(rules)
    expect(signed(key, 'GET', '/1.0/auth/currentCredential').body).toMatchObject({
      status: 'validated',
      rules,
      expiration: null,
      lastUse: '2026-01-15T10:00:00.000Z',
    })
    expect(signed(key, 'POST', '/1.0/auth/logout')).toMatchObject({ status: 200, body: null })
    expect(codeOf(signed(key, 'GET', '/1.0/auth/currentCredential'))).toBe('403 INVALID_CREDENTIAL')
    expect(call('GET', '/1.0/auth/currentCredential')).toMatchObject({ status: 501, body: { class: 'StandIn::NotShown' } })
  })
  test('what it says of the current credential is read to its rules', async () => {
    const { accepted, signed } = delegating()
    const rules = [{ method: 'GET', path: '/auth/*' }, readHosting]
    const text = JSON.stringify(signed(accepted(rules), 'GET', '/v1/auth/currentCredential').body)
    const { facts, diagnostics, holdsPolicies } = await readSource(sourceOf('current.json', text), defaultSettings)
    expect([diagnostics, holdsPolicies]).toEqual([[], true])
    expect(facts.credentials?.map((each) => each.rules.map(({ method, path }) => ({ method: method.value, path: path.value })))).toEqual([
      rules,
    ])
  })
  test('/me/api/application and /me/api/credential: those of the account, without secrets', () => {
    const { accepted, asked, signed, call, allow, application, service } = delegating()
    const key = accepted([readHosting])
    const pending = asked()
    expect(call('GET', '/1.0/me/api/application').status).toBe(403)
    allow(['account:*'], [`urn:v1:eu:resource:account:${testAccount}`])
    const [applicationId] = call('GET', '/1.0/me/api/application').body as number[]
    expect(call('GET', `/1.0/me/api/application/${applicationId}`).body).toEqual({
      applicationId,
      applicationKey: application.key,
      name: 'Shop',
      description: 'Shows your hostings',
      status: 'active',
    })
    const ids = call('GET', '/1.0/me/api/credential').body as number[]
    expect(ids.length).toBe(1)
    const one = call('GET', `/1.0/me/api/credential/${ids[0]}`)
    expect(one.body).toMatchObject({ credentialId: ids[0], applicationId, status: 'validated', rules: [readHosting] })
    for (const secret of [key, application.secret, pending.consumerKey]) expect(JSON.stringify(one)).not.toContain(secret)
    expect(call('GET', '/1.0/me/api/credential?status=validated').body).toEqual(ids)
    expect(call('GET', '/1.0/me/api/credential?status=expired').body).toEqual([])
    // A filter that no credential can pass is a mistake, not an empty list.
    expect(call('GET', '/1.0/me/api/credential?status=valid').status).toBe(400)
    expect(call('GET', '/1.0/me/api/credential?applicationId=helper').status).toBe(400)
    expect(call('GET', `/1.0/me/api/credential?applicationId=${applicationId}`).body).toEqual(ids)
    expect(call('GET', `/1.0/me/api/credential/${ids[0]}/application`).body).toMatchObject({ applicationId })
    expect(call('PUT', `/1.0/me/api/credential/${ids[0]}`, { body: { allowedIPs: ['192.0.2.0/24'] } }).status).toBe(501)
    for (const at of ['application/1', 'credential/1', 'credential/x']) expect(call('GET', `/1.0/me/api/${at}`).status).toBe(404)
    expect(call('DELETE', `/1.0/me/api/credential/${ids[0]}`).status).toBe(200)
    expect(codeOf(signed(key, 'GET', hosting))).toBe('403 NOT_CREDENTIAL')
    expect(call('DELETE', `/1.0/me/api/application/${applicationId}`).status).toBe(200)
    expect(codeOf(signed(pending.consumerKey, 'GET', hosting))).toBe('403 INVALID_KEY')
    expect([service.state.table('application').size, service.state.table('credential').size]).toEqual([0, 0])
  })
})

test('what is exported holds the credentials that are valid, each with its end, and no others', async () => {
  const tested = delegating()
  const { service, accepted, asked } = tested
  const [lasting, ending, over, waiting] = [accepted([readHosting]), accepted([readHosting]), accepted([readHosting]), asked().consumerKey]
  const now = service.ports.clock.now()
  const ends = new Map([
    [ending, timestamp(now + 60_000)],
    [over, timestamp(now - 60_000)],
  ])
  for (const [key, expiresAt] of ends) {
    const credential = service.state.table('credential').get(key)
    if (!credential) throw new Error(key)
    service.state.commit([{ kind: 'credential', key, value: { ...credential, expiresAt } }])
  }
  const { standIn } = exportSeed(service) as { standIn: { credentials: readonly { consumerKey: string; expiresAt?: string }[] } }
  const exported = new Map(standIn.credentials.map(({ consumerKey, expiresAt }) => [consumerKey, expiresAt]))
  expect([...exported]).toEqual([
    [lasting, undefined],
    [ending, ends.get(ending)],
  ])
  expect(exported.has(waiting)).toBe(false)
})

test('a filter on the state of credentials goes by what is shown of each, as time passes', () => {
  const { service, call, allow, accepted } = delegating()
  allow(['account:*'], [`urn:v1:eu:resource:account:${testAccount}`])
  const keys = [accepted([readHosting]), accepted([readHosting])]
  const [ending = ''] = keys
  const credential = service.state.table('credential').get(ending)
  if (!credential) throw new Error('the credential is not there')
  const listed = (query = '') => call('GET', `/1.0/me/api/credential${query}`).body as readonly number[]
  for (const expiresAt of [60_000, -60_000].map((more) => timestamp(service.ports.clock.now() + more))) {
    service.state.commit([{ kind: 'credential', key: ending, value: { ...credential, expiresAt } }])
    const shown = listed().map((id) => [id, (call('GET', `/1.0/me/api/credential/${id}`).body as { status: string }).status] as const)
    expect(shown).toHaveLength(keys.length)
    for (const status of ['validated', 'expired', 'refused'])
      expect([status, listed(`?status=${status}`)]).toEqual([status, shown.flatMap(([id, own]) => (own === status ? [id] : []))])
  }
})
