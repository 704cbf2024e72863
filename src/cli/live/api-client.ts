import { readWire } from '../../parser/json.ts'
import { sourceOf } from '../../source.ts'
import { limits } from '../../sources/limits.ts'
import { plainValue } from '../../tree.ts'
import { Refusal } from '../app/refusal.ts'

/** The client's access to the system, so that tests need not wait. */
export interface ClientPorts {
  readonly fetch: typeof fetch
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly pause: (milliseconds: number) => Promise<void>
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number
}

export interface ClientSettings {
  /** Of the API, with the prefix of the region if it has one; without a slash at its end. */
  readonly baseUrl: string
  /** Of the token host, the same. */
  readonly authUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly pageSize?: number
  readonly schemasVersion?: number
  /** How often a request is tried again. */
  readonly retries: number
  /** Milliseconds that one try may take, its answer included. */
  readonly timeout: number
}

/** The answer of the service that a call is refused. */
export interface Forbidden {
  readonly forbidden: string
}

export interface Client {
  /** All items of a list that is paginated by cursor; or the body of a 403 response. */
  readonly list: (path: string) => Promise<readonly unknown[] | Forbidden>
  /** Strings that no output may hold: the secret and the tokens, as they are and as they may come back. */
  readonly secrets: () => readonly string[]
}

/** The limits of accepted answers: past one there is an error rather than an endless answer. */
export const clientLimits = {
  /** Bytes of one answer. */
  answer: 32 * 2 ** 20,
  /** Characters of all pages of all lists: more could not be read from files either. */
  total: limits.total,
  pages: 10_000,
  /** Pages of one list that bring nothing new. */
  idlePages: 10,
  /** Milliseconds that are waited for between the tries of one request, all together. */
  waiting: 120_000,
  redirects: 5,
} as const

/** A token is renewed so many milliseconds before it ends. */
const renewal = 30_000

/** A client of the service. The token is asked for with the first call, and renewed when it ends or is refused once. */
export function openClient(
  settings: ClientSettings,
  ports: ClientPorts,
  { total, pages }: { readonly total: number; readonly pages: number } = clientLimits,
): Client {
  let charactersLeft = total
  const seen = new Set<string>([settings.clientSecret])
  let token: { readonly text: string; readonly until: number } | undefined

  const bearer = async () => {
    if (token === undefined || ports.now() >= token.until) token = await newToken(settings, ports)
    seen.add(token.text)
    return token.text
  }

  /** One call, with a fresh token where the first is refused. */
  const call = async (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const send = async () =>
      request(`${settings.baseUrl}${path}`, {
        headers: { accept: 'application/json', ...headers, authorization: `Bearer ${await bearer()}` },
      })
    const answer = await send()
    if (answer.status !== 401) return answer
    token = undefined
    return send()
  }
  const request = (url: string, init: RequestInit) => withRetries(settings, ports, () => following(url, init, settings, ports), url)

  return {
    secrets: () => [...seen],
    async list(path) {
      const items: unknown[] = []
      const seenItems = new Set<string>()
      const cursors = new Set<string>()
      let cursor: string | undefined
      let idle = 0
      for (let page = 1; ; page++) {
        const where = `GET ${path}${page === 1 ? '' : `, page ${page}`}`
        const answer = await call(path, {
          ...(settings.pageSize !== undefined && { 'x-pagination-size': `${settings.pageSize}` }),
          ...(settings.schemasVersion !== undefined && { 'x-schemas-version': `${settings.schemasVersion}` }),
          ...(cursor !== undefined && { 'x-pagination-cursor': cursor }),
        })
        if (answer.status === 403) return { forbidden: answer.text }
        if (answer.status !== 200) throw refusalOf(where, answer)
        charactersLeft -= answer.text.length
        if (charactersLeft < 0)
          throw new Refusal(
            `${where}: more than ${total / 2 ** 20} MiB in all: the rest is not read`,
            'more than that is never read from files either',
          )
        const before = seenItems.size
        for (const item of listIn(where, answer.text)) {
          const text = JSON.stringify(item)
          if (seenItems.has(text)) continue
          seenItems.add(text)
          items.push(item)
        }
        const next = answer.headers.get('x-pagination-cursor-next')
        if (next === null || next === '') return items
        if (seenItems.size === before) idle++
        if (cursors.has(next))
          throw new Refusal(`${where}: the cursor of the next page is one that was used before: the list would not end`)
        if (idle >= clientLimits.idlePages || page >= pages)
          throw new Refusal(
            `${where}: ${idle >= clientLimits.idlePages ? `${idle} pages brought nothing new` : `${page} pages were read`}, and there is always a next one`,
          )
        cursors.add(next)
        cursor = next
      }
    },
  }
}

/** The items of an answer. Read with places, so that an error has a line and column, and a duplicate key is one. */
function listIn(where: string, text: string): readonly unknown[] {
  const { documents, diagnostics } = readWire(sourceOf(where, text, 'json'))
  const [first] = diagnostics
  if (first) {
    const { start } = first.span
    const line = text.slice(0, start).split('\n')
    throw new Refusal(
      `${where}: the answer is not valid JSON: line ${line.length}, column ${(line.at(-1) as string).length + 1}: ${first.message}`,
    )
  }
  const [document] = documents
  if (document?.kind !== 'list') throw new Refusal(`${where}: the answer is not a list`, 'is `--base-url` the address of the API?')
  return document.items.map(plainValue)
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

function refusalOf(where: string, { status, text }: Answer): Refusal {
  const detail = messageIn(text)
  const hints: Readonly<Record<number, string>> = {
    401: 'a new token was refused as well: are `--base-url` and `--auth-url` of the same region?',
    404: 'is `--base-url` the address of the API, without `/v1` or `/v2`?',
    429: 'try again later, or with a smaller `--page-size`',
  }
  return new Refusal(`${where}: the service answers ${status}${detail === undefined ? '' : `: ${detail}`}`, hints[status])
}

/** The message in the body of an error, on one line. */
function messageIn(text: string): string | undefined {
  const { documents } = readWire(sourceOf('', text.slice(0, 10_000), 'json'))
  const value = documents[0] && (plainValue(documents[0]) as { message?: unknown } | null)
  return typeof value === 'object' && typeof value?.message === 'string' ? value.message.replace(/\s+/g, ' ').slice(0, 300) : undefined
}

/**
 * A token by client credentials. The package reads and checks the answer; how requests are
 * made is the same as for any other.
 */
async function newToken(settings: ClientSettings, ports: ClientPorts): Promise<{ readonly text: string; readonly until: number }> {
  const oauth = await import('./oauth.ts')
  const url = `${settings.authUrl}/auth/oauth2/token`
  const where = `POST ${url}`
  const server = { issuer: settings.authUrl, token_endpoint: url }
  const client = { client_id: settings.clientId }
  const options = {
    [oauth.allowInsecureRequests]: url.startsWith('http:'),
    [oauth.customFetch]: async (address: string, init: object) => {
      const { status, text, headers } = await withRetries(settings, ports, () => oneTry(address, init as RequestInit, settings, ports), url)
      if (status >= 300 && status < 400) throw new Refusal(`${where}: the answer leads to another address, where the secret is not sent`)
      const type = headers.get('content-type')
      return new Response(text, { status, headers: type === null ? {} : { 'content-type': type } })
    },
  }
  const asked = ports.now()
  try {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(settings.clientSecret),
      { scope: 'all' },
      options,
    )
    const { access_token, expires_in, token_type } = await oauth.processClientCredentialsResponse(server, client, response)
    // A request's head takes no other characters: the failure to send it would look like one of the network.
    if (!/^[\x21-\x7e]+$/.test(access_token))
      throw new Refusal(
        `${where}: the answer holds a token that no request can carry: a line break, a blank or a sign beyond ASCII is in it`,
        'is `--auth-url` the address of the token host?',
      )
    if (token_type !== 'bearer') throw new Refusal(`${where}: a token of type \`${token_type}\`, where \`Bearer\` is expected`)
    const life = expires_in === undefined ? Number.POSITIVE_INFINITY : expires_in * 1000
    return { text: access_token, until: asked + Math.max(life - renewal, life / 2) }
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) {
      const detail = error.error_description === undefined ? '' : `: ${error.error_description}`
      throw new Refusal(
        `${where}: no token: \`${error.error}\`${detail}`,
        error.error === 'invalid_client' ? 'are the client id and the secret of a service account of this region?' : undefined,
      )
    }
    const kinds = [oauth.OperationProcessingError, oauth.UnsupportedOperationError, oauth.WWWAuthenticateChallengeError]
    if (error instanceof Error && kinds.some((kind) => error instanceof kind))
      throw new Refusal(
        `${where}: the answer is not that of a token endpoint: ${error.message}`,
        'is `--auth-url` the address of the token host?',
      )
    throw error
  }
}

/** An error that may be temporary: worth another try. */
class Passing extends Error {
  readonly after: number | undefined
  constructor(message: string, after?: number) {
    super(message)
    this.after = after
  }
}

/** Try until there is an answer that another try would not change: a bounded number of times, within a bounded time. */
async function withRetries(
  { retries }: ClientSettings,
  { pause, random }: ClientPorts,
  attempt: () => Promise<Answer>,
  url: string,
): Promise<Answer> {
  let waited = 0
  for (let tries = 0; ; tries++) {
    let answer: Answer | undefined
    let passing: Passing
    try {
      answer = await attempt()
      const isBusy = answer.status === 429 || answer.status >= 500
      // Not implemented is an answer: it is the same the next time.
      if (!isBusy || answer.status === 501) return answer
      passing = new Passing(
        `the service answers ${answer.status}`,
        retryAfter(answer.headers.get('retry-after'), answer.headers.get('date')),
      )
    } catch (error) {
      if (!(error instanceof Passing)) throw error
      passing = error
    }
    // Twice as long each time, by chance up to half of it less, so that clients that failed together do not return together.
    const backoff = 500 * 2 ** Math.min(tries, 6) * (0.5 + random() / 2)
    const wait = Math.max(backoff, passing.after ?? 0)
    if (tries >= retries || waited + wait > clientLimits.waiting) {
      const asked = passing.after !== undefined && wait > backoff ? `, and asks to wait for ${Math.ceil(wait / 1000)} s` : ''
      if (answer && !asked && tries >= retries) return answer
      throw new Refusal(`${new URL(url).origin}: ${passing.message}${asked}; tried ${tries + 1} ${tries === 0 ? 'time' : 'times'}`)
    }
    waited += wait
    await pause(wait)
  }
}

/** `Retry-After`: seconds, or a date, compared with the service's own clock. Milliseconds. */
function retryAfter(value: string | null, date: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const [until, from] = [Date.parse(value), Date.parse(date ?? '')]
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : Math.max(0, until - from)
}

/** A read that follows where the same host leads; a token goes nowhere else. */
async function following(url: string, init: RequestInit, settings: ClientSettings, ports: ClientPorts): Promise<Answer> {
  let nextUrl = url
  for (let hops = 0; hops <= clientLimits.redirects; hops++) {
    const answer = await oneTry(nextUrl, init, settings, ports)
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status >= 400 || location === null) return answer
    const next = URL.canParse(location, nextUrl) ? new URL(location, nextUrl) : undefined
    if (next?.origin !== new URL(nextUrl).origin)
      throw new Refusal(
        `${new URL(url).origin}: the answer leads to ${next?.origin ?? 'another address'}, where the token is not sent`,
        'if that is the API, give it as `--base-url`',
      )
    nextUrl = next.href
  }
  throw new Refusal(`${new URL(url).origin}: more than ${clientLimits.redirects} answers lead on to another address`)
}

async function oneTry(url: string, init: RequestInit, { timeout }: ClientSettings, ports: ClientPorts): Promise<Answer> {
  const { origin } = new URL(url)
  try {
    const response = await ports.fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
    return { status: response.status, headers: response.headers, text: await textOf(response, origin) }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { name, cause } = error as { name?: unknown; cause?: { code?: unknown } }
    if (name === 'TimeoutError') throw new Passing(`no whole answer within ${timeout / 1000} s`)
    const code = typeof cause?.code === 'string' ? cause.code : undefined
    throw new Passing(`${networkFaults[code ?? ''] ?? 'the connection failed'}${code === undefined ? '' : ` (${code})`}`)
  }
}

const networkFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  UND_ERR_SOCKET: 'the connection was closed',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
}

/** The whole body as UTF-8, up to the limit. */
async function textOf(response: Response, origin: string): Promise<string> {
  const tooLarge = () =>
    new Refusal(`${origin}: an answer of more than ${clientLimits.answer / 2 ** 20} MiB`, 'ask for smaller pages with `--page-size`')
  if (Number(response.headers.get('content-length') ?? 0) > clientLimits.answer) {
    await response.body?.cancel()
    throw tooLarge()
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > clientLimits.answer) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new Refusal(`${origin}: the answer is not UTF-8`)
  }
}
