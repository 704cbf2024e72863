import { spawn } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../support/http.ts'
import { until } from '../support/patience.ts'
import { binary } from '../support/scenario.ts'
import { endAll, type Running, serving, servingWithin } from '../support/serving.ts'

const client = { id: 'EU.0123456789abcdef', secret: 'a secret of the tests' }
const identity = `urn:v1:eu:identity:credential:ab12-svc/oauth2-${client.id}`
const policy = {
  name: 'web readers',
  identities: [identity],
  resources: [{ urn: 'urn:v1:eu:resource:webHosting:*' }],
  permissions: { allow: [{ action: 'webHosting:apisvc:get' }] },
}
const writers = {
  name: 'policy writers',
  identities: [identity],
  resources: [{ urn: 'urn:v1:eu:resource:account:*' }],
  permissions: { allow: [{ action: 'account:*' }] },
}
const seed = { policies: [policy, writers], account: 'ab12-svc', standIn: { serviceAccounts: [{ identity, secret: client.secret }] } }

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grantwise-serve-'))
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed))
})
afterAll(() => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})

const serve = (...options: string[]) => serving(folder, ...options)

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const credentials = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: client.id,
  client_secret: client.secret,
  scope: 'all',
}).toString()

async function token(server: Pick<Running, 'port'>): Promise<string> {
  const { body } = await ask(server, 'POST', '/eu/auth/oauth2/token', form, credentials)
  return body.access_token ?? ''
}

const hosting = '/eu/v1/hosting/web/example.org'
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

/** Send bytes as they are, and read until the other side ends. */
function raw({ port }: Pick<Running, 'port'>, text: string): Promise<string> {
  return new Promise((done) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.setEncoding('utf8')
    socket.on('data', (piece) => {
      answer += piece
    })
    socket.on('error', () => done(answer))
    socket.on('close', () => done(answer))
  })
}

function opened({ port }: Pick<Running, 'port'>, text: string): Promise<Socket> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => done(socket)))
    socket.on('error', () => {})
  })
}

describe('an emulator that listens', () => {
  let server: Running
  let good: Readonly<Record<string, string>>
  beforeAll(async () => {
    server = await serve('--seed', 'seed.json')
    good = bearer(await token(server))
  })

  test('prints its address and the identities that it knows, and no secret that was given', () => {
    expect(server.stdout()).toContain(`http://127.0.0.1:${server.port}/ca/auth/oauth2/token`)
    expect(server.stdout()).toContain(`service account ${identity}`)
    expect(server.stdout()).toContain('2 policies\n')
    expect(server.stdout()).not.toContain(client.secret)
  })

  test('answers calls, and labels what the document does not show', async () => {
    const allowed = await ask(server, 'GET', hosting, good)
    expect(allowed).toMatchObject({ status: 200, body: { serviceName: 'example.org' } })
    expect(allowed.headers['x-stand-in']).toBe('public')
    const refused = await ask(server, 'GET', '/eu/v1/vps/vps-1', good)
    expect(refused).toMatchObject({ status: 403, body: { class: 'Client::Forbidden', message: 'User not granted for this request' } })
    expect(refused.headers['x-stand-in']).toBeUndefined()
    expect(await ask(server, 'GET', '/ca/v1/hosting/web/example.org', good)).toMatchObject({ status: 401 })
  })

  test('answers HEAD as GET without a body, and OPTIONS with the methods', async () => {
    const head = await ask(server, 'HEAD', hosting, good)
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '29'])
    expect((await ask(server, 'OPTIONS', hosting)).headers.allow).toContain('GET')
    expect((await ask(server, 'PROPFIND', hosting, good)).status).toBe(405)
  })

  test.each<[string, string, string, Readonly<Record<string, string>>, string, number, string]>([
    ['a path without a region', 'GET', '/v1/me', {}, '', 404, 'paths begin with the region'],
    ['a malformed path', 'GET', '/eu/v1/%zz', {}, '', 400, 'malformed percent-encoding'],
    ['a parameter given twice', 'GET', `${hosting}?a=1&a=2`, {}, '', 400, 'twice'],
    ['a body that is too large', 'POST', '/eu/auth/oauth2/token', form, 'a'.repeat(2 ** 20 + 1), 413, '1 MiB'],
    ['a body of another type', 'POST', '/eu/v1/auth/credential', { 'content-type': 'text/xml' }, '<a/>', 415, '`text/xml`'],
    ['a body without a type', 'POST', '/eu/v1/auth/credential', {}, 'x', 415, '`Content-Type` is missing'],
    ['a name that another site made', 'GET', hosting, { host: 'evil.example' }, '', 421, '`evil.example`'],
    ['another spelling of the region', 'GET', '/%65u/v1/vps/vps-1', {}, '', 404, '`/%65u/v1/vps/vps-1`'],
    ['an address of a proxy', 'GET', 'http://127.0.0.1/eu/v1/vps/vps-1', {}, '', 404, 'paths begin with the region'],
    ['a fragment', 'GET', `${hosting}#/module`, {}, '', 400, '`%23`'],
    ['a body that is encoded', 'POST', '/eu/v1/auth/credential', { ...form, 'content-encoding': 'gzip' }, '{}', 415, '`gzip`'],
    ['a path that is too long', 'GET', `/eu/v1/${'a'.repeat(20_000)}`, {}, '', 431, '16 KiB'],
  ])('refuses %s', async (_name, method, path, headers, body, status, said) => {
    const answer = await ask(server, method, path, headers, body)
    expect(answer.status).toBe(status)
    expect(answer.body.class).toMatch(/^Client::/)
    expect(answer.body.message).toContain(said)
  })

  test('refuses a body that is no JSON at its place, and bytes that are no text', async () => {
    const broken = await ask(server, 'POST', '/eu/v2/iam/policy', { ...good, 'content-type': 'application/json' }, '{"name":\n  oops}')
    expect(broken).toMatchObject({ status: 400, body: { class: 'Client::BadRequest', details: { line: 2, column: 3 } } })
    const answer = await raw(
      server,
      `POST /eu/auth/oauth2/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1\r\n\r\n\xff`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*not UTF-8/s)
  })

  test('answers what is no HTTP, and goes on', async () => {
    expect(await raw(server, 'hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"class":"Client::BadRequest"/s)
    expect(await raw(server, `GET ${hosting} HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /)
    expect((await ask(server, 'GET', hosting, good)).status).toBe(200)
  })

  test.each<[string, string, number, string]>([
    ['no Host', 'GET /eu/v1/vps HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'the header `Host` is missing'],
    [
      'two Hosts',
      'GET /eu/v1/vps HTTP/1.1\r\nHost: localhost\r\nHOST: localhost\r\nConnection: close\r\n\r\n',
      400,
      '`Host` is sent twice',
    ],
    [
      'two Hosts outside of the regions',
      'GET / HTTP/1.1\r\nHost: localhost\r\nHost: a.example\r\nConnection: close\r\n\r\n',
      400,
      'sent twice',
    ],
    ['an unknown Expect', 'GET /eu/v1/vps HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\n\r\n', 417, 'the header `Expect` is `tea`'],
    ['CONNECT', 'CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, '`CONNECT` is no method'],
  ])('refuses %s with an error in JSON', async (_name, text, status, message) => {
    const [head = '', body = ''] = (await raw(server, text)).split('\r\n\r\n')
    expect(head.startsWith(`HTTP/1.1 ${status} `)).toBe(true)
    expect(head).toMatch(/content-type: application\/json/i)
    expect(JSON.parse(body)).toMatchObject({ class: expect.stringMatching(/^Client::/), message: expect.stringContaining(message) })
  })

  test('outlives clients that leave in the middle, and half bodies', async () => {
    const half =
      'POST /eu/auth/oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"half"'
    const sockets = await Promise.all(Array.from({ length: 20 }, () => opened(server, half)))
    for (const socket of sockets.slice(0, 10)) socket.destroy()
    for (const socket of sockets.slice(10)) socket.resetAndDestroy()
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(server, 'GET', hosting, good)))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })

  test('logs each request without query and secrets', async () => {
    await ask(server, 'GET', '/eu/v1/me?secret=s3cret', good)
    await ask(server, 'GET', hosting, good)
    expect(server.stderr()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z 200 GET \/eu\/v1\/hosting\/web\/example\.org$/m)
    for (const secret of ['s3cret', client.secret, good.authorization ?? '']) expect(server.stderr()).not.toContain(secret)
    expect(server.stderr()).not.toMatch(/^ +at /m)
  })

  test('ends at SIGTERM when open requests are answered', async () => {
    const open = await opened(
      server,
      `POST /eu/auth/oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${credentials.length}\r\n\r\n`,
    )
    let answer = ''
    open.on('data', (piece) => {
      answer += piece
    })
    await ask(server, 'GET', hosting, good)
    server.process.kill('SIGTERM')
    await new Promise((done) => setTimeout(done, 200))
    open.write(credentials)
    expect(await server.ended).toBe(0)
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*"access_token"/s)
  })
})

describe('an emulator with a state', () => {
  test('loses no acknowledged write when it is killed, and takes over what the dead one left', async () => {
    const first = await serve('--seed', 'seed.json', '--state', 'kept.db', '--quiet')
    const got: string[] = []
    let isOver = false
    const askForTokens = async () => {
      while (!isOver) {
        const text = await token(first).catch(() => '')
        if (text !== '') got.push(text)
      }
    }
    const asking = [askForTokens(), askForTokens(), askForTokens()]
    await until(() => got.length >= 30)
    first.process.kill('SIGKILL')
    isOver = true
    await Promise.all([...asking, first.ended])
    expect(existsSync(join(folder, 'kept.db.owner'))).toBe(true)

    const second = await serve('--state', 'kept.db', '--quiet')
    expect(second.stdout()).toContain('the state was stored before')
    const statuses = await Promise.all(got.map(async (text) => (await ask(second, 'GET', hosting, bearer(text))).status))
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    for (const name of ['kept.db', 'kept.db-journal']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'kept.db')).includes(got[0] ?? 'none')).toBe(false)

    await expect(serve('--state', 'kept.db')).rejects.toThrow(`process ${second.process.pid} has it`)
    second.process.kill('SIGINT')
    expect(await second.ended).toBe(0)
    expect(existsSync(join(folder, 'kept.db.owner'))).toBe(false)
    expect(existsSync(join(folder, 'kept.db.lock'))).toBe(false)
  })

  test('goes back, at a reset, to the service account whose secret was printed', async () => {
    const first = await serve('--state', 'made-up.db')
    const [, id = '', secret = ''] = /client_id +(\S+)\n +client_secret +(\S+)/.exec(first.stdout()) ?? []
    first.process.kill('SIGTERM')
    await first.ended
    const second = await serve('--state', 'made-up.db')
    expect(second.stdout()).toContain(id)
    expect((await ask(second, 'POST', '/_emulator/reset')).status).toBe(200)
    const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret, scope: 'all' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await ask(second, 'POST', '/eu/auth/oauth2/token', form, new URLSearchParams(fields).toString())).status).toBe(200)
    second.process.kill('SIGTERM')
    await second.ended
  })

  test('leaves alone what another program has', async () => {
    mkdirSync(join(folder, 'other.db.lock'))
    await expect(serve('--state', 'other.db')).rejects.toThrow('another program has the file')
  })

  test('is not opened by a second name', async () => {
    const first = await serve('--seed', 'seed.json', '--state', 'named.db', '--quiet')
    linkSync(join(folder, 'named.db'), join(folder, 'second-name.db'))
    await expect(serve('--state', 'second-name.db')).rejects.toThrow('--state second-name.db: the file has 2 names (hard links)')
    first.process.kill('SIGTERM')
    expect(await first.ended).toBe(0)
  })

  test('says that there is no room, to the client and in the log, and keeps what there was', async () => {
    const full = await servingWithin(folder, 120, '--seed', 'seed.json', '--state', 'full.db')
    const good = { ...bearer(await token(full)), 'content-type': 'application/json' }
    const write = (i: number) =>
      ask(full, 'POST', '/eu/v2/iam/policy', good, JSON.stringify({ ...policy, name: `policy ${i}`, description: 'x'.repeat(1900) }))
    let [written, last] = [0, await write(0)]
    for (; last.status < 300 && written < 100; last = await write(written)) written++
    expect(last).toMatchObject({
      status: 500,
      body: { message: expect.stringMatching(/not made: file too large for the file system \(EFBIG\)$/) },
    })
    await expect.poll(full.stderr).toContain('a change could not be stored: file too large for the file system (EFBIG)')
    full.process.kill('SIGTERM')
    expect(await full.ended).toBe(0)
    const again = await serve('--state', 'full.db', '--quiet')
    expect(again.stdout()).toContain(`${written + 2} policies`)
    expect(readdirSync(folder).filter((name) => name.endsWith('.space'))).toEqual([])
  })
})

test('calls are recorded, a line each, after a line that was left half', async () => {
  const file = join(folder, 'calls.ndjson')
  writeFileSync(file, '{"at":"2026')
  const server = await serve('--seed', 'seed.json', '--record', 'calls.ndjson', '--quiet')
  const good = bearer(await token(server))
  await ask(server, 'GET', hosting, good)
  await ask(server, 'GET', '/eu/v1/vps/vps-1', good)
  await ask(server, 'GET', hosting)
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  const lines = readFileSync(file, 'utf8').split('\n')
  expect(lines.length).toBe(4)
  expect(lines.slice(1, 3).map((line) => (JSON.parse(line) as { verdict: string }).verdict)).toEqual(['allow', 'deny'])
  expect(server.stderr()).toBe('')
})

test('a port that another program uses is reported', async () => {
  const first = await serve()
  const child = spawn(process.execPath, [binary, 'serve', '--port', String(first.port), '--no-config'], { cwd: folder })
  let err = ''
  child.stderr.on('data', (piece) => {
    err += piece
  })
  const code = await new Promise((done) => child.on('exit', done))
  expect(code).toBe(2)
  expect(err).toContain('another program has it')
  expect(first.stdout()).toMatch(/client_secret {2}\S{32} {3}\(generated/)
  first.process.kill('SIGTERM')
  expect(await first.ended).toBe(0)
})

test('the ready file of an emulator that runs is left to it', async () => {
  const path = join(folder, 'held.json')
  const first = await serve('--ready-file', 'held.json', '--quiet')
  await until(() => existsSync(path))
  const before = readFileSync(path, 'utf8')
  await expect(serve('--ready-file', 'held.json')).rejects.toThrow(`process ${first.process.pid} has it`)
  expect(readFileSync(path, 'utf8')).toBe(before)
  first.process.kill('SIGKILL')
  await first.ended
  const second = await serve('--ready-file', 'held.json', '--quiet')
  await until(() => existsSync(path) && readFileSync(path, 'utf8').includes(`"pid": ${second.process.pid},`))
  second.process.kill('SIGTERM')
  await second.ended
})

test('two options do not write to one file', async () => {
  mkdirSync(join(folder, 'apart'))
  symlinkSync(join(folder, 'apart'), join(folder, 'apart-too'))
  for (const options of [
    ['--state', 'apart/x', '--export-on-exit', 'apart/x'],
    ['--record', 'apart/x', '--request-log', './apart/../apart/x'],
    ['--ready-file', 'apart/x', '--export-on-exit', 'apart-too/x'],
  ])
    await expect(serve(...options), options.join(' ')).rejects.toThrow(`${options[0]} and ${options[2]} name one file`)
  expect(readdirSync(join(folder, 'apart'))).toEqual([])
})

test('the ready file, the request log and the export of a run', async () => {
  writeFileSync(join(folder, 'ready.json'), '{"grantwise":"ready","pid":1}')
  const server = await serve(
    '--seed',
    'seed.json',
    '--quiet',
    '--ready-file',
    'ready.json',
    '--request-log',
    'log.ndjson',
    '--export-on-exit',
    'out.json',
    '--demo-credentials',
  )
  await until(() => existsSync(join(folder, 'ready.json')))
  const ready = JSON.parse(readFileSync(join(folder, 'ready.json'), 'utf8'))
  expect(ready).toMatchObject({
    pid: server.process.pid,
    health: `http://127.0.0.1:${server.port}/health`,
    accounts: [{ id: 'ab12-svc', region: 'eu' }],
    regions: { ca: { token: `http://127.0.0.1:${server.port}/ca/auth/oauth2/token` } },
    demonstration: { consumerKey: expect.any(String) },
  })
  expect(ready.serviceAccounts.find((each: { clientId: string }) => each.clientId === client.id)).not.toHaveProperty('clientSecret')
  expect(server.stdout()).toContain('DEMONSTRATION CREDENTIALS: anybody knows them')
  const good = bearer(await token(server))
  await ask(server, 'GET', `${hosting}?secret=s3cret`, good)
  // The token of the ready file is what a request through a proxy needs.
  const proxied = { 'x-forwarded-for': '192.0.2.1' }
  expect((await ask(server, 'GET', '/_emulator/clock', proxied)).status).toBe(401)
  expect((await ask(server, 'GET', '/_emulator/clock', { ...proxied, authorization: `Bearer ${ready.control.token}` })).status).toBe(200)
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(existsSync(join(folder, 'ready.json'))).toBe(false)
  expect(server.stderr()).toBe('')
  const text = readFileSync(join(folder, 'log.ndjson'), 'utf8')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines.map(({ status, path }) => `${status} ${path}`)).toEqual([
    '200 /eu/auth/oauth2/token',
    `200 ${hosting}`,
    '401 /_emulator/clock',
    '200 /_emulator/clock',
  ])
  expect(lines[1]).toMatchObject({ identity, operation: '/v1/hosting/web/{serviceName}', verdict: 'allow', ip: '127.0.0.1' })
  expect(lines[0]).toMatchObject({ identity: null, verdict: null, milliseconds: expect.any(Number) })
  for (const secret of ['s3cret', client.secret, good.authorization, ready.control.token]) expect(text).not.toContain(secret)
  expect(JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8'))).toMatchObject({
    policies: [policy, writers],
    standIn: { accounts: [{ id: 'ab12-svc' }] },
  })
  for (const name of ['log.ndjson', 'out.json']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
})
