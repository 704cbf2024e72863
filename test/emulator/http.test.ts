import { lookup } from 'node:dns/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Reply, ServiceRequest } from '../../src/emulator/model/exchange.ts'
import { type HttpOptions, httpLimits, listen, type RunningServer } from '../../src/emulator/server/http.ts'

/** The listener by itself: what it lets through, and what it refuses before anybody looks at it. */

const open: RunningServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

/** A server that answers every call with its method and its body. */
async function started(options: Partial<HttpOptions> = {}) {
  const seen: ServiceRequest[] = []
  const faults: unknown[] = []
  const server = await listen({
    host: '127.0.0.1',
    port: 0,
    allowRemote: false,
    front: { trustProxy: false },
    respond: (call): Reply => {
      seen.push(call)
      return { status: 200, origin: 'document', body: { method: call.method, length: call.body.length } }
    },
    control: () => ({ status: 200, origin: 'stand-in', body: 'own' }),
    log: undefined,
    onFault: (error) => faults.push(error),
    ...options,
  })
  open.push(server)
  return { ...server, seen, faults }
}

/** The bytes that a server sends over one connection until it ends; `pieces` are sent one after another. */
function answerTo(port: number, ...pieces: readonly string[]): Promise<string> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('close', () => done(text))
    socket.on('error', () => {})
    for (const piece of pieces) socket.write(piece)
  })
}

const head = (line: string, ...headers: readonly string[]) => `${[`${line} HTTP/1.1`, 'host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const last = 'connection: close'
const large = 'x'.repeat(httpLimits.body + 1)

test.each<[string, RegExp, readonly string[]]>([
  ['a call', /^HTTP\/1\.1 200 [\s\S]*\{"method":"GET","length":0\}$/, [head('GET /eu/v1/me', last)]],
  ['a body', /"method":"POST","length":3\}$/, [head('POST /eu/v1/me', last, 'content-length: 3'), 'abc']],
  ['a body in chunks', /"length":3\}$/, [head('POST /eu/v1/me', last, 'transfer-encoding: chunked'), '3\r\nabc\r\n0\r\n\r\n']],
  ['HEAD: the headers of GET and no body', /^HTTP\/1\.1 200 [\s\S]*content-length: 27[\s\S]*\r\n\r\n$/, [head('HEAD /eu/v1/me', last)]],
  [
    'Expect: 100-continue',
    /^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 200 /,
    [head('POST /eu/v1/me', last, 'expect: 100-continue', 'content-length: 1'), 'a'],
  ],
  ['another Expect', /^HTTP\/1\.1 417 /, [head('POST /eu/v1/me', 'expect: wonders', 'content-length: 1'), 'a']],
  ['a body that is announced as too large', /^HTTP\/1\.1 413 /, [head('POST /eu/v1/me', last, `content-length: ${large.length}`), large]],
  [
    'chunks that are too large together',
    /^HTTP\/1\.1 413 /,
    [head('POST /eu/v1/me', last, 'transfer-encoding: chunked'), `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`],
  ],
  ['headers that are too large', /^HTTP\/1\.1 431 /, [head('GET /eu/v1/me', `x-a: ${'a'.repeat(httpLimits.head)}`)]],
  ['no HTTP', /^HTTP\/1\.1 400 /, ['hello\r\n\r\n']],
  ['two lengths', /^HTTP\/1\.1 400 /, [head('POST /eu/v1/me', 'content-length: 1', 'content-length: 2'), 'a']],
  ['no host', /^HTTP\/1\.1 400 [\s\S]*`Host` is missing/, ['GET /eu/v1/me HTTP/1.1\r\nconnection: close\r\n\r\n']],
  ['two hosts', /^HTTP\/1\.1 400 [\s\S]*`Host` is sent twice/, [head('GET /eu/v1/me', 'host: 127.0.0.1', last)]],
  ['a strange host', /^HTTP\/1\.1 421 /, [head('GET /eu/v1/me', last).replace('localhost', 'evil.example')]],
  ['malformed percent-encoding', /^HTTP\/1\.1 400 [\s\S]*malformed percent-encoding/, [head('GET /eu/v1/%zz', last)]],
  [
    'a body in chunks that is as long as may be',
    /"length":1048576\}$/,
    [head('POST /eu/v1/me', last, 'transfer-encoding: chunked'), `100000\r\n${large.slice(1)}\r\n0\r\n\r\n`],
  ],
  ['two hosts in other letters', /^HTTP\/1\.1 400 [\s\S]*`Host` is sent twice/, [head('GET /eu/v1/me', 'HOST: localhost', last)]],
  ['a fragment', /^HTTP\/1\.1 400 [\s\S]*`%23`/, [head('GET /eu/v1/me#/module', last)]],
  ['a query that names one thing twice', /^HTTP\/1\.1 400 /, [head('GET /eu/v1/me?a=1&a=2', last)]],
  ['letters of two bytes', /^HTTP\/1\.1 200 /, [head('POST /eu/v1/me', last, 'content-length: 2'), 'é']],
  ['a tunnel', /^HTTP\/1\.1 405 /, [head('CONNECT example.org:443')]],
  ['a path without region', /^HTTP\/1\.1 404 /, [head('GET /v1/me', last)]],
  ['another spelling of the region', /^HTTP\/1\.1 404 /, [head('GET /%65u/v1/me', last)]],
  ["the emulator's own routes", /"own"$/, [head('GET /_emulator/clock', last)]],
])('%s', async (_what, expected, pieces) => {
  const { port, faults } = await started()
  expect(await answerTo(port, ...pieces)).toMatch(expected)
  expect(faults).toEqual([])
})

test.each([
  ['slow headers', 'GET /eu/1.0/auth/time HTTP/1.1\r\nhost: localhost\r\nx-'],
  ['a slow body', 'POST /eu/auth/oauth2/token HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\na'],
])('%s end with 408 once the time is over', async (_what, start) => {
  const { port } = await started({ requestTime: 150 })
  const answer = await new Promise<string>((done) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (piece) => {
      text += piece
    })
    socket.on('close', () => done(text))
    socket.write(start)
    // It goes on sending, and never comes to an end.
    const timer = setInterval(() => socket.writable && socket.write('a'), 40)
    socket.on('close', () => clearInterval(timer))
    socket.on('error', () => {})
  })
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
})

test('of a client that leaves in the middle of its body nothing is heard, and others are answered', async () => {
  const { port, seen, faults } = await started()
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await new Promise((done) => socket.write(head('POST /eu/v1/left', 'content-length: 10'), done))
  await new Promise((done) => socket.write('abc', done))
  socket.destroy()
  expect(await answerTo(port, head('GET /eu/v1/me', last))).toMatch(/^HTTP\/1\.1 200 /)
  expect([seen.map(({ path }) => path), faults]).toEqual([['/v1/me'], []])
})

test('a body that is too large is answered once, and is no call', async () => {
  const { port, seen, faults } = await started()
  const tooLarge = `${head('POST /eu/v1/me', 'transfer-encoding: chunked')}${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`
  const answers = await answerTo(port, tooLarge, head('GET /eu/v1/next', last))
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  expect([seen.map(({ path }) => path), faults]).toEqual([['/v1/next'], []])
})

test('what controls the emulator knows whether a request comes from this machine, and not through a proxy', async () => {
  const near = (request: { readonly isNear: boolean }): Reply => ({ status: 200, origin: 'stand-in', body: request.isNear })
  const { port } = await started({ control: near })
  const asked = (...headers: readonly string[]) => answerTo(port, head('GET /health', last, ...headers))
  expect(await asked()).toMatch(/true$/)
  for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])
    expect(await asked(`${name}: a`), name).toMatch(/false$/)
  const both = await started({ control: near, host: '::' }).catch(() => undefined)
  if (both) expect(await answerTo(both.port, head('GET /health', last))).toMatch(/true$/)
})

test('a stream is opened for GET, and for HEAD only its type is given', async () => {
  let opened = 0
  const stream = {
    type: 'text/event-stream',
    open: (write: (piece: string) => boolean, close: () => void) => {
      opened++
      write('data: a\n\n')
      setImmediate(close)
      return () => {}
    },
  }
  const { port } = await started({ respond: () => ({ status: 200, origin: 'stand-in', stream }) })
  expect(await answerTo(port, head('HEAD /eu/v1/me', last))).toMatch(/^HTTP\/1\.1 200 [\s\S]*text\/event-stream[\s\S]*\r\n\r\n$/)
  expect(opened).toBe(0)
  expect(await answerTo(port, head('GET /eu/v1/me', last))).toMatch(/data: a\n\n/)
  expect(opened).toBe(1)
})

test('an answer without content has no length', async () => {
  const { port } = await started({ respond: () => ({ status: 204, origin: 'document' }) })
  expect(await answerTo(port, head('DELETE /eu/v1/me', last))).not.toMatch(/content-length/i)
})

test('a call is at the public address only where another one was asked', async () => {
  const publicUrl = { base: 'https://emulator.example/tools', protocol: 'https:', host: 'emulator.example', prefix: '/tools' }
  const { port, seen } = await started({ front: { trustProxy: false, publicUrl } })
  await answerTo(port, head('GET /tools/eu/v1/me', last).replace('localhost', 'emulator.example'))
  await answerTo(port, head('GET /eu/v1/me', last))
  expect(seen.map(({ url, publicUrl }) => [url, publicUrl])).toEqual([
    ['https://emulator.example/tools/eu/v1/me', undefined],
    ['http://localhost/eu/v1/me', 'https://emulator.example/tools/eu/v1/me'],
  ])
})

test('a request that comes while the server ends is refused', async () => {
  const { port, seen, close } = await started()
  const socket = connect(port, '127.0.0.1')
  const answered = new Promise<string>((done) => socket.once('data', (piece) => done(String(piece))))
  const request = head('GET /eu/v1/me')
  await new Promise((done) => socket.write(request.slice(0, 10), done))
  await new Promise((done) => setTimeout(done, 50))
  const closed = close()
  socket.write(request.slice(10))
  expect(await answered).toMatch(/^HTTP\/1\.1 503 /)
  await closed
  expect(seen).toEqual([])
})

test('an error of a handler is reported, and answered with 500', async () => {
  const fault = new Error('broken')
  const { port, faults } = await started({
    respond: () => {
      throw fault
    },
  })
  expect(await answerTo(port, head('GET /eu/v1/me', last))).toMatch(/^HTTP\/1\.1 500 /)
  expect(faults).toEqual([fault])
})

test('`localhost` listens at each of its addresses', async () => {
  const { port } = await started({ host: 'localhost' })
  const addresses = new Set((await lookup('localhost', { all: true })).map(({ address }) => address))
  const statuses = [...addresses].map(
    (host) => new Promise((done) => request({ host, port, path: '/eu/v1/me' }, (reply) => done(reply.statusCode)).end()),
  )
  expect(await Promise.all(statuses)).toEqual([...addresses].map(() => 200))
})
