import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pageHeaders } from '../../src/emulator/api/pagination.ts'
import { hostRegions, type Reply } from '../../src/emulator/model/exchange.ts'
import { assetVersions, setSchemasVersion } from '../../src/emulator/model/schemas.ts'
import { documentRows, notShownRows } from '../support/document.ts'
import { type TestService, testAccount, testClient, testIdentity, testService } from '../support/service.ts'

/**
 * The document of record, row by row: what no other test of the emulator checks is checked here, and docs/service.md is held
 * to the list of rows.
 */

const site = 'urn:v1:eu:resource:webHosting:example.org'
const hosting = '/v1/hosting/web/example.org'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const grant = { grant_type: 'client_credentials', client_id: testClient.id, client_secret: testClient.secret, scope: 'all' }
const isInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const fields = ({ body }: Reply) => body as Readonly<Record<string, unknown>>
const items = ({ body }: Reply) => body as readonly Readonly<Record<string, unknown>>[]

function askToken({ send }: TestService, change: Readonly<Record<string, string | undefined>> = {}, region: 'eu' | 'ca' = 'eu'): Reply {
  const given = Object.entries({ ...grant, ...change }).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return send('POST', '/auth/oauth2/token', { region, headers: form, body: new URLSearchParams(given).toString() })
}

/** An emulator whose service account may do all there is to do in the account, and a resource with a target state. */
function full(): TestService {
  const at = '2026-01-01T00:00:00.000Z'
  const path = '/v2/vmwareCloudDirector/backup/b1'
  const tested = testService({
    state: [
      { kind: 'inventory', key: site, value: { urn: site, owner: testAccount, tags: {} } },
      {
        kind: 'asset',
        key: `eu ${path}`,
        value: {
          path,
          region: 'eu',
          account: testAccount,
          urn: 'urn:v1:eu:resource:vmwareCloudDirectorBackup:b1',
          currentState: { size: 1 },
          targetSpec: { size: 1 },
          createdAt: at,
          updatedAt: at,
          tasks: 0,
          events: 0,
          waiting: [],
        },
      },
    ],
  })
  tested.allow(['*'])
  return tested
}
const backup = '/v2/vmwareCloudDirector/backup/b1'
const settled = 60_000

describe('what the service does', () => {
  test('what the service does, 1 and 2; versioning, 1: both branches in one program with one token, and `/1.0` is `/v1`', () => {
    const { call } = full()
    const { judged: _, ...first } = call('GET', '/1.0/hosting/web/example.org')
    expect(first.status).toBe(200)
    expect(call('GET', hosting)).toMatchObject(first)
    expect(call('GET', '/v2/iam/policy').status).toBe(200)
    // The other branch need not have what one has.
    expect(call('GET', '/v1/iam/policy').status).toBe(404)
    expect(call('GET', '/v2/hosting/web/example.org').status).toBe(404)
  })
  test('what the service does, 5: a change is answered before it is reached; the rest is done in a task and reported in events', () => {
    const { call, clock } = full()
    const changed = call('PUT', backup, { body: { targetSpec: { size: 2 } } })
    expect(changed).toMatchObject({ status: 200, body: { currentState: { size: 1 }, targetSpec: { size: 2 } } })
    expect(items(call('GET', `${backup}/task`))).toMatchObject([{ status: 'PENDING' }])
    clock.advance(settled)
    expect(call('GET', backup).body).toMatchObject({ currentState: { size: 2 }, targetSpec: { size: 2 }, currentTasks: [] })
    expect(items(call('GET', `${backup}/task`))).toMatchObject([{ status: 'DONE' }])
  })
  test('what the service does, 6: two ways to obtain access; the third, scheme C, is not shown and answers 501', () => {
    const tested = testService()
    expect(askToken(tested).status).toBe(200)
    expect(tested.send('POST', '/v1/auth/credential', { body: {} })).toMatchObject({ status: 403, body: { errorCode: 'INVALID_KEY' } })
    for (const method of ['GET', 'POST'])
      expect(tested.send(method, '/auth/oauth2/authorize')).toMatchObject({
        status: 501,
        origin: 'stand-in',
        body: { class: 'StandIn::NotShown' },
      })
    expect(askToken(tested, { grant_type: 'authorization_code' })).toMatchObject({ status: 400, body: { error: 'unsupported_grant_type' } })
  })
  test('what the service does, 7: rights come from policies that name the identity, the resource and the action, all three', () => {
    const policy = { identity: testIdentity, resource: site, action: 'webHosting:apisvc:get' }
    const statusWith = (change: Partial<typeof policy>) => {
      const { identity, resource, action } = { ...policy, ...change }
      const written = { name: 'p', identities: [identity], resources: [{ urn: resource }], permissions: { allow: [{ action }] } }
      const value = { id: 'p', account: testAccount, written, readOnly: false, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null }
      return testService({ state: [{ kind: 'policy', key: 'p', value }] }).call('GET', hosting).status
    }
    expect(statusWith({})).toBe(200)
    expect(statusWith({ identity: `${testIdentity}0` })).toBe(403)
    expect(statusWith({ resource: `${site}.net` })).toBe(403)
    expect(statusWith({ action: 'webHosting:apisvc:edit' })).toBe(403)
  })
})

describe('records', () => {
  test('service account: the identity URN, `client_id` and `client_secret`', () => {
    const tested = testService()
    expect(testIdentity).toMatch(/^urn:v1:eu:identity:credential:ab12-svc\/oauth2-/)
    expect(askToken(tested).status).toBe(200)
    expect(askToken(tested, { client_secret: `${testClient.secret}.` })).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(askToken(tested, { client_id: `${testClient.id}.` })).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  })
  test('action names: `<product>:api<svc>:<verb>`, and `*` for a set of actions', () => {
    const statusOf = (action: string, method: string, path: string) => {
      const tested = testService()
      tested.allow([action])
      return tested.call(method, path).status
    }
    expect(statusOf('webHosting:apisvc:get', 'GET', hosting)).toBe(200)
    expect(statusOf('webHosting:*', 'GET', hosting)).toBe(200)
    expect(statusOf('webHosting:*', 'POST', `${hosting}/terminate`)).toBe(200)
    expect(statusOf('webHosting:apisvc:get', 'POST', `${hosting}/terminate`)).toBe(403)
    expect(statusOf('webHosting:*', 'GET', '/v1/vps/vps-1')).toBe(403)
  })
  test('token response: `access_token`, `token_type`, `expires_in` and `scope`', () => {
    const answer = askToken(testService())
    expect(answer).toMatchObject({ status: 200, origin: 'document', headers: { 'cache-control': 'no-store' } })
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3599,
      scope: 'all',
    })
  })
})

describe('the token endpoint', () => {
  test('regional hosts: a service account and its token are used with the host of their region', () => {
    const tested = testService()
    tested.allow(['webHosting:*'])
    expect(askToken(tested, {}, 'ca')).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect(tested.call('GET', hosting).status).toBe(200)
    expect(tested.call('GET', hosting, { region: 'ca' }).status).toBe(401)
    expect(hostRegions).toEqual(['eu', 'ca'])
  })
  test('token lifetime: a token holds until `expires_in` seconds have passed, and no longer', () => {
    const tested = testService()
    tested.allow(['webHosting:*'])
    const { access_token: token, expires_in: seconds } = fields(askToken(tested))
    const status = () => tested.send('GET', hosting, { headers: { authorization: `Bearer ${token}` } }).status
    tested.clock.advance(Number(seconds) * 1000 - 1)
    expect(status()).toBe(200)
    tested.clock.advance(1)
    expect(status()).toBe(401)
  })
})

test('GET /v1/hosting/web/{serviceName}: needs `webHosting:api<svc>:get` on that hosting; its body holds nothing invented', () => {
  const { call, allow } = testService()
  expect(call('GET', hosting)).toMatchObject({
    status: 403,
    body: { details: { unauthorizedActionsByIAM: 'webHosting:apisvc:get', standIn: { gate: 'policies', refused: [{ resource: site }] } } },
  })
  allow(['webHosting:apisvc:get'], [site])
  expect(call('GET', hosting, { headers: { accept: 'application/json' } })).toMatchObject({ status: 200, origin: 'public' })
  expect(call('GET', hosting).body).toEqual({ serviceName: 'example.org' })
  expect(call('GET', '/v1/hosting/web/other.example.org').status).toBe(403)
})

describe('schemes', () => {
  test('scheme A, 1 to 5: a policy, a token, a call in either branch, rights checked per call', () => {
    const tested = full()
    // 1: rights are granted by a policy that is created through the API itself.
    const name = 'web readers'
    const policy = {
      name,
      description: '',
      identities: [testIdentity],
      resources: [{ urn: site }],
      permissions: { allow: [{ action: 'vps:apisvc:get' }] },
    }
    expect(tested.call('POST', '/v2/iam/policy', { body: policy }).status).toBe(200)
    // 2 and 3: a token, sent in the header.
    const { access_token: token } = fields(askToken(tested))
    const send = (path: string, authorization: string | undefined) =>
      tested.send('GET', path, authorization === undefined ? {} : { headers: { authorization } })
    expect(send(hosting, `Bearer ${token}`).status).toBe(200)
    for (const wrong of [undefined, `Bearer ${token}x`, `Basic ${token}`, `${token}`, 'Bearer '])
      expect(send(hosting, wrong)).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringMatching(/^Bearer/) } })
    expect(send(`${hosting}?access_token=${token}`, undefined).status).toBe(401)
    // 5: both branches.
    expect(send('/v2/iam/policy', `Bearer ${token}`).status).toBe(200)
    // 4: per call, with the policies as they are then.
    for (const { id } of items(tested.call('GET', '/v2/iam/policy'))) tested.service.state.commit([{ kind: 'policy', key: String(id) }])
    expect(send(hosting, `Bearer ${token}`).status).toBe(403)
  })

  test('scheme B, 1 to 5: registered, asked for, accepted on the page, redirected, and calls inside the access rules', () => {
    const tested = testService()
    const { send, clock } = tested
    const page = (method: string, path: string, fields?: Readonly<Record<string, string>>) =>
      send(method, path, fields ? { headers: form, body: new URLSearchParams(fields).toString() } : {})
    const inPage = (reply: Reply, pattern: RegExp) => pattern.exec(reply.html ?? '')?.[1] ?? ''
    const tokenOf = (reply: Reply) => inPage(reply, /name="form_token" value="([^"]*)"/)

    const registered = page('POST', '/createApp', {
      form_token: tokenOf(page('GET', '/createApp')),
      name: 'Shop',
      description: 'Shows your hostings',
      account: testAccount,
    })
    const key = inPage(registered, /id="application-key"[^>]*>([^<]+)</)
    const secret = inPage(registered, /id="application-secret"[^>]*>([^<]+)</)
    const asked = send('POST', '/1.0/auth/credential', {
      headers: { 'x-service-application': key },
      body: { redirection: 'https://shop.example/done', accessRules: [{ method: 'GET', path: '/vps*' }] },
    })
    expect(asked).toMatchObject({ status: 200, origin: 'document', body: { state: 'pendingValidation' } })
    const { consumerKey, validationUrl } = fields(asked) as { consumerKey: string; validationUrl: string }
    const { pathname, search, searchParams } = new URL(validationUrl)
    const at = pathname.replace(/^\/eu/, '')
    const accepted = page('POST', at, {
      form_token: tokenOf(page('GET', at + search)),
      token: searchParams.get('token') ?? '',
      identity: `urn:v1:eu:identity:account:${testAccount}`,
      answer: 'accept',
    })
    expect(accepted).toMatchObject({ status: 303, headers: { location: 'https://shop.example/done' } })
    const signed = (method: string, path: string) => {
      const timestamp = String(Math.floor(clock.now() / 1000))
      const text = [secret, consumerKey, method, `http://localhost/eu${path}`, '', timestamp].join('+')
      return send(method, path, {
        headers: {
          'x-service-application': key,
          'x-service-consumer': consumerKey,
          'x-service-timestamp': timestamp,
          'x-service-signature': `$1$${createHash('sha1').update(text).digest('hex')}`,
        },
      })
    }
    expect(signed('GET', '/1.0/vps/vps-1').status).toBe(200)
    expect(signed('GET', '/1.0/hosting/web/example.org')).toMatchObject({
      status: 403,
      body: { message: 'This call has not been granted' },
    })
    expect(signed('POST', '/1.0/vps/vps-1/reboot').status).toBe(403)
  })
})

describe('events', () => {
  test('events, 1 to 4: a change of the target, the start and the end of its task, each with its type, and no other type', () => {
    const { call, clock } = full()
    for (const size of [2, 3]) call('PUT', backup, { body: { targetSpec: { size } } })
    clock.advance(settled)
    const events = items(call('GET', `${backup}/event`))
    const types = events.map(({ type }) => type)
    expect(types.toSorted()).toEqual(['TargetSpecUpdate', 'TargetSpecUpdate', 'TaskStart', 'TaskStart', 'TaskSuccess', 'TaskSuccess'])
    for (const { createdAt, message } of events) {
      expect(createdAt).toMatch(isInstant)
      expect(message).toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)
    }
    expect(events.map(({ createdAt }) => createdAt)).toEqual(events.map(({ createdAt }) => createdAt).toSorted())
  })
})

describe('errors', () => {
  test('errors: 403 with `class` `Client::Forbidden` and a `message`, for a call whose action no policy allows', () => {
    const { call } = testService()
    for (const [method, path, action] of [
      ['GET', hosting, 'webHosting:apisvc:get'],
      ['GET', '/v2/iam/policy', 'account:apisvc:iam/policy/get'],
      ['POST', '/v1/vps/vps-1/reboot', 'vps:apisvc:reboot'],
    ] as const)
      expect(call(method, path)).toMatchObject({
        status: 403,
        origin: 'document',
        body: { class: 'Client::Forbidden', message: 'User not granted for this request', details: { unauthorizedActionsByIAM: action } },
      })
  })
  test('other error classes and status codes: each answer with an error has a class of its status, a message, and a label', () => {
    const tested = full()
    const { call, send } = tested
    call('PUT', backup, { body: { targetSpec: { size: 2 } } })
    const replies: readonly (readonly [status: number, name: string, reply: Reply])[] = [
      [400, 'Client::BadRequest', call('POST', '/v2/iam/policy', { body: [] })],
      [400, 'Client::BadRequest', call('GET', '/v2/iam/policy', { headers: { 'x-schemas-version': '99' } })],
      [400, 'Client::BadRequest', call('GET', '/v1/hosting/web/%')],
      [401, 'Client::Unauthorized', send('GET', hosting)],
      [404, 'Client::NotFound', call('GET', '/v2/iam/policy/none')],
      [404, 'Client::NotFound', call('GET', '/v1/nothing/of/the/kind')],
      [405, 'Client::MethodNotAllowed', call('PATCH', '/v2/iam/policy')],
      [409, 'Client::Conflict', call('PUT', backup, { body: { targetSpec: {}, checksum: 'old' } })],
      [415, 'Client::UnsupportedMediaType', call('POST', '/v2/iam/policy', { headers: { 'content-type': 'text/plain' }, body: '{}' })],
      [501, 'StandIn::NotShown', call('GET', '/v2/iam/resource?tags.a=b')],
    ]
    for (const [status, name, reply] of replies) {
      expect(reply).toMatchObject({ status, body: { class: name, message: expect.stringMatching(/\S/) } })
      expect(reply.origin).not.toBe('document')
    }
  })
  test('rate limits: none are shown, and none are kept', () => {
    const { call } = full()
    const replies = Array.from({ length: 500 }, () => call('GET', hosting))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(Object.keys(replies[0]?.headers ?? {}).filter((name) => /rate|retry/i.test(name))).toEqual([])
  })
})

describe('pagination', () => {
  const policies = (count: number) => {
    const tested = full()
    const body = { identities: [testIdentity], resources: [{ urn: site }], permissions: { allow: [{ action: 'vps:apisvc:get' }] } }
    for (let i = 1; i < count; i++) expect(tested.call('POST', '/v2/iam/policy', { body: { ...body, name: `p${i}` } }).status).toBe(200)
    return tested
  }
  const pages = ({ call }: TestService, path: string, size: number) => {
    const out: (readonly unknown[])[] = []
    let cursor: string | undefined
    do {
      const reply = call('GET', path, {
        headers: { 'x-pagination-size': String(size), ...(cursor !== undefined && { 'x-pagination-cursor': cursor }) },
      })
      expect(reply.status).toBe(200)
      out.push(items(reply))
      cursor = reply.headers?.[pageHeaders.next]
      expect(out.length, 'the pages end').toBeLessThan(200)
    } while (cursor !== undefined)
    return out
  }
  test.each([1, 2, 3, 4, 5, 7])(
    'pagination rules, 1 to 5: by size and cursor in headers each record once, and without a next cursor all were given (size %i)',
    (size) => {
      const tested = policies(6)
      const found = pages(tested, '/v2/iam/policy', size)
      // Rule 5, and rule 3 for a last page that is full: no cursor leads to an empty page.
      expect(found.map(({ length }) => length)).toEqual(Array.from({ length: Math.ceil(6 / size) }, (_, i) => Math.min(size, 6 - i * size)))
      const ids = found.flat().map((each) => (each as { id: string }).id)
      expect(new Set(ids).size).toBe(6)
      expect(found.flat()).toEqual(tested.call('GET', '/v2/iam/policy').body)
    },
  )
  test('pagination rules hold for every list of the second branch that the emulator keeps', () => {
    const tested = policies(2)
    tested.call('PUT', backup, { body: { targetSpec: { size: 2 } } })
    tested.call('PUT', backup, { body: { targetSpec: { size: 3 } } })
    tested.clock.advance(settled)
    const lists = [
      '/v2/iam/policy',
      '/v2/iam/resource',
      '/v2/iam/permissionsGroup',
      '/v2/iam/resourceGroup',
      '/v2/iam/reference/resource/type',
    ]
    for (const list of [...lists, '/v2/vmwareCloudDirector/backup', `${backup}/task`, `${backup}/event`]) {
      const whole = tested.call('GET', list, { headers: { 'x-pagination-size': '1000' } })
      expect(whole.headers, list).not.toHaveProperty(pageHeaders.next)
      expect(pages(tested, list, 2).flat(), list).toEqual(whole.body)
    }
    expect(items(tested.call('GET', `${backup}/event`)).length).toBe(6)
  })
})

describe('versioning', () => {
  test('versioning, 7 and 9: a call that names a version keeps it when the account is switched to another', () => {
    const { call, service } = full()
    const pinned = (major: string) => call('GET', backup, { headers: { 'x-schemas-version': major } })
    const [first, second] = [pinned('1'), pinned('2')]
    expect(call('GET', backup)).toEqual(first)
    expect(setSchemasVersion(service, testAccount, '2')).toBeUndefined()
    expect(call('GET', backup)).toEqual(second)
    expect(pinned('1')).toEqual(first)
    expect(setSchemasVersion(service, testAccount, '3')).toContain('not served')
    expect(call('GET', backup)).toEqual(second)
  })
  test('versioning, 6: what names no major version is refused, and nothing is done', () => {
    const { call } = full()
    for (const version of ['0', '1.0', '1.1', 'v1', '-1', '', ' ', '1, 2', '9'.repeat(300)])
      expect(call('PUT', backup, { headers: { 'x-schemas-version': version }, body: { targetSpec: { size: 9 } } })).toMatchObject({
        status: 400,
        body: { class: 'Client::BadRequest', details: { versions: [1, 2] } },
      })
    expect(call('GET', backup).body).toMatchObject({ targetSpec: { size: 1 } })
  })
})

describe('docs/service.md', () => {
  const folder = new URL('../../', import.meta.url)
  const text = readFileSync(new URL('docs/service.md', folder), 'utf8')
  /** The rows of the table under a heading, by cells. A bar in a cell is written `\|`. */
  const tableUnder = (heading: string) => {
    const part = text.split(/^## /m).find((each) => each.startsWith(heading)) ?? ''
    const rows = part.split('\n').filter((line) => line.startsWith('| '))
    return rows.slice(1).map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    )
  }
  const held = tableUnder('Row by row')
  const open = tableUnder('What the document does not show')

  test('has rows of the document only, in its order', () => {
    const rows = held.map(([row]) => row)
    expect(rows.length).toBeGreaterThan(20)
    expect(rows).toEqual(Object.keys(documentRows).filter((row) => rows.includes(row)))
    for (const [row, does] of held) expect(does, row).toMatch(/\w/)
  })
  test('each row has a test that names it', () => {
    for (const [row, tests] of Object.entries(documentRows)) {
      expect(tests.length, row).toBeGreaterThan(0)
      for (const each of tests) {
        const [, file = '', title = ''] = /^(.+?): (.+)$/.exec(each) ?? []
        expect(titlesIn(readFileSync(new URL(`test/${file}.test.ts`, folder), 'utf8')), row).toContain(title)
      }
    }
  })
  test('versioning, 3: shows the changelog of every version', () => {
    expect(tableUnder('Schema versions')).toEqual(assetVersions.map(({ major, minor, changelog }) => [`${major}.${minor}`, changelog]))
  })
  test('says of everything that is not shown what the emulator does, and where that comes from', () => {
    expect(open.map(([row]) => row)).toEqual([...notShownRows])
    for (const [row, does, origin] of open) {
      expect(does, row).toMatch(/\w/)
      expect(origin, row).toMatch(/^(`(public|inferred|stand-in)`|501)(, (`(public|inferred|stand-in)`|501))*$/)
    }
  })

  /** The beginnings of the titles of tests in a source: all that a row may name. */
  function titlesIn(source: string): string {
    return [...source.matchAll(/^\s*(?:test|describe)(?:\.each\([^)]*\))?\(\s*'((?:[^'\\]|\\.)*)'/gm)].map(([, title]) => title).join('\n')
  }
  test('looks for titles in tests that are there', () => {
    const files = readdirSync(new URL('test/emulator/', folder)).filter((name) => name.endsWith('.test.ts'))
    for (const file of files) expect(titlesIn(readFileSync(new URL(`test/emulator/${file}`, folder), 'utf8')), file).not.toBe('')
  })
})
