import { newToken, serviceAccountOf } from '../auth/tokens.ts'
import { notShown, plainText, quote } from '../model/errors.ts'
import type { Reply, ServiceRequest } from '../model/exchange.ts'
import type { Form, RouteContext, ServiceRoute } from './route.ts'

const scopeShown = 'all'

type OAuthError = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

/** An error in the form of RFC 6749, section 5.2. */
function oauthError(error: OAuthError, description: string, usedHeader = false): Reply {
  return {
    status: error === 'invalid_client' ? 401 : 400,
    origin: 'public',
    headers: { ...uncached, ...(usedHeader && { 'www-authenticate': 'Basic realm="stand-in", charset="UTF-8"' }) },
    body: { error, error_description: plainText(description) },
  }
}

const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' }

interface Client {
  readonly id: string
  readonly secret: string
  readonly usedHeader: boolean
}

/** `POST /auth/oauth2/token`: the client credentials grant. */
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
  const account = serviceAccountOf(service, request.region, client.id, client.secret)
  if (!account) {
    const unknown = `the client is not known on the host of ${request.region}, or the secret is wrong`
    return oauthError('invalid_client', unknown, client.usedHeader)
  }
  if (grant !== 'client_credentials')
    return oauthError('unsupported_grant_type', `${grant.slice(0, 100)}: the grant shown is client_credentials`)
  const scope = value('scope') ?? scopeShown
  if (scope !== scopeShown) return oauthError('invalid_scope', `${scope.slice(0, 100)}: the scope shown is ${scopeShown}`)
  return {
    status: 200,
    origin: 'document',
    headers: uncached,
    body: { access_token: newToken(service, account, scope), token_type: 'Bearer', expires_in: service.tokenLifetime, scope },
  }
}

/** The client, given in the body, as the document shows it, or by HTTP Basic, as in RFC 6749, section 2.3.1. */
function clientOf({ headers }: ServiceRequest, id: string | undefined, secret: string | undefined): Client | Reply {
  const header = headers.authorization
  if (header === undefined) {
    if (id === undefined || secret === undefined)
      return oauthError('invalid_request', `${id === undefined ? 'client_id' : 'client_secret'} is missing`)
    return { id, secret, usedHeader: false }
  }
  if (secret !== undefined) return oauthError('invalid_request', 'the client is given both in the header and in the body')
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

function authorizationCode(): Reply {
  const details = { standIn: `use a service account: ${quote('POST /auth/oauth2/token')}` }
  return notShown('the parameters and endpoints of the authorization code flow are not shown', details)
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
