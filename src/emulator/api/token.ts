import { notShown, quote } from '../model/errors.ts'
import type { Caller, Reply, ServiceRequest } from '../model/exchange.ts'
import type { Digest } from '../model/ports.ts'
import type { RecordChange } from '../model/state.ts'
import type { Service } from '../service.ts'
import type { Form, RouteContext, ServiceRoute } from './route.ts'

/** The one scope that the document of record shows. */
const scopeShown = 'all'

type OAuthError = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

/** An error in the form of RFC 6749, section 5.2. */
function oauthError(error: OAuthError, description: string, usedHeader = false): Reply {
  return {
    status: error === 'invalid_client' ? 401 : 400,
    origin: 'public',
    headers: { ...uncached, ...(usedHeader && { 'www-authenticate': 'Basic realm="stand-in", charset="UTF-8"' }) },
    body: { error, error_description: descriptionOf(description) },
  }
}

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** RFC 6749 takes printable ASCII without quotation marks and backslashes. */
function descriptionOf(text: string): string {
  return text.replace(/[^ -~]/g, '?').replace(/["\\]/g, "'")
}

interface Client {
  readonly id: string
  readonly secret: string
  readonly usedHeader: boolean
}

/**
 * `POST /auth/oauth2/token`: the client credentials grant. The client is told in the body, as the document of record shows
 * it, or by HTTP Basic, as RFC 6749, section 2.3.1 has it.
 */
function issueToken({ service, request, body }: RouteContext): Reply {
  const form = body as Form | undefined
  if (form === undefined) return oauthError('invalid_request', 'the form is missing: grant_type, client_id, client_secret, scope')
  const repeated = [...form].find(([, values]) => values.length > 1)
  if (repeated) return oauthError('invalid_request', `${repeated[0].slice(0, 100)} is given more than once`)
  const value = (name: string) => form.get(name)?.[0] || undefined
  const grant = value('grant_type')
  if (grant === undefined) return oauthError('invalid_request', 'grant_type is missing')
  const client = clientOf(request, value('client_id'), value('client_secret'))
  if ('status' in client) return client
  const account = authenticated(service, request, client)
  if (!account)
    return oauthError(
      'invalid_client',
      `the client is not known on the host of ${request.region}, or the secret is wrong`,
      client.usedHeader,
    )
  if (grant !== 'client_credentials')
    return oauthError('unsupported_grant_type', `${grant.slice(0, 100)}: the grant shown is client_credentials`)
  const scope = value('scope') ?? scopeShown
  if (scope !== scopeShown) return oauthError('invalid_scope', `${scope.slice(0, 100)}: the scope shown is ${scopeShown}`)

  const { chance, clock, digest } = service.ports
  const token = chance.token(43)
  const now = clock.now()
  const record = { identity: account.identity, account: account.account, scope, expiresAt: now + service.tokenLifetime * 1000 }
  service.state.commit([...expiredTokens(service, now), { kind: 'token', key: digest.sha256(token), value: record }])
  return {
    status: 200,
    origin: 'document',
    headers: uncached,
    body: { access_token: token, token_type: 'Bearer', expires_in: service.tokenLifetime, scope },
  }
}

/** Who the client says it is, in one of the two ways; both at once are refused. */
function clientOf(request: ServiceRequest, id: string | undefined, secret: string | undefined): Client | Reply {
  const header = request.headers.authorization
  if (header === undefined) {
    if (id === undefined || secret === undefined)
      return oauthError('invalid_request', `${id === undefined ? 'client_id' : 'client_secret'} is missing`)
    return { id, secret, usedHeader: false }
  }
  if (secret !== undefined) return oauthError('invalid_request', 'the client is told both in the header and in the body')
  const basic = readBasic(header)
  if (!basic) return oauthError('invalid_client', 'the header Authorization cannot be understood: expected Basic', true)
  if (id !== undefined && id !== basic.id) return oauthError('invalid_request', 'the header and the body name different clients')
  return { ...basic, usedHeader: true }
}

/** HTTP Basic, id and secret form-encoded as RFC 6749, section 2.3.1 says. */
function readBasic(header: string): { readonly id: string; readonly secret: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (encoded === undefined || encoded.length > 4096) return undefined
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const colon = text.indexOf(':')
    if (colon < 0) return undefined
    const decoded = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return { id: decoded(text.slice(0, colon)), secret: decoded(text.slice(colon + 1)) }
  } catch {
    return undefined
  }
}

/** The service account of a client on the host of its region. An unknown client takes as long as a wrong secret. */
function authenticated(service: Service, { region }: ServiceRequest, { id, secret }: Client) {
  const { digest } = service.ports
  const found = service.state.table('serviceAccount').get(id)
  const isRight = digest.same(digest.sha256(secret), found?.secretDigest ?? digest.sha256(''))
  if (!found || !isRight) return undefined
  return service.state.table('account').get(found.account)?.region === region ? found : undefined
}

/** Tokens are kept in the order of their ends, so that the first one that lives ends the search. */
function expiredTokens(service: Service, now: number): readonly RecordChange[] {
  const changes: RecordChange[] = []
  for (const [key, { expiresAt }] of service.state.table('token').entries()) {
    if (expiresAt > now) break
    changes.push({ kind: 'token', key })
  }
  return changes
}

/** Whose token it is; undefined where it is not known, is over, or belongs to the other host. */
export function callerOfToken(service: Service, request: ServiceRequest, token: string): Caller | undefined {
  const found = service.state.table('token').get(digestOf(service.ports.digest, token))
  if (!found || found.expiresAt <= service.ports.clock.now()) return undefined
  if (service.state.table('account').get(found.account)?.region !== request.region) return undefined
  return found
}

let lastToken = ''
let lastDigest = ''
let lastPort: Digest | undefined

/** Calls come in runs with the same token, and a digest takes longer than all else. */
function digestOf(digest: Digest, token: string): string {
  if (token !== lastToken || digest !== lastPort) {
    lastDigest = digest.sha256(token)
    lastToken = token
    lastPort = digest
  }
  return lastDigest
}

function authorizationCode(): Reply {
  return notShown('the parameters and endpoints of the authorization code flow are not shown', {
    standIn: `use a service account: ${quote('POST /auth/oauth2/token')}`,
  })
}

export const tokenRoutes: readonly ServiceRoute[] = [
  {
    method: 'POST',
    path: '/auth/oauth2/token',
    access: 'open',
    takes: 'form',
    unreadable: (message) => oauthError('invalid_request', message),
    handle: issueToken,
  },
  { method: 'GET', path: '/auth/oauth2/authorize', access: 'open', handle: authorizationCode },
  { method: 'POST', path: '/auth/oauth2/authorize', access: 'open', takes: 'form', handle: authorizationCode },
]
