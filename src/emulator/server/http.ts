import { isUtf8 } from 'node:buffer'
import { lookup } from 'node:dns/promises'
import { createServer, type Server as HttpServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createSecureServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { isDecisionPath } from '../authzen/routes.ts'
import { startReply } from '../console/start-page.ts'
import { type ControlRequest, controlPath } from '../control/control.ts'
import { badRequest, failure, internalError, notFound, quote } from '../model/errors.ts'
import { type HostRegion, hostRegions, type Reply, type ServiceRequest, type Stream } from '../model/exchange.ts'
import { clientAddress, isLoopbackName, isPublicHost, type PublicEndpoint, withoutPrefix } from './front.ts'

/** In bytes and milliseconds. `behind`: how far a reader may fall behind a stream. */
export const httpLimits = {
  body: 2 ** 20,
  head: 16 * 2 ** 10,
  request: 30_000,
  check: 1000,
  idle: 72_000,
  drain: 10_000,
  behind: 2 ** 20,
} as const

/** A certificate, with those that it is issued by, and its private key: both in PEM. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

export interface HttpOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Whether requests may name any host: if so, a page of another site could reach the emulator by a host name that it controls. */
  readonly allowRemote: boolean
  readonly front: PublicEndpoint
  /** Undefined: connections are not encrypted. */
  readonly tls?: Tls | undefined
  readonly respond: (request: ServiceRequest) => Reply
  readonly control: (request: ControlRequest) => Reply | Promise<Reply>
  readonly log: ((entry: LogEntry) => void) | undefined
  readonly onFault: (error: unknown) => void
  readonly requestTime?: number
}

/** A request that was answered. Without its query and its headers, which may hold secrets. */
export interface LogEntry {
  readonly method: string
  readonly path: string
  /** The address of the client, as far as it is known. */
  readonly ip: string
  readonly milliseconds: number
  readonly reply: Reply
}

export interface RunningServer {
  readonly port: number
  /** Take no more connections, finish open requests, and end. */
  readonly close: () => Promise<void>
}

interface Open {
  isClosing: boolean
  /** Functions that end each stream. */
  readonly streams: Set<() => void>
  /** Functions that send each delayed answer. */
  readonly held: Set<() => void>
}

/** Answer requests over HTTP: `/eu` and `/ca` are the two regions. */
export async function listen(options: HttpOptions): Promise<RunningServer> {
  const open: Open = { isClosing: false, streams: new Set(), held: new Set() }
  const servers = await bound(options, (request, response) => receive(options, open, request, response))
  return {
    port: portOf(servers[0]),
    close: async () => {
      open.isClosing = true
      for (const stop of [...open.held, ...open.streams]) stop()
      // A client that sends half a body delays the end by no more than this.
      const timer = setTimeout(() => {
        for (const server of servers) server.closeAllConnections()
      }, httpLimits.drain)
      await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
      clearTimeout(timer)
    },
  }
}

type Server = HttpServer | HttpsServer

/** The start of the addresses that a server answers at. */
export function schemeOf(tls: Tls | undefined): 'http' | 'https' {
  return tls ? 'https' : 'http'
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

type Receive = (request: IncomingMessage, response: ServerResponse) => void

/** A server for each address of the host: `localhost` has two on most machines. The first one must be free. */
async function bound(
  { host, port, tls, requestTime = httpLimits.request }: HttpOptions,
  receive: Receive,
): Promise<readonly [Server, ...Server[]]> {
  const addresses = host === 'localhost' ? await lookup(host, { all: true }) : []
  const [first = host, ...others] = new Set(addresses.map(({ address }) => address))
  const limits = {
    maxHeaderSize: httpLimits.head,
    requestTimeout: requestTime,
    headersTimeout: requestTime,
    keepAliveTimeout: httpLimits.idle,
    // By default the server looks for late requests every 30 seconds alone.
    connectionsCheckingInterval: Math.min(httpLimits.check, requestTime),
    // A missing `Host` is refused below, in our words.
    requireHostHeader: false,
  }
  const listening = (address: string, portNumber: number) =>
    new Promise<Server>((resolve, reject) => {
      const server = tls ? createSecureServer({ ...limits, ...tls }, receive) : createServer(limits, receive)
      server.on('clientError', refuseConnection)
      server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => write(response, unmetExpectation(request)))
      server.on('connect', (_request: IncomingMessage, socket: Socket) => end(socket, notTunnel))
      server.on('error', reject)
      server.listen({ host: address, port: portNumber, exclusive: true }, () => resolve(server))
    })
  const main = await listening(first, port)
  const more = others.map((address) => listening(address, portOf(main)))
  return [main, ...(await Promise.allSettled(more)).flatMap((each) => (each.status === 'fulfilled' ? each.value : []))]
}

/** Answer a request once it has arrived. Of one whose client leaves before, nothing more is heard. */
function receive(options: HttpOptions, open: Open, request: IncomingMessage, response: ServerResponse): void {
  const { front, log, onFault } = options
  const arrived = log && performance.now()
  const url = withoutPrefix(front, request.url ?? '/')
  const isLate = open.isClosing
  readBody(request, (body) => {
    const send = (reply: Reply) => {
      if (log && arrived !== undefined) {
        const ip = addressOf(front, request) ?? ''
        log({ method: request.method ?? '', path: pathOf(url).path, ip, milliseconds: performance.now() - arrived, reply })
      }
      if (reply.delay === undefined || open.isClosing) put(open, request, response, reply)
      else hold(open, request, response, reply, reply.delay)
    }
    const failed = (error: unknown) => {
      onFault(error)
      return internalError('the emulator failed at this call')
    }
    let reply: Reply | Promise<Reply>
    try {
      reply = isLate ? closing : answer(options, request, url, body)
    } catch (error) {
      reply = failed(error)
    }
    // Few replies are waited for: all others are sent in the same turn.
    if (reply instanceof Promise) void reply.catch(failed).then(send)
    else send(reply)
  })
}

const closing = failure(503, 'Server::Closing', 'the emulator is about to end', undefined, 'stand-in')

/** Collect the body of a request; undefined: it is too large. */
function readBody(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  const { method, headers } = request
  const length = headers['content-length']
  const isEmpty = headers['transfer-encoding'] === undefined && (length === undefined || length === '0')
  if (isEmpty || method === 'GET' || method === 'HEAD' || method === 'TRACE') {
    done(noBody)
    return
  }
  if (Number(length) > httpLimits.body) {
    done(undefined)
    return
  }
  const pieces: Buffer[] = []
  let size = 0
  const take = (piece: Buffer) => {
    size += piece.length
    pieces.push(piece)
    if (size <= httpLimits.body) return
    request.off('data', take).off('end', finish).resume()
    done(undefined)
  }
  const finish = () => done(Buffer.concat(pieces, size))
  request.on('data', take).on('end', finish)
}

const noBody = Buffer.alloc(0)

function answer(options: HttpOptions, request: IncomingMessage, url: string, bytes: Buffer | undefined): Reply | Promise<Reply> {
  const { allowRemote, front, tls } = options
  const { method = '', headers, socket } = request
  if (!bytes)
    return failure(413, 'Client::PayloadTooLarge', `the body is larger than ${httpLimits.body / 2 ** 20} MiB, the most that is read`)
  const { path } = pathOf(url)
  if (path.includes('%') && !isDecodable(path)) return badRequest('the path cannot be read: malformed percent-encoding')
  const wrongHost = refusedHost(request, allowRemote, front)
  if (wrongHost) return wrongHost
  const isControl = path === '/health' || path === controlPath || path.startsWith(`${controlPath}/`) || isDecisionPath(path)
  const region = hostRegions.find((each) => path.startsWith(`/${each}/`))
  if (!isControl && region === undefined) return elsewhere(front, request, path)
  if (!isUtf8(bytes)) return badRequest('the body is not UTF-8')
  const body = bytes.toString('utf8')
  if (region !== undefined) {
    const read = requestOf(front, schemeOf(tls), region, request, url, body)
    return 'status' in read ? read : options.respond(read)
  }
  const sent = { method: method === 'HEAD' ? 'GET' : method, path, headers: headers as ControlRequest['headers'], body }
  return options.control({ ...sent, isNear: isNear(headers, socket.remoteAddress) })
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

function elsewhere(front: PublicEndpoint, { headers }: IncomingMessage, path: string): Reply {
  if (path === '/') return startReply(headers.accept, front.publicUrl?.prefix ?? '')
  return notFound(`nothing at ${quote(path)}: paths begin with the region, ${hostRegions.map((region) => `\`/${region}\``).join(' or ')}`)
}

/** Send an answer after a delay; immediately where the server closes meanwhile. */
function hold(open: Open, request: IncomingMessage, response: ServerResponse, reply: Reply, delay: number): void {
  const release = () => {
    clearTimeout(timer)
    if (open.held.delete(release)) put(open, request, response, reply)
  }
  const timer = setTimeout(release, delay)
  open.held.add(release)
  response.on('close', () => {
    clearTimeout(timer)
    open.held.delete(release)
  })
}

function put({ isClosing, streams }: Open, request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  // The connection is not reused for a next request.
  if (isClosing) response.shouldKeepAlive = false
  const { stream } = reply
  if (!stream) write(response, reply)
  else if (request.method === 'HEAD') response.writeHead(200, { ...headersOf(reply), 'content-type': stream.type }).end()
  else goOn(response, headersOf(reply), stream, streams)
}

function headersOf({ origin, headers }: Reply): OutgoingHttpHeaders {
  const out: OutgoingHttpHeaders = { 'x-content-type-options': 'nosniff' }
  if (origin !== 'document') out['x-stand-in'] = origin
  return headers ? Object.assign(out, headers) : out
}

function write(raw: ServerResponse, answered: Reply): void {
  const { status, body, html, text } = answered
  const headers = headersOf(answered)
  const content = html ?? text?.content ?? (body === undefined ? undefined : JSON.stringify(body))
  if (content === undefined) {
    if (status !== 204) headers['content-length'] = 0
    raw.writeHead(status, headers)
    raw.end()
    return
  }
  headers['content-type'] = html !== undefined ? 'text/html; charset=utf-8' : (text?.type ?? 'application/json; charset=utf-8')
  headers['content-length'] = Buffer.byteLength(content)
  raw.writeHead(status, headers)
  raw.end(content)
}

/** A streamed answer: until the client leaves, the emulator ends it, or the program ends. */
function goOn(raw: ServerResponse, headers: OutgoingHttpHeaders, { type, open }: Stream, streams: Set<() => void>): void {
  raw.writeHead(200, { ...headers, 'content-type': type, 'cache-control': 'no-store' })
  raw.flushHeaders()
  let isOver = false
  let stopped: (() => void) | undefined
  const stop = () => {
    if (isOver) return
    isOver = true
    streams.delete(stop)
    stopped?.()
    raw.end()
  }
  streams.add(stop)
  raw.on('close', stop)
  raw.on('error', stop)
  stopped = open((piece) => !isOver && (raw.write(piece) || raw.writableLength < httpLimits.behind), stop)
  if (isOver) stopped()
}

function requestOf(
  front: PublicEndpoint,
  scheme: string,
  region: HostRegion,
  request: IncomingMessage,
  url: string,
  body: string,
): ServiceRequest | Reply {
  const { method = '', headers } = request
  if (url.includes('#')) return badRequest('the address has a fragment, which is for its reader alone: a `#` of a name is written `%23`')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    return failure(415, 'Client::UnsupportedMediaType', `the body is encoded (${quote(encoding)}): send it as it is`)
  const { path, query } = pathOf(url)
  const parameters = new Map<string, string>()
  for (const [name, value] of query === '' ? [] : new URLSearchParams(query)) {
    if (parameters.has(name)) return badRequest(`the query names ${quote(name)} twice: which of the two is meant would be a guess`)
    parameters.set(name, value)
  }
  const ip = addressOf(front, request)
  if (ip === undefined)
    return badRequest('the header `X-Forwarded-For` does not end with an IP address: the proxy in front writes where a request comes from')
  const base = isPublicHost(front, headers.host) ? front.publicUrl?.base : `${scheme}://${headers.host ?? 'localhost'}`
  return {
    region,
    method: method === 'HEAD' ? 'GET' : method,
    ...(method === 'HEAD' && { sentMethod: method }),
    url: `${base}${url}`,
    ...(front.publicUrl && base !== front.publicUrl.base && { publicUrl: `${front.publicUrl.base}${url}` }),
    path: path.slice(region.length + 1),
    query: parameters,
    headers: headers as ServiceRequest['headers'],
    body,
    ip,
  }
}

function addressOf(front: PublicEndpoint, { headers, socket }: IncomingMessage): string | undefined {
  return clientAddress(front, headers['x-forwarded-for'] as string | undefined, socket.remoteAddress)
}

function pathOf(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

/** A request must name one host (RFC 9112, section 3.2), of this machine or the public one: other sites can point names here. */
function refusedHost(
  { headers: { host }, httpVersion, rawHeaders }: IncomingMessage,
  allowRemote: boolean,
  front: PublicEndpoint,
): Reply | undefined {
  if (rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length > 1)
    return badRequest('the header `Host` is sent twice: which of the two is meant would be a guess')
  if (host === undefined && httpVersion === '1.1')
    return badRequest('the header `Host` is missing: HTTP/1.1 requires it, send `Host: localhost`')
  if (allowRemote || isPublicHost(front, host) || (host !== undefined && isLoopbackName(host.replace(/:\d{1,5}$/, '')))) return undefined
  const names = [...(front.publicUrl ? [front.publicUrl.host] : []), '127.0.0.1', '[::1]']
  const hostWords = host === undefined ? 'missing' : quote(host)
  const message = `the header \`Host\` is ${hostWords}: the emulator answers as ${names.map(quote).join(', ')} or \`localhost\``
  return failure(421, 'Client::MisdirectedRequest', message, undefined, 'stand-in')
}

/** 417: only `Expect: 100-continue` has a meaning (RFC 9110, section 10.1.1). */
function unmetExpectation({ headers: { expect = '' } }: IncomingMessage): Reply {
  const message = `the header \`Expect\` is ${quote(expect)}: only \`100-continue\` can be met, send the request without it`
  return { ...failure(417, 'Client::ExpectationFailed', message), headers: { connection: 'close' } }
}

/** Headers that a proxy adds: the sender is then not the peer of the connection. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether a request comes from this machine, and names it, and not through a proxy. */
function isNear(headers: IncomingMessage['headers'], peer: string | undefined): boolean {
  const isHere = peer !== undefined && isLoopbackName(peer.replace(/^::ffff:/, ''))
  const host = headers.host?.replace(/:\d{1,5}$/, '')
  return isHere && host !== undefined && isLoopbackName(host) && proxyHeaders.every((name) => headers[name] === undefined)
}

const refusals: Readonly<Record<string, Refused>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', `path and headers are larger than ${httpLimits.head / 1024} KiB together`],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', `the request did not arrive within ${httpLimits.request / 1000} seconds`],
}
const notTunnel: Refused = ['405 Method Not Allowed', '`CONNECT` is no method of the API: no connection to elsewhere is opened here']

type Refused = readonly [status: string, message: string]

/** Answers a connection that is not HTTP, or does not send a whole request in time. */
function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else end(socket, refusals[error.code ?? ''] ?? ['400 Bad Request', 'the request is no HTTP that can be read'])
}

/** Answer over a connection on which no request was understood, and end it. */
function end(socket: Socket, [status, message]: Refused): void {
  const body = JSON.stringify({ class: 'Client::BadRequest', message })
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\nx-stand-in: inferred\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`
  socket.end(head + body)
}
