import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The contents of an account, as the service would list it. */
export interface AccountLists {
  policies: readonly unknown[]
  permissionsGroups: readonly unknown[]
  resourceGroups: readonly unknown[]
  resources: readonly unknown[]
}

export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Answer in place of the server, or give false and let it answer. `count`: how many requests came before on this path. */
export type Fault = (request: Seen, response: ServerResponse, count: number) => boolean

/** A server that holds an account and does whatever a test has it do wrong. */
export interface AccountServer {
  readonly url: string
  readonly lists: AccountLists
  readonly seen: Seen[]
  fault: Fault | undefined
  /** Seconds. */
  lifetime: number
  /** Tokens that are accepted no longer. */
  readonly revoked: Set<string>
  close(): Promise<void>
}

export const clientId = 'EU.0123456789abcdef'
export const clientSecret = 's3cret/with+odd "signs" & more'

const paths: Readonly<Record<string, keyof AccountLists>> = {
  '/v2/iam/policy': 'policies',
  '/v2/iam/permissionsGroup': 'permissionsGroups',
  '/v2/iam/resourceGroup': 'resourceGroups',
  '/v2/iam/resource': 'resources',
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
  return true
}

export async function startAccount(lists: Partial<AccountLists> = {}): Promise<AccountServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() }
      const path = url.split('?')[0] as string
      const count = account.seen.filter((other) => other.url.split('?')[0] === path).length
      account.seen.push(one)
      if (account.fault?.(one, response, count)) return
      answer(one, path, response)
    })
  })
  let tokens = 0
  const account: AccountServer = {
    url: '',
    lists: { policies: [], permissionsGroups: [], resourceGroups: [], resources: [], ...lists },
    seen: [],
    fault: undefined,
    lifetime: 3599,
    revoked: new Set(),
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }

  function answer({ method, headers, body }: Seen, path: string, response: ServerResponse) {
    if (path === '/auth/oauth2/token' && method === 'POST') {
      const form = new URLSearchParams(body)
      const isRight =
        form.get('grant_type') === 'client_credentials' &&
        form.get('client_id') === clientId &&
        form.get('client_secret') === clientSecret &&
        form.get('scope') === 'all'
      if (!isRight) return json(response, 401, { error: 'invalid_client' })
      return json(response, 200, {
        access_token: `token-number-${++tokens}`,
        token_type: 'Bearer',
        expires_in: account.lifetime,
        scope: 'all',
      })
    }
    const key = paths[path]
    if (key === undefined || method !== 'GET') return json(response, 404, { class: 'Client::NotFound', message: 'no such route' })
    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!/^token-number-\d+$/.test(token) || account.revoked.has(token))
      return json(response, 401, { class: 'Client::Unauthorized', message: 'no valid token' })
    const items = account.lists[key]
    const size = Number(headers['x-pagination-size'] ?? 100)
    const from = Number(headers['x-pagination-cursor'] ?? 0)
    const next = from + size
    return json(response, 200, items.slice(from, next), next < items.length ? { 'x-pagination-cursor-next': `${next}` } : {})
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return Object.assign(account, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}
