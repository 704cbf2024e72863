import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The site as it is built. */
export const dist = fileURLToPath(new URL('../../site/dist', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

export interface Served {
  readonly address: string
  /** The paths that were asked for. */
  readonly asked: readonly string[]
  /** The bytes of all contents so far. */
  readonly sent: () => number
  readonly close: () => Promise<void>
}

/** The site on a free port of this machine, as any server of files gives it. `alter`: another content of a path. */
export async function serveSite(alter: (path: string, content: Buffer) => Buffer = (_, content) => content): Promise<Served> {
  const asked: string[] = []
  let sent = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    asked.push(request.url ?? '')
    const path = join(dist, decodeURIComponent(pathname).replace(/\/$/, '/index.html'))
    const found = [path, `${path}.html`].find((each) => extname(each) !== '' && existsSync(each))
    response.writeHead(found ? 200 : 404, { 'content-type': types[extname(found ?? '.html')] ?? 'application/octet-stream' })
    const body = alter(pathname, readFileSync(found ?? join(dist, '404.html')))
    sent += body.length
    response.end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    sent: () => sent,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
