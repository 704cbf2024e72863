import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { startReply } from '../../emulator/console/start-page.ts'
import { type ControlRequest, controlPath } from '../../emulator/control/control.ts'
import { badRequest, failure, internal, methodNotAllowed, notFound, quote } from '../../emulator/model/errors.ts'
import { type HostRegion, hostRegions, type Reply, type ServiceRequest, type Stream } from '../../emulator/model/exchange.ts'
import { clientAddress, type Front, isPublicHost, withoutPrefix } from './front.ts'

/** What is refused before it is looked at, how far a reader may fall behind an answer that goes on, in bytes and milliseconds. */
export const httpLimits = {
  body: 2 ** 20,
  head: 16 * 2 ** 10,
  request: 30_000,
  check: 1000,
  idle: 72_000,
  drain: 10_000,
  behind: 2 ** 20,
} as const

export interface HttpOptions {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Whether requests may name any host, and not only this machine: else a page of another site could reach the stand-in by a name of its own. */
  readonly allowRemote: boolean
  readonly front: Front
  /** The answer of the stand-in. Never throws. */
  readonly respond: (request: ServiceRequest) => Reply
  /** The answer of what is not under a region and the emulator's own. Never throws. */
  readonly control: (request: ControlRequest) => Reply
  /** Called with each answer; undefined: nobody wants to know. */
  readonly log: ((entry: LogEntry) => void) | undefined
  readonly onFault: (error: unknown) => void
  /** How long a request may take to arrive, in milliseconds, where it is not the usual time. */
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

export interface Listening {
  readonly port: number
  /** Takes no more connections, finishes open requests, and ends. */
  readonly close: () => Promise<void>
}

/** Carry requests to the stand-in: `/eu` and `/ca` are its two regions. */
export async function listen({
  host,
  port,
  allowRemote,
  front,
  respond,
  control,
  log,
  onFault,
  requestTime = httpLimits.request,
}: HttpOptions): Promise<Listening> {
  const streams = new Set<() => void>()
  /** What sends the answers that are held back on purpose. */
  const held = new Set<() => void>()
  const arrivals = new WeakMap<IncomingMessage, number>()
  let isClosing = false
  const app = fastify({
    bodyLimit: httpLimits.body,
    requestTimeout: requestTime,
    keepAliveTimeout: httpLimits.idle,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // A missing `Host` is refused in our words, below.
    http: {
      maxHeaderSize: httpLimits.head,
      requireHostHeader: false,
      headersTimeout: requestTime,
      // By itself the server looks for what is late every 30 seconds alone.
      connectionsCheckingInterval: Math.min(httpLimits.check, requestTime),
    },
    routerOptions: { maxParamLength: httpLimits.head },
    clientErrorHandler: refuseConnection,
    rewriteUrl: (raw) => {
      if (log) arrivals.set(raw as IncomingMessage, performance.now())
      return withoutPrefix(front, raw.url ?? '/')
    },
    frameworkErrors: (error, request, reply) => {
      send(request, reply, faultOf(error, onFault))
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => send(request, reply, faultOf(error, onFault)))
  app.setNotFoundHandler((request, reply) => send(request, reply, elsewhere(request)))
  for (const region of hostRegions) app.all(`/${region}/*`, (request, reply) => send(request, reply, answer(region, request)))

  for (const path of ['/health', controlPath, `${controlPath}/*`]) app.all(path, (request, reply) => send(request, reply, own(request)))

  function own({ raw, body }: FastifyRequest): Reply {
    const wrongHost = refusedHost(raw, allowRemote, front)
    if (wrongHost) return wrongHost
    const { method = '', url = '', headers, socket } = raw
    const bytes = Buffer.isBuffer(body) ? body : undefined
    if (bytes && !isUtf8(bytes)) return badRequest('the body is not UTF-8')
    return control({
      method: method === 'HEAD' ? 'GET' : method,
      path: pathOf(url).path,
      headers: headers as ControlRequest['headers'],
      body: bytes ? bytes.toString('utf8') : '',
      isNear: isNear(headers, socket.remoteAddress),
    })
  }

  function answer(region: HostRegion, request: FastifyRequest): Reply {
    const wrongHost = refusedHost(request.raw, allowRemote, front)
    if (wrongHost) return wrongHost
    const read = requestOf(front, region, request)
    return 'status' in read ? read : respond(read)
  }

  function elsewhere({ raw }: FastifyRequest): Reply {
    const wrongHost = refusedHost(raw, allowRemote, front)
    if (wrongHost) return wrongHost
    const path = pathOf(raw.url ?? '/').path
    if (path === '/') return startReply(raw.headers.accept, front.publicUrl?.prefix ?? '')
    const isInside = hostRegions.some((region) => path.startsWith(`/${region}/`))
    if (isInside) return methodNotAllowed(raw.method ?? '', ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'])
    return notFound(`nothing at ${quote(path)}: paths begin with the region, ${hostRegions.map((region) => `\`/${region}\``).join(' or ')}`)
  }

  function send(request: FastifyRequest, reply: FastifyReply, answered: Reply): FastifyReply {
    if (log) {
      const { method = '', url = '', headers, socket } = request.raw
      const milliseconds = performance.now() - (arrivals.get(request.raw) ?? performance.now())
      const ip = clientAddress(front, headers['x-forwarded-for'] as string | undefined, socket.remoteAddress) ?? ''
      // Without the query: it may hold what is secret.
      log({ method, path: pathOf(url).path, ip, milliseconds, reply: answered })
    }
    // Written as it is: the framework's own way to an answer (hooks, serialisers) takes as long as all of the stand-in.
    reply.hijack()
    const raw = reply.raw
    if (answered.delay === undefined) put(request.raw, raw, answered)
    else {
      const release = () => {
        clearTimeout(timer)
        if (held.delete(release)) put(request.raw, raw, answered)
      }
      const timer = setTimeout(release, isClosing ? 0 : answered.delay)
      held.add(release)
      // Whoever leaves meanwhile is not waited for.
      raw.on('close', () => {
        clearTimeout(timer)
        held.delete(release)
      })
    }
    return reply
  }

  function put(request: IncomingMessage, raw: ServerResponse, answered: Reply): void {
    // Nobody is to keep the connection for a next request.
    if (isClosing) raw.shouldKeepAlive = false
    if (answered.stream && request.method === 'HEAD')
      raw.writeHead(200, { ...headersOf(answered), 'content-type': answered.stream.type }).end()
    else if (answered.stream) goOn(raw, headersOf(answered), answered.stream, streams)
    else write(raw, answered)
  }

  app.server.on('checkExpectation', (request: IncomingMessage, raw: ServerResponse) => write(raw, unmetExpectation(request)))
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => end(socket, notTunnel))
  await app.listen({ host, port, exclusive: true })
  const address = app.server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: async () => {
      isClosing = true
      for (const release of [...held]) release()
      for (const stop of [...streams]) stop()
      // Who sends half a body and waits holds up the end no longer than this.
      const timer = setTimeout(() => app.server.closeAllConnections(), httpLimits.drain)
      await app.close()
      clearTimeout(timer)
    },
  }
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

/** An answer that goes on: until the client leaves, the stand-in ends it, or the program ends. */
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

const nothing: ReadonlyMap<string, string> = new Map()

/** What came in, as the stand-in takes it; or why it is refused. */
function requestOf(front: Front, region: HostRegion, { raw, body }: FastifyRequest): ServiceRequest | Reply {
  const { method = '', url = '', headers, socket } = raw
  // The router takes other spellings of the prefix for the same one; nobody who means it writes them.
  if (!url.startsWith(`/${region}/`)) return notFound(`nothing at ${quote(url)}: paths begin with the region, \`/${region}\``)
  if (url.includes('#')) return badRequest('the address has a fragment, which is for its reader alone: a `#` of a name is written `%23`')
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    return failure(415, 'Client::UnsupportedMediaType', `the body is encoded (${quote(encoding)}): send it as it is`)
  const { path, query } = pathOf(url)
  const bytes = Buffer.isBuffer(body) ? body : undefined
  if (bytes && !isUtf8(bytes)) return badRequest('the body is not UTF-8')
  let parameters = nothing
  if (query !== '') {
    const read = new Map<string, string>()
    parameters = read
    for (const [name, value] of new URLSearchParams(query)) {
      if (read.has(name)) return badRequest(`the query names ${quote(name)} twice: which of the two is meant would be a guess`)
      read.set(name, value)
    }
  }
  const ip = clientAddress(front, headers['x-forwarded-for'] as string | undefined, socket.remoteAddress)
  if (ip === undefined)
    return badRequest('the header `X-Forwarded-For` does not end with an IP address: the proxy in front writes where a request comes from')
  const base = isPublicHost(front, headers.host) ? front.publicUrl?.base : `http://${headers.host ?? 'localhost'}`
  return {
    region,
    method: method === 'HEAD' ? 'GET' : method,
    ...(method === 'HEAD' && { sentMethod: method }),
    url: `${base}${url}`,
    ...(front.publicUrl && base !== front.publicUrl.base && { publicUrl: `${front.publicUrl.base}${url}` }),
    path: path.slice(region.length + 1),
    query: parameters,
    headers: headers as ServiceRequest['headers'],
    body: bytes ? bytes.toString('utf8') : '',
    ip,
  }
}

function pathOf(url: string): { readonly path: string; readonly query: string } {
  const mark = url.indexOf('?')
  return mark < 0 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

/**
 * A request must name one host (RFC 9112, section 3.2), and it must be this machine or the public address unless remote ones
 * are allowed: a name that another site made to point here is refused.
 */
function refusedHost(
  { headers: { host }, httpVersion, rawHeaders }: IncomingMessage,
  allowRemote: boolean,
  front: Front,
): Reply | undefined {
  if (rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length > 1)
    return badRequest('the header `Host` is sent twice: which of the two is meant would be a guess')
  if (host === undefined && httpVersion === '1.1')
    return badRequest('the header `Host` is missing: HTTP/1.1 requires it, send `Host: localhost`')
  if (allowRemote || isPublicHost(front, host) || (host !== undefined && isLoopbackName(host.replace(/:\d{1,5}$/, '')))) return undefined
  const names = [...(front.publicUrl ? [front.publicUrl.host] : []), '127.0.0.1', '[::1]']
  return failure(
    421,
    'Client::MisdirectedRequest',
    `the header \`Host\` is ${host === undefined ? 'missing' : quote(host)}: the emulator answers as ${names.map(quote).join(', ')} or \`localhost\``,
    undefined,
    'stand-in',
  )
}

/** 417: only `Expect: 100-continue` has a meaning (RFC 9110, section 10.1.1). */
function unmetExpectation({ headers: { expect = '' } }: IncomingMessage): Reply {
  const message = `the header \`Expect\` is ${quote(expect)}: only \`100-continue\` can be met, send the request without it`
  return { ...failure(417, 'Client::ExpectationFailed', message), headers: { connection: 'close' } }
}

/** Headers that a proxy adds: who sent them is somebody else than who the connection is from. */
const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/** Whether a request comes from this machine, and names it, and no proxy stands between. */
function isNear(headers: IncomingMessage['headers'], peer: string | undefined): boolean {
  const isHere = peer !== undefined && isLoopbackName(peer.replace(/^::ffff:/, ''))
  const host = headers.host?.replace(/:\d{1,5}$/, '')
  return isHere && host !== undefined && isLoopbackName(host) && proxyHeaders.every((name) => headers[name] === undefined)
}

/** Whether a host is this machine and nothing else. */
export function isLoopbackName(name: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(name)
}

/** The answer to a fault of the framework: what it says of the request, in our words. */
function faultOf(error: unknown, onFault: (error: unknown) => void): Reply {
  const { statusCode, code } = error as { readonly statusCode?: number; readonly code?: string }
  if (statusCode === 413)
    return failure(413, 'Client::PayloadTooLarge', `the body is larger than ${httpLimits.body / 2 ** 20} MiB, the most that is read`)
  if (code === 'FST_ERR_BAD_URL') return badRequest('the path cannot be read: malformed percent-encoding')
  if (statusCode === 503) return failure(503, 'Server::Closing', 'the stand-in is about to end', undefined, 'stand-in')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return badRequest('the request cannot be read')
  onFault(error)
  return internal('the stand-in failed at this call')
}

const refusals: Readonly<Record<string, Refused>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    `path and headers are larger than ${httpLimits.head / 2 ** 10} KiB together`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', `the request did not arrive within ${httpLimits.request / 1000} seconds`],
}
const notTunnel: Refused = ['405 Method Not Allowed', '`CONNECT` is no method of the API: no connection to elsewhere is opened here']

/** A status line, and what is wrong. */
type Refused = readonly [status: string, message: string]

/** What is no HTTP, or does not come to an end. */
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
