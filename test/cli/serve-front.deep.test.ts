import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageHeaders } from '../../src/emulator/console/html.ts'
import { isHeaderHost } from '../../src/emulator/model/host.ts'
import { clientAddress, isPublicHost, readPublicUrl, withoutPrefix } from '../../src/emulator/server/front.ts'
import { type Answered, ask } from '../support/http.ts'
import { testService } from '../support/service.ts'
import { endAll, type Running, serving } from '../support/serving.ts'

const client = { id: 'EU.0123456789abcdef', secret: 'a secret of the tests' }
const identity = `urn:v1:eu:identity:credential:ab12-svc/oauth2-${client.id}`
const application = { name: 'tests', key: 'applicationkey00', secret: 'the application secret of the tests' }
const hosting = '/eu/v1/hosting/web/example.org'
const office = {
  name: 'from the office, until the end of 2026',
  identities: [identity],
  resources: [{ urn: 'urn:v1:eu:resource:webHosting:*' }],
  permissions: { allow: [{ action: 'webHosting:apisvc:get' }] },
  conditions: { operator: 'MATCH', values: { 'request.IP': '203.0.113.7' } },
  expiredAt: '2026-12-31T00:00:00Z',
}
const seed = {
  policies: [office],
  account: 'ab12-svc',
  standIn: { serviceAccounts: [{ identity, secret: client.secret }], applications: [application] },
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-front-'))
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed))
})
afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})
const serve = (...options: string[]) => serving(folder, '--seed', 'seed.json', '--quiet', ...options)

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const grant = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret, scope: 'all' }
async function bearer(server: Running): Promise<Readonly<Record<string, string>>> {
  const { body } = await ask(server, 'POST', '/eu/auth/oauth2/token', form, new URLSearchParams(grant).toString())
  return { authorization: `Bearer ${body.access_token}` }
}
const stop = async (server: Running) => {
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
}

describe('behind a public address', () => {
  let server: Running
  beforeAll(async () => {
    server = await serve('--public-url', 'https://emulator.example:8443/tools/')
  })
  afterAll(() => stop(server))
  const host = { host: 'emulator.example:8443' }

  test('every address that is handed out is the public one', async () => {
    expect(server.stdout()).toContain('https://emulator.example:8443/tools/eu/auth/oauth2/token')
    expect(server.stdout()).not.toContain(`127.0.0.1:${server.port}/eu`)
    const { body } = await request(server, host)
    expect(body.validationUrl).toMatch(/^https:\/\/emulator\.example:8443\/tools\/eu\/auth\/credential\/validate\?token=/)
  })

  test('the validation page works there, its form too, with the prefix left in by the proxy or taken out', async () => {
    for (const prefix of ['', '/tools']) {
      const { body } = await request(server, host)
      const { pathname, search } = new URL(String(body.validationUrl))
      const page = await ask(server, 'GET', `${prefix}${pathname.slice('/tools'.length)}${search}`, host)
      expect(page.status).toBe(200)
      expect(page.text).toContain('action="/tools/eu/auth/credential/validate"')
      const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ''
      const answer = {
        form_token: field('form_token'),
        token: field('token'),
        identity: 'urn:v1:eu:identity:account:ab12-svc',
        answer: 'accept',
      }
      const accept = (origin: string) =>
        ask(
          server,
          'POST',
          `${prefix}/eu/auth/credential/validate`,
          { ...form, ...host, origin, 'sec-fetch-site': 'same-origin' },
          new URLSearchParams(answer).toString(),
        )
      expect((await accept('https://evil.example')).status).toBe(403)
      const accepted = await accept('https://emulator.example:8443')
      expect([accepted.status, accepted.headers.location]).toEqual([303, 'https://helper.example/done'])
      // A signature covers the address that the client wrote.
      const timestamp = String(Math.floor(Date.now() / 1000))
      const written = `https://emulator.example:8443/tools/eu/v1/auth/currentCredential`
      const text = [application.secret, body.consumerKey, 'GET', written, '', timestamp].join('+')
      const proxied = { host: 'localhost:8765' }
      const signed = await ask(server, 'GET', `${prefix}/eu/v1/auth/currentCredential`, {
        ...(prefix === '' ? proxied : host),
        'x-service-application': application.key,
        'x-service-consumer': String(body.consumerKey),
        'x-service-timestamp': timestamp,
        'x-service-signature': `$1$${createHash('sha1').update(text).digest('hex')}`,
      })
      expect(signed).toMatchObject({ status: 200, body: { status: 'validated' } })
    }
  })

  test('a page is sent from there also where the proxy names another host', async () => {
    const page = await ask(server, 'GET', '/eu/createApp', { host: 'localhost:8765' })
    const token = /name="form_token" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
    const fields = new URLSearchParams({ form_token: token, name: 'a', description: 'b', account: 'ab12-svc' }).toString()
    const send = (origin: string) => ask(server, 'POST', '/eu/createApp', { ...form, host: 'localhost:8765', origin }, fields)
    expect((await send('https://emulator.example:8443')).status).toBe(200)
    expect((await send('https://other.example:8443')).status).toBe(403)
  })

  test('no other name is taken', async () => {
    expect((await ask(server, 'GET', hosting, { host: 'evil.example' })).body.message).toContain('`emulator.example:8443`, `127.0.0.1`')
    expect((await ask(server, 'GET', hosting, { host: 'emulator.example' })).status).toBe(421)
    expect((await ask(server, 'GET', hosting, { host: 'localhost' })).status).toBe(401)
  })
})

function request(
  server: Running,
  headers: Readonly<Record<string, string>> = {},
  redirection = 'https://helper.example/done',
): Promise<Answered> {
  return ask(
    server,
    'POST',
    '/eu/1.0/auth/credential',
    { 'content-type': 'application/json', 'x-service-application': application.key, ...headers },
    JSON.stringify({ accessRules: [{ method: 'GET', path: '/*' }], redirection }),
  )
}

describe('addresses and dates of conditions can be tried', () => {
  test('--client-ip is where every call comes from, whatever a header says', async () => {
    const inside = await serve('--client-ip', '203.0.113.7')
    const outside = await serve('--client-ip', '198.51.100.1')
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    expect((await ask(inside, 'GET', hosting, await bearer(inside))).status).toBe(200)
    expect((await ask(outside, 'GET', hosting, { ...(await bearer(outside)), ...forwarded })).status).toBe(403)
    await Promise.all([stop(inside), stop(outside)])
  })

  test('X-Forwarded-For counts with --trust-proxy alone, and of it what the proxy wrote', async () => {
    const [trusting, plain] = [await serve('--trust-proxy'), await serve()]
    const status = async (server: Running, forwarded?: string) =>
      (await ask(server, 'GET', hosting, { ...(await bearer(server)), ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) }))
        .status
    expect(await status(plain, '203.0.113.7')).toBe(403)
    expect(await status(trusting)).toBe(403)
    expect(await status(trusting, '203.0.113.7')).toBe(200)
    expect(await status(trusting, '203.0.113.7, 198.51.100.1')).toBe(403)
    expect(await status(trusting, '198.51.100.1, 203.0.113.7')).toBe(200)
    expect(await status(trusting, '203.0.113.7:4711')).toBe(200)
    expect(await status(trusting, 'unknown')).toBe(400)
    await Promise.all([stop(trusting), stop(plain)])
  })

  test('--clock: a policy that has expired by then, and one that has not', async () => {
    const before = await serve('--client-ip', '203.0.113.7', '--clock', '2026-12-30T12:00:00Z')
    const after = await serve('--client-ip', '203.0.113.7', '--clock', '2027-01-02T12:00:00Z')
    expect((await ask(before, 'GET', hosting, await bearer(before))).status).toBe(200)
    expect((await ask(after, 'GET', hosting, await bearer(after))).status).toBe(403)
    expect((await ask(after, 'GET', '/eu/1.0/auth/time')).text).toBe(String(Date.UTC(2027, 0, 2, 12) / 1000))
    expect(after.stdout()).toContain('the clock stands still at 2027-01-02T12:00:00.000Z')
    await Promise.all([stop(before), stop(after)])
  })
})

describe('texts that reach a header', () => {
  const bad = [';', ',', '*', "'", '"', '(', '!', '$', '&', '+', '=', '`', '{', '~', '%']
  test.each(bad)('an address with `%s` in its host is refused as a redirection', (letter) => {
    const { send, service } = testService()
    service.state.commit([
      { kind: 'application', key: 'k', value: { ...application, description: '', createdAt: '2026-01-01T00:00:00.000Z' } },
    ])
    const redirection = `https://a${letter}b.example/x`
    const answer = send('POST', '/1.0/auth/credential', {
      headers: { 'x-service-application': 'k' },
      body: { accessRules: [{ method: 'GET', path: '/*' }], redirection },
    })
    expect(answer).toMatchObject({ status: 400, body: { class: 'Client::BadRequest', message: expect.stringContaining('`redirection`') } })
  })

  test('a host that was kept before it was refused is no part of the policy of a page', () => {
    const at = '2026-01-15T10:00:00.000Z'
    const { send, service } = testService()
    const credential = {
      consumerKey: 'c',
      application: 'k',
      region: 'eu',
      rules: [{ method: 'GET', path: '/*' }],
      redirection: 'https://a;script-src-*.example/',
      state: 'pendingValidation',
      validation: 'v'.repeat(64),
      identity: null,
      account: null,
      createdAt: at,
      expiresAt: '2026-01-16T10:00:00.000Z',
    } as const
    service.state.commit([
      { kind: 'application', key: 'k', value: { ...application, description: '', createdAt: at } },
      { kind: 'credential', key: 'c', value: credential },
    ])
    const page = send('GET', `/auth/credential/validate?token=${credential.validation}`)
    expect(page.status).toBe(200)
    expect(page.headers?.['content-security-policy']).toContain("form-action 'self';")
    expect(page.headers?.['content-security-policy']).not.toContain('example')
  })

  test('whatever host is taken adds nothing to the policy of a page', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...bad, ' ', '\t', '.', '-', '_', 'a', 'Z', '1', ':', '[', ']'), maxLength: 12 }),
        (host) => {
          if (!isHeaderHost(host)) return
          const policy = pageHeaders(`https://${host}`)['content-security-policy'] ?? ''
          expect(policy.split(';').length).toBe(pageHeaders()['content-security-policy']?.split(';').length)
          expect(host).not.toMatch(/[;,*'"\s]/)
        },
      ),
    )
  })
})

describe('public addresses', () => {
  const read = (text: string) => {
    const value = readPublicUrl(text)
    if (typeof value === 'string') throw new Error(value)
    return { publicUrl: value, trustProxy: false }
  }
  test('a port that is the usual one may be written or left out', () => {
    expect(isPublicHost(read('https://a.test'), 'a.test:443')).toBe(true)
    expect(isPublicHost(read('https://A.test:443'), 'a.test')).toBe(true)
    expect(isPublicHost(read('https://a.test'), 'a.test:80')).toBe(false)
    expect(isPublicHost(read('http://[::1]:9000'), '[::1]:9000')).toBe(true)
    expect(isPublicHost(read('https://a.test'), 'a.test/x')).toBe(false)
    expect(isPublicHost(read('https://a.test'), 'user@a.test')).toBe(false)
  })
  test('a path that the emulator has itself is no prefix', () => {
    for (const path of ['eu', 'ca/', 'eu/tools', 'health', '_emulator'])
      expect(readPublicUrl(`http://localhost:9000/${path}`), path).toContain('own paths begin with')
    expect(readPublicUrl('http://localhost:9000/europe')).toMatchObject({ prefix: '/europe' })
  })

  test('only the whole prefix is taken off', () => {
    expect(withoutPrefix(read('https://a.test/x/'), '/x/eu/v1')).toBe('/eu/v1')
    expect(withoutPrefix(read('https://a.test/x'), '/xy/eu')).toBe('/xy/eu')
    expect(withoutPrefix(read('https://a.test'), '/eu')).toBe('/eu')
  })
  test.each([
    ['ftp://a.test', 'expected an address'],
    ['a.test', 'expected an address'],
    ['https://u:p@a.test', 'handed out to every client'],
    ['https://a.test?', 'without `?` and `#`'],
    ['https://a.test/#x', 'without `?` and `#`'],
    ['https://a;b.test', 'would misread'],
    ['https://*.test', 'would misread'],
    ['https://a.test/"x', 'expected a path'],
  ])('%s is refused', (text, said) => {
    expect(readPublicUrl(text)).toContain(said)
  })
  test('the address of a client', () => {
    const trusting = { trustProxy: true }
    expect(clientAddress(trusting, '10.0.0.1, [2001:db8::7]:443', '127.0.0.1')).toBe('2001:db8::7')
    expect(clientAddress(trusting, '::ffff:10.0.0.1', '127.0.0.1')).toBe('::ffff:10.0.0.1')
    expect(clientAddress(trusting, '', '127.0.0.1')).toBeUndefined()
    expect(clientAddress(trusting, undefined, '127.0.0.1')).toBe('127.0.0.1')
    expect(clientAddress({ trustProxy: false }, '10.0.0.1', undefined)).toBe('')
  })
})
