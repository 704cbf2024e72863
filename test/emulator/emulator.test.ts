import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { loadOperations } from '../../src/actions/operations.ts'
import { type Emulator, type EmulatorCall, type EmulatorOptions, startEmulator } from '../../src/embed.ts'
import { assetRoutes } from '../../src/emulator/api/assets.ts'
import { serviceRoutes } from '../../src/emulator/service.ts'
import { defaultSettings } from '../../src/names.ts'
import { ask } from '../support/http.ts'

const client = { id: 'EU.0123456789abcdef', secret: 'a secret of the tests' }
const identity = `urn:v1:eu:identity:credential:ab12-svc/oauth2-${client.id}`
const policy = {
  id: 'policy-1',
  name: 'web readers',
  identities: [identity],
  resources: [{ urn: 'urn:v1:eu:resource:webHosting:*' }, { urn: 'urn:v1:eu:resource:vmwareCloudDirectorBackup:*' }],
  permissions: { allow: [{ action: 'webHosting:apisvc:get' }, { action: 'vmwareCloudDirectorBackup:*' }] },
}
const seed = {
  account: 'ab12-svc',
  policies: [policy],
  permissionsGroups: [{ urn: 'urn:v1:eu:permissionsGroup:ab12-svc:care', name: 'care', permissions: { allow: [{ action: 'vps:*' }] } }],
  resources: [{ urn: 'urn:v1:eu:resource:webHosting:example.org', tags: { env: 'prod', 'é\u2028': 'x' } }],
  identities: [{ urn: 'urn:v1:eu:identity:user:ab12-svc/ann', groups: ['urn:v1:eu:identity:group:ab12-svc/ops'] }],
  standIn: {
    serviceAccounts: [{ identity, secret: client.secret, name: 'tests' }],
    applications: [{ name: 'helper', key: 'applicationkey00', secret: 'the secret of the application' }],
    credentials: [
      {
        consumerKey: 'consumerkey0',
        application: 'applicationkey00',
        identity: 'urn:v1:eu:identity:account:ab12-svc',
        accessRules: [{ method: 'GET', path: '/*' }],
      },
    ],
    resources: [
      {
        urn: 'urn:v1:eu:resource:vmwareCloudDirectorBackup:backup-1',
        path: '/v2/vmwareCloudDirector/backup/backup-1',
        currentState: { offers: ['daily'] },
      },
    ],
  },
}
const hosting = '/eu/v1/hosting/web/example.org'
const backup = '/eu/v2/vmwareCloudDirector/backup/backup-1'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }

async function tokenOf(emulator: Emulator, id = client.id, secret = client.secret): Promise<Readonly<Record<string, string>>> {
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope: 'all' }
  const { body } = await ask(emulator, 'POST', '/eu/auth/oauth2/token', form, new URLSearchParams(fields).toString())
  return { authorization: `Bearer ${body.access_token}` }
}

async function signed(emulator: Emulator, prefix: string, keys: readonly [ak: string, as: string, ck: string], path: string) {
  const [ak, as, ck] = keys
  const timestamp = (await ask(emulator, 'GET', '/eu/1.0/auth/time')).text
  const text = [as, ck, 'GET', `${emulator.url}${path}`, '', timestamp].join('+')
  return ask(emulator, 'GET', path, {
    host: new URL(emulator.url).host,
    [`${prefix}-Application`]: ak,
    [`${prefix}-Consumer`]: ck,
    [`${prefix}-Timestamp`]: timestamp,
    [`${prefix}-Signature`]: `$1$${createHash('sha1').update(text).digest('hex')}`,
  })
}

const open: Emulator[] = []
async function started(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ config: false, ...options })
  open.push(emulator)
  return emulator
}
afterEach(async () => {
  for (const emulator of open.splice(0)) await emulator.close()
})

describe('startEmulator', () => {
  test('has one account and a service account with a secret, on a free port, and ends', async () => {
    const emulator = await started()
    const [account] = emulator.serviceAccounts
    expect(emulator.url).toBe(`http://127.0.0.1:${emulator.port}`)
    expect(emulator.regions.eu).toEqual({
      url: `${emulator.url}/eu`,
      token: `${emulator.url}/eu/auth/oauth2/token`,
      console: `${emulator.url}/eu/console`,
    })
    const token = await tokenOf(emulator, account?.clientId, account?.clientSecret)
    expect((await ask(emulator, 'GET', hosting, token)).status).toBe(403)
    expect(emulator.demonstration).toBeUndefined()
    await emulator.close()
    await emulator.close()
    await expect(ask(emulator, 'GET', '/health')).rejects.toThrow()
  })

  test('what is no option, or no value of one, is refused with its name', async () => {
    const wrong: readonly [unknown, string][] = [
      [{ demoCredential: true }, '`demoCredential` is not an option of `startEmulator`\n  help: did you mean `demoCredentials`?'],
      [{ headerPrefix: 'a b\r\n' }, '`headerPrefix`'],
      [{ brand: 'A B' }, '`brand`'],
      [{ clock: new Date(Number.NaN) }, '`clock`'],
      [{ clock: 5 }, '`clock`'],
      [{ clock: '+9999999d' }, 'beyond the years 0 to 9999'],
      [{ faults: { status: 429 } }, '`faults`'],
      [{ faultSeed: Number.NaN }, '`faultSeed`'],
      [{ stubs: { 'GET /v1/vps/{serviceName}': 1n } }, 'cannot be written as JSON'],
      [{ stubs: { 'GET /v1/vps/{serviceName}': () => 1 } }, 'cannot be written as JSON'],
      [{ stubs: { 'GET /v1/vps/{serviceName} more': 1 } }, 'expected METHOD PATH'],
      [{ seed: { policies: [1n] } }, 'seed document 1: the value cannot be written as JSON'],
    ]
    for (const [options, message] of wrong)
      await expect(startEmulator({ config: false, ...(options as EmulatorOptions) }), message).rejects.toThrow(message)
  })

  test('its clock takes no time that cannot be written', async () => {
    const emulator = await started()
    for (const time of ['tomorrow', '', '+9999999d', new Date(Number.NaN)]) expect(() => emulator.setClock(time), String(time)).toThrow()
    for (const time of [Number.POSITIVE_INFINITY, 1e18, -1, Number.NaN]) expect(() => emulator.advance(time)).toThrow(RangeError)
    for (const [method, path, body] of [
      ['PUT', 'clock', '{"at": "9999-12-31T23:59:59-23:59"}'],
      ['PUT', 'clock', '{"offset": -80000000000}'],
      ['PUT', 'clock', '{"offset": 1e400}'],
      ['POST', 'clock/advance', '{"seconds": 1e400}'],
      ['POST', 'clock/advance', '{"seconds": 1e15}'],
    ] as const)
      expect((await ask(emulator, method, `/_emulator/${path}`, json, body)).status, body).toBe(400)
    emulator.setClock('+0s')
    const seconds = Number((await ask(emulator, 'GET', '/eu/1.0/auth/time')).text)
    expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(60)
  })

  test('answers that are held back are given when it ends', async () => {
    let seen = () => {}
    const judged = new Promise<void>((done) => {
      seen = done
    })
    const emulator = await started({ seed, faults: [{ path: '/v1/hosting/*', latency: 3_600_000 }], onCall: () => seen() })
    const late = ask(emulator, 'GET', hosting, await tokenOf(emulator))
    await judged
    await emulator.close()
    expect((await late).status).toBe(200)
  })

  test('two run side by side, over documents that are values, and report calls', async () => {
    const calls: EmulatorCall[] = []
    const [first, second] = [await started({ seed, onCall: (call) => calls.push(call) }), await started()]
    expect(first.port).not.toBe(second.port)
    expect((await ask(first, 'GET', hosting, await tokenOf(first))).status).toBe(200)
    expect(calls).toMatchObject([{ identity, verdict: 'allow', operation: '/v1/hosting/web/{serviceName}' }])
    expect(calls.map(({ method, actions, status }) => [method, actions.map(({ action }) => action), status])).toEqual([
      ['GET', ['webHosting:apisvc:get'], 200],
    ])
  })

  test('ends where the block ends that it is declared in, and again is the same end', async () => {
    const emulator = await started({ seed })
    const end = emulator[Symbol.asyncDispose]()
    expect(emulator.close()).toBe(end)
    await end
    await expect(ask(emulator, 'GET', hosting)).rejects.toThrow('ECONNREFUSED')
  })

  test.each<[string, EmulatorOptions, string]>([
    ['an address', { clientIp: '1.2.3' }, '--client-ip `1.2.3`: expected an IP address\n  help: '],
    ['a seed', { seed: { ...seed, policies: [{ name: 1 }] } }, 'seed document 1:5:15: error shape: expected a text'],
    ['a seed that is not there', { seed: 'missing.yaml' }, 'missing.yaml: no such file or folder\nthe seed has errors: nothing is served'],
    ['a clock', { clock: 'noon' }, '--clock `noon` is neither'],
  ])('rejects %s that is wrong, and says why', async (_, options, said) => {
    await expect(started(options)).rejects.toThrow(said)
  })

  test('begins again with the seed on reset: same secrets, no tokens, no leftover task', async () => {
    const emulator = await started({ seed, clock: '2026-01-15T10:00:00Z' })
    const token = await tokenOf(emulator)
    const change = JSON.stringify({ targetSpec: { offers: ['weekly'] } })
    expect((await ask(emulator, 'PUT', backup, { ...token, ...json }, change)).status).toBe(200)
    emulator.reset()
    expect((await ask(emulator, 'GET', hosting, token)).status).toBe(401)
    const again = await tokenOf(emulator)
    expect((await ask(emulator, 'GET', hosting, again)).status).toBe(200)
    expect((await ask(emulator, 'GET', backup, again)).body).toMatchObject({ targetSpec: { offers: ['daily'] }, resourceStatus: 'READY' })
    expect((await ask(emulator, 'PUT', backup, { ...again, ...json }, change)).body).toMatchObject({ resourceStatus: 'UPDATING' })
    emulator.advance(2000)
    expect((await ask(emulator, 'GET', backup, again)).body).toMatchObject({
      resourceStatus: 'READY',
      currentState: { offers: ['weekly'] },
    })
    emulator.advance(3_600_000)
    expect((await ask(emulator, 'GET', backup, again)).status).toBe(401)
    expect(() => emulator.advance(-1)).toThrow(RangeError)
  })

  test('what it exports it begins with again, for any reader', async () => {
    const emulator = await started({ seed })
    const token = await tokenOf(emulator)
    const writer = await signed(
      emulator,
      'X-Service',
      ['applicationkey00', 'the secret of the application', 'consumerkey0'],
      '/eu/v2/iam/policy',
    )
    expect(writer.status).toBe(200)
    await ask(emulator, 'PUT', backup, { ...token, ...json }, JSON.stringify({ targetSpec: { offers: ['weekly'] } }))
    emulator.advance(60_000)
    const first = emulator.export()
    const copy = await started({ seed: JSON.parse(JSON.stringify(first)) })
    expect(copy.export()).toEqual(first)
    const again = await tokenOf(copy)
    expect((await ask(copy, 'GET', hosting, again)).status).toBe(200)
    expect((await ask(copy, 'GET', backup, again)).body).toMatchObject({ currentState: { offers: ['weekly'] } })
    const keys = ['applicationkey00', 'the secret of the application', 'consumerkey0'] as const
    expect((await signed(copy, 'X-Service', keys, '/eu/v2/iam/policy')).status).toBe(200)
    expect(JSON.stringify(first)).not.toContain(client.secret)
  })

  test('demonstration credentials are there where they are asked for, and nowhere else', async () => {
    const demo = (await started({ demoCredentials: true })) as Emulator
    const known = demo.demonstration
    if (!known) throw new Error('no demonstration credentials')
    const { clientId, clientSecret, applicationKey, applicationSecret, consumerKey } = known
    expect(demo.serviceAccounts).toMatchObject([{ clientId, clientSecret }])
    expect((await ask(demo, 'GET', hosting, await tokenOf(demo, clientId, clientSecret))).status).toBe(403)
    const keys = [applicationKey, applicationSecret, consumerKey] as const
    expect((await signed(demo, 'X-Service', keys, hosting)).status).toBe(200)
    const plain = await started()
    expect((await signed(plain, 'X-Service', keys, hosting)).body).toMatchObject({ errorCode: 'INVALID_KEY' })
    expect((await ask(plain, 'GET', hosting, await tokenOf(plain, clientId, clientSecret))).status).toBe(401)
  })

  test('a policy may name the service account for demonstrations, whose secret stays the published one', async () => {
    const identity = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-EU.demonstration'
    const named = { name: 'demo', identities: [identity], resources: [{ urn: 'urn:v1:eu:resource:webHosting:*' }] }
    const policy = { ...named, permissions: { allow: [{ action: 'webHosting:apisvc:get' }] } }
    const demo = await started({ demoCredentials: true, seed: policy })
    const { clientId, clientSecret } = demo.demonstration ?? ({} as never)
    expect(demo.serviceAccounts).toMatchObject([{ clientId, clientSecret }])
    expect((await ask(demo, 'GET', hosting, await tokenOf(demo, clientId, clientSecret))).status).toBe(200)
  })

  test('headers of signed calls have the word of the brand, or one of their own', async () => {
    const demo = { demoCredentials: true, brand: 'acme' }
    for (const [options, prefix] of [
      [demo, 'X-Acme'],
      [{ ...demo, headerPrefix: 'Other' }, 'X-Other'],
    ] as const) {
      const emulator = await started(options)
      const { applicationKey, applicationSecret, consumerKey } = emulator.demonstration ?? ({} as never)
      const keys = [applicationKey, applicationSecret, consumerKey] as const
      expect((await signed(emulator, prefix, keys, hosting)).status).toBe(200)
      expect((await signed(emulator, 'X-Service', keys, hosting)).status).toBe(401)
      const wrong = await signed(emulator, prefix, [applicationKey, 'wrong', consumerKey], hosting)
      expect(JSON.stringify(wrong.body)).toContain(`${prefix}-Signature`)
    }
  })
})

describe('the routes of the emulator itself', () => {
  let emulator: Emulator
  beforeAll(async () => {
    emulator = await startEmulator({ config: false, seed })
  })
  afterAll(() => emulator.close())
  const send = (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) =>
    ask(emulator, method, path, { ...(body !== undefined && json), ...headers }, body === undefined ? '' : JSON.stringify(body))

  test('/health says that it is up, to anybody on this machine', async () => {
    expect(await send('GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok', accounts: 1, policies: 1 } })
    expect((await send('GET', '/health', { 'x-forwarded-for': '192.0.2.1' })).status).toBe(200)
    expect((await send('HEAD', '/health')).text).toBe('')
    expect((await send('POST', '/health')).status).toBe(405)
    expect((await send('GET', '/health', { host: 'evil.example' })).status).toBe(421)
  })

  test('what is under the reserved path is listed, and nothing else is there', async () => {
    const { body } = await send('GET', '/_emulator')
    const listed = (body.routes as { method: string; path: string }[]).map(({ method, path }) => `${method} ${path}`)
    expect(listed).toContain('POST /_emulator/reset')
    expect((await send('GET', '/_emulator/reset')).headers.allow).toBe('POST')
    expect((await send('GET', '/_emulator/other')).status).toBe(404)
    expect((await send('GET', '/_emulatorx')).status).toBe(404)
  })

  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
    ['a page of another site in an old browser', { origin: 'https://evil.example' }, 403],
    ['a picture on another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['another name of this machine', { host: 'evil.example' }, 421],
    ['somebody behind a proxy', { 'x-forwarded-for': '192.0.2.1' }, 401],
    ['somebody with a wrong token behind a proxy', { forwarded: 'for=192.0.2.1', authorization: 'Bearer x' }, 401],
  ])('%s may not reset or read the state', async (_, headers, status) => {
    expect((await send('POST', '/_emulator/reset', headers)).status).toBe(status)
    const answer = await send('GET', '/_emulator/export', headers)
    expect([answer.status, answer.text.includes('the secret of the application')]).toEqual([status, false])
  })

  test('reset and export do what they do in a program', async () => {
    const token = await tokenOf(emulator)
    expect((await send('POST', '/_emulator/reset')).status).toBe(200)
    expect((await send('GET', hosting, token)).status).toBe(401)
    expect((await send('GET', '/_emulator/export')).body).toEqual(JSON.parse(JSON.stringify(emulator.export())))
  })

  test('an OpenAPI document lists every operation, with its parameters and the actions that it needs', async () => {
    const { status, body } = await send('GET', '/_emulator/openapi.json')
    const document = body as { openapi: string; servers: { url: string }[]; paths: Record<string, Record<string, { operationId: string }>> }
    expect([status, document.openapi]).toEqual([200, '3.1.0'])
    expect(document.servers.map(({ url }) => url)).toEqual([emulator.regions.eu.url, emulator.regions.ca.url])
    expect(document.paths['/v1/hosting/web/{serviceName}']?.get).toMatchObject({
      'x-iam-actions': [{ name: 'webHosting:apisvc:get', required: true }],
    })
    const ids: string[] = []
    const shapes = new Set<string>()
    for (const [path, { parameters = [], ...methods }] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
      expect([path, (parameters as unknown as { name: string }[]).map(({ name }) => name)]).toEqual([path, inPath])
      expect(new Set(inPath).size).toBe(inPath.length)
      shapes.add(path.replace(/\{[^}]*\}/g, '{}'))
      ids.push(...Object.values(methods).map(({ operationId }) => operationId))
    }
    // Of the operations of the catalogue none is lost, and the token endpoint is there.
    expect(ids.length).toBe(loadOperations(defaultSettings.brand).length + 1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(shapes.size).toBe(Object.keys(document.paths).length)
  })

  test('the OpenAPI document describes what the emulator implements, and links lead to its operations', async () => {
    interface Described {
      readonly operationId: string
      readonly 'x-emulated'?: true
      readonly requestBody?: unknown
      readonly responses: Record<string, { links?: Record<string, { operationId: string }> }>
    }
    const { body } = await send('GET', '/_emulator/openapi.json')
    const { paths } = body as { paths: Record<string, Record<string, Described>> }
    const operations = Object.entries(paths).flatMap(([path, { parameters: _, ...methods }]) =>
      Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, ...operation })),
    )
    const catalogue = loadOperations(defaultSettings.brand)
    const implemented = new Set([...serviceRoutes, ...assetRoutes(catalogue)].map(({ method, path }) => `${method} ${path}`))
    const listed = new Set(catalogue.map(({ method, branch, path }) => `${method} /${branch}${path}`))
    const emulated = operations.filter((operation) => operation['x-emulated'])
    expect(emulated.map(({ call }) => call).sort()).toEqual([...implemented].filter((call) => listed.has(call)).sort())
    const ids = new Set(operations.map(({ operationId }) => operationId))
    const links = operations.flatMap(({ responses }) => Object.values(responses).flatMap(({ links = {} }) => Object.values(links)))
    expect(links).not.toEqual([])
    for (const { operationId } of links) expect(ids).toContain(operationId)
  })

  test.each(['TRACE', 'PROPFIND'])('`%s` is no method of any path: 405 with the methods that it has, to everybody', async (method) => {
    const { status, headers } = await send(method, hosting)
    expect([status, headers.allow]).toEqual([405, 'GET, PUT'])
    expect((await send(method, '/eu/v1/no/such/path')).status).toBe(404)
  })

  test('the clock is set and moved', async () => {
    expect((await send('PUT', '/_emulator/clock', {}, { at: '2030-01-01T00:00:00Z' })).body).toEqual({
      now: '2030-01-01T00:00:00.000Z',
      standing: true,
    })
    expect((await send('POST', '/_emulator/clock/advance', {}, { seconds: 90 })).body).toMatchObject({ now: '2030-01-01T00:01:30.000Z' })
    expect((await send('GET', '/eu/1.0/auth/time')).text).toBe(String(Date.UTC(2030, 0, 1, 0, 1, 30) / 1000))
    expect((await send('PUT', '/_emulator/clock', {}, { offset: 0 })).body).toMatchObject({ standing: false })
    for (const body of [{}, { at: 'noon' }, { offset: '1' }, { at: '2030-01-01T00:00:00Z', offset: 1 }, { other: 1 }, []])
      expect((await send('PUT', '/_emulator/clock', {}, body)).status).toBe(400)
    for (const body of [{}, { seconds: -1 }, { seconds: 1e300 }, { seconds: 1, at: 1 }])
      expect((await send('POST', '/_emulator/clock/advance', {}, body)).status).toBe(400)
    expect((await ask(emulator, 'PUT', '/_emulator/clock', json, '{')).status).toBe(400)
  })

  test('the calls that were made are listed and found, with what decided them, and forgotten', async () => {
    await send('DELETE', '/_emulator/requests')
    const token = await tokenOf(emulator)
    const statuses = [
      (await send('GET', hosting, token)).status,
      (await send('DELETE', hosting, token)).status,
      (await send('GET', hosting)).status,
    ]
    const { body } = await send('GET', '/_emulator/requests')
    const requests = body.requests as Record<string, unknown>[]
    const own = requests.filter(({ path }) => (path as string).includes('/hosting/'))
    expect(own.map(({ method, status }) => [method, status])).toEqual([
      ['GET', statuses[0]],
      ['DELETE', statuses[1]],
      ['GET', statuses[2]],
    ])
    expect(own[0]).toMatchObject({
      verdict: 'allow',
      actions: [{ required: true, verdict: 'allow', reason: 'granted', clauses: [{ list: 'allow' }] }],
    })
    expect(own[2]).toMatchObject({ status: 401, verdict: null, identity: null, why: expect.any(String) })
    expect(body).toMatchObject({ count: requests.length, forgotten: 0 })
    const find = async (search: object) => (await send('POST', '/_emulator/requests/find', {}, search)).body
    const path = String(own[0]?.path).replace(/[^/]*$/, '{serviceName}')
    expect(await find({ method: 'GET', path, verdict: 'allow' })).toMatchObject({ count: 1, requests: [own[0]] })
    expect(await find({ method: 'GET', path, verdict: null })).toMatchObject({ count: 1, requests: [own[2]] })
    expect(await find({ identity: own[0]?.identity, action: 'webHosting:apisvc:get' })).toMatchObject({ count: 1 })
    expect(await find({ status: 599 })).toMatchObject({ count: 0, requests: [] })
    for (const search of [
      [],
      { methods: 'GET' },
      { method: 'get' },
      { path: 'v1' },
      { path: '/vps/*' },
      { path: '/v1/vps?a=b' },
      { status: '403' },
      { verdict: 'no' },
      { identity: 'ann' },
    ])
      expect((await send('POST', '/_emulator/requests/find', {}, search)).status).toBe(400)
    expect((await send('DELETE', '/_emulator/requests')).body).toEqual({ count: 0, forgotten: 0, requests: [] })
    for (let i = 0; i < 203; i++) await send('GET', hosting)
    expect((await send('GET', '/_emulator/requests')).body).toMatchObject({ count: 200, forgotten: 3 })
  })

  test('a body with two equal keys is refused, and changes nothing', async () => {
    const before = (await send('GET', '/_emulator/faults')).body
    const twice = '{"faults": [], "faults": [{"status": 500}]}'
    const inside = '{"faults": [{"status": 500, "status": 404}]}'
    for (const body of [twice, inside]) {
      const reply = await ask(emulator, 'PUT', '/_emulator/faults', json, body)
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('twice')])
    }
    expect((await send('GET', '/_emulator/faults')).body).toEqual(before)
  })
})

test('the documentation lists every route of this kind', async () => {
  const { controlRoutes } = await import('../../src/emulator/control/control.ts')
  const text = readFileSync(new URL('../../docs/service.md', import.meta.url), 'utf8')
  const names = controlRoutes.map(({ method, path }) => `\`${method} /_emulator${path}\``)
  expect(names.filter((name) => !text.includes(name))).toEqual([])
})

test('the package has it under a name of its own, and the library alone loads no server', () => {
  const root = new URL('../..', import.meta.url).pathname
  const program = `
    const { startEmulator } = await import('grantwise/emulator')
    const emulator = await startEmulator({ config: false, demoCredentials: true })
    const { status } = await (await fetch(emulator.url + '/health')).json()
    await emulator.close()
    console.log(status)`
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: root, encoding: 'utf8' })).toBe('ok\n')
  const servers = (name: string) => {
    const text = `await import('${name}'); console.log(process.moduleLoadList.filter((each) => /NativeModule (http|net)$/.test(each)).length)`
    return Number(execFileSync(process.execPath, ['--input-type=module', '-e', text], { cwd: root, encoding: 'utf8' }))
  }
  expect([servers('grantwise'), servers('grantwise/emulator')]).toEqual([0, 2])
})
