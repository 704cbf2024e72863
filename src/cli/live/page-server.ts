import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopbackName } from '../../emulator/server/front.ts'
import { httpLimits } from '../../emulator/server/http.ts'
import { Refusal } from '../app/refusal.ts'

/** A page on this machine that notifies its readers when to reload it. It accepts no input, and connects to no other site. */
export interface PageServer {
  readonly port: number
  /** Notify all open pages that it changed. */
  readonly changed: () => void
  readonly close: () => Promise<void>
}

/** The most pages that are notified of changes at a time. */
const mostReaders = 64

/** Headers that isolate the page: not stored, not framed, not read by other sites. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Serve a page at 127.0.0.1. `page`: called for each request. */
export async function servePage(port: number, page: () => Promise<string>, onFault: (error: unknown) => void): Promise<PageServer> {
  const readers = new Set<ServerResponse>()
  const limits = {
    maxHeaderSize: httpLimits.head,
    requestTimeout: httpLimits.request,
    headersTimeout: httpLimits.request,
    keepAliveTimeout: httpLimits.idle,
    connectionsCheckingInterval: httpLimits.check,
  }
  const server = createServer(limits, (request, response) => {
    // A request's body is not read: the connection ends with the answer.
    if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
      response.shouldKeepAlive = false
    answer(request, response).catch((error) => {
      onFault(error)
      if (!response.headersSent) say(response, 500, 'the page could not be made')
      else response.destroy()
    })
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refused(request)
    if (refusal) return say(response, ...refusal)
    const [path] = (request.url ?? '/').split('?')
    if (path === '/events') return listen(request, response)
    if (path !== '/') return say(response, 404, 'nothing here: the page is at /')
    const html = await page()
    response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(html) })
    response.end(request.method === 'HEAD' ? undefined : html)
  }
  function listen(request: IncomingMessage, response: ServerResponse): void {
    if (readers.size >= mostReaders) {
      say(response, 503, 'too many pages are open')
      return
    }
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    response.write('retry: 1000\n\n')
    readers.add(response)
    response.on('close', () => readers.delete(response)).on('error', () => readers.delete(response))
  }
  server.on('clientError', (_, socket) =>
    socket.writable ? socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n') : socket.destroy(),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Refusal(`port ${port} is in use`, 'give another with `--port`, or 0 for any free one')
          : new Refusal(`the page cannot be served at port ${port}: ${error.code ?? error.message}`),
      ),
    )
    server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve)
  })
  server.on('error', onFault)
  return {
    port: (server.address() as AddressInfo).port,
    changed() {
      for (const reader of readers) reader.write('event: changed\ndata:\n\n')
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        for (const reader of readers) reader.end()
        server.closeAllConnections()
      }),
  }
}

/** Why a request is not answered: other sites can point names of theirs here, and send requests. */
function refused({ method = '', headers: sent, rawHeaders }: IncomingMessage): readonly [status: number, message: string] | undefined {
  const hosts = rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host').length
  if (hosts !== 1 || !isLoopbackName((sent.host ?? '').replace(/:\d{1,5}$/, '')))
    return [421, 'this page is served to `127.0.0.1` and `localhost` alone']
  const { origin } = sent
  const site = sent['sec-fetch-site']
  const isNavigation = sent['sec-fetch-mode'] === 'navigate' && sent['sec-fetch-dest'] === 'document'
  if (origin !== undefined && origin !== `http://${sent.host}`) return [403, 'this page answers no other site']
  if ((site === 'cross-site' || site === 'same-site') && !isNavigation) return [403, 'this page answers no other site']
  if (method !== 'GET' && method !== 'HEAD') return [405, 'this page is only read: GET or HEAD']
  return undefined
}

function say(response: ServerResponse, status: number, message: string): void {
  const text = `${message}\n`
  const allow = status === 405 ? { allow: 'GET, HEAD' } : {}
  response.writeHead(status, {
    ...headers,
    ...allow,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
