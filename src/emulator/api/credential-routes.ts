import { callMethods } from '../../calls/match.ts'
import { mostPending, publicError, requestAccess, stateOf } from '../auth/credentials.ts'
import { badRequest, conflict, failure, notFound, notShown, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import { isHeaderHost } from '../model/host.ts'
import type { ApplicationRecord, CredentialRecord, CredentialState, Records } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import type { RecordChange } from '../model/state.ts'
import { type Handler, judgedRoutes, type RouteContext, type ServiceRoute } from './route.ts'

export const requestLimits = { rules: 1000, path: 1000, redirection: 2000 } as const

/** `POST /1.0/auth/credential`: an application asks for access. */
function askForCredential({ service, request, body }: RouteContext): Reply {
  const { name, shown } = service.signed.application
  const key = request.headers[name]
  const application = key === undefined ? undefined : service.state.table('application').get(key)
  if (!application) return publicError('INVALID_KEY', `\`${shown}\` is ${key === undefined ? 'missing' : 'not the key of an application'}`)
  const asked = readAsked(body)
  if ('status' in asked) return asked
  const credential = requestAccess(service, request.region, application, asked)
  if (!credential) {
    const message = `${mostPending} requests of this application wait for their customers: have one of them answered, or wait until they expire`
    return failure(429, 'Client::TooManyRequests', message, undefined, 'stand-in')
  }
  const { state, consumerKey, validation } = credential
  const validationUrl = `${service.address(request.region)}/auth/credential/validate?token=${encodeURIComponent(validation)}`
  return { status: 200, origin: 'document', headers: { 'cache-control': 'no-store' }, body: { state, consumerKey, validationUrl } }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

function readAsked(body: unknown): Pick<CredentialRecord, 'rules' | 'redirection'> | Reply {
  const fields = fieldsOf(body)
  if (!fields)
    return badRequest('the body is not an object: send `{"accessRules": [{"method": "GET", "path": "/me"}], "redirection": "https://…"}`')
  // Clients send null for what their users leave open.
  const { accessRules, redirection = null, allowedIPs = null, ...others } = fields
  if (allowedIPs !== null) return notShown('`allowedIPs` is not shown: a key that it seems to narrow would not be narrowed')
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) return badRequest(`unknown field ${quote(unknown)}: send \`accessRules\` and \`redirection\``)
  if (!Array.isArray(accessRules) || accessRules.length === 0)
    return badRequest('`accessRules` is not a list with at least one rule: without one, no call is granted')
  if (accessRules.length > requestLimits.rules) return badRequest(`\`accessRules\` has more than ${requestLimits.rules} rules`)
  for (const [i, rule] of accessRules.entries()) {
    const wrong = ruleProblem(rule)
    if (wrong !== undefined) return badRequest(`\`accessRules[${i}]${wrong}`)
  }
  const address = redirection === null ? null : readRedirection(redirection)
  if (address === undefined)
    return badRequest(
      '`redirection` is not an address of `http` or `https`, without user and password, with a host of letters, digits, `.` and `-`, where the customer could be led',
    )
  return { rules: (accessRules as CredentialRecord['rules']).map(({ method, path }) => ({ method, path })), redirection: address }
}

/** The problem of an access rule, as the rest of a sentence that begins with its place. */
function ruleProblem(rule: unknown): string | undefined {
  const fields = fieldsOf(rule)
  if (!fields) return '` is not an object: send `{"method": "GET", "path": "/me"}`'
  const { method, path, ...others } = fields
  const extra = Object.keys(others)[0]
  if (extra !== undefined) return `\` has the unknown field ${quote(extra)}: a rule has \`method\` and \`path\``
  if (!callMethods.some((known) => known === method)) return `.method\` is not one of ${callMethods.map(quote).join(', ')}`
  if (typeof path !== 'string' || !/^[/*]/.test(path) || path.length > requestLimits.path)
    return `.path\` is not a path that starts with \`/\`, of at most ${requestLimits.path} characters`
  return undefined
}

/** The address that a customer is led to, as it will be sent: only what a browser takes for the same address. */
function readRedirection(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > requestLimits.redirection || /[\s\\\p{Cc}]/u.test(value)) return undefined
  if (!/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return undefined
  const { href, host, username, password } = new URL(value)
  return username === '' && password === '' && isHeaderHost(host) ? href : undefined
}

// Questions of credentials and accounts about credentials and applications. The bodies are published ones.

/** The number of an application or a credential in paths. It follows from its key, and does not reveal it. */
function idOf({ ports }: Service, key: string): number {
  return Number.parseInt(ports.digest.sha256(key).slice(0, 12), 16)
}

function credentialBody(service: Service, credential: CredentialRecord): Fields {
  const { consumerKey, application, rules, createdAt, expiresAt } = credential
  return {
    credentialId: idOf(service, consumerKey),
    applicationId: idOf(service, application),
    status: stateOf(credential, service.ports.clock.now()),
    rules,
    creation: createdAt,
    expiration: expiresAt ?? null,
    lastUse: service.memory.lastUses.get(consumerKey) ?? null,
    allowedIPs: null,
  }
}

function applicationBody(service: Service, { key, name, description }: ApplicationRecord): Fields {
  return { applicationId: idOf(service, key), applicationKey: key, name, description, status: 'active' }
}

function ok(body: unknown): Reply {
  return { status: 200, origin: 'public', body }
}

type OfCredential = (service: Service, credential: CredentialRecord) => Reply

/** An answer about the credential that a call is made with. */
function ofCurrent(answer: OfCredential): Handler {
  return ({ service, caller }) => {
    const credential = caller.credential && service.state.table('credential').get(caller.credential.consumerKey)
    return credential
      ? answer(service, credential)
      : notShown('what this call does for a bearer token is not shown: it is about a consumer key')
  }
}

type OwnKind = 'application' | 'credential'

/** The applications of the caller's account, or the credentials that it has given. */
function own<K extends OwnKind>({ service, caller }: RouteContext, kind: K): readonly Records[K][] {
  return [...service.state.table(kind).all()].filter(({ account }) => account === caller.account)
}

type OfOwn<K extends OwnKind> = (answer: (service: Service, record: Records[K]) => Reply) => Handler

/** An answer about one of them, which the path names. */
function ofOwn<K extends OwnKind>(kind: K, keyOf: (record: Records[K]) => string): OfOwn<K> {
  return (answer) => (context) => {
    const id = context.params[`${kind}Id`] ?? ''
    const found = own(context, kind).find((each) => String(idOf(context.service, keyOf(each))) === id)
    return found ? answer(context.service, found) : notFound(`the account has no ${kind} ${quote(id)}`)
  }
}

const ofApplication = ofOwn('application', ({ key }) => key)
const ofCredential = ofOwn('credential', ({ consumerKey }) => consumerKey)

export const credentialStates: readonly CredentialState[] = ['pendingValidation', 'validated', 'refused', 'expired']

function listCredentials(context: RouteContext): Reply {
  const { service, request } = context
  const [status, application] = [request.query.get('status'), request.query.get('applicationId')]
  // A filter that no credential can pass would answer that there are none.
  if (status !== undefined && !credentialStates.some((each) => each === status))
    return badRequest(`query parameter \`status\`: expected one of ${credentialStates.map(quote).join(', ')}, found ${quote(status)}`)
  if (application !== undefined && !/^[0-9]+$/.test(application))
    return badRequest(`query parameter \`applicationId\`: expected a number, found ${quote(application)}`)
  const now = service.ports.clock.now()
  const listed = own(context, 'credential').filter(
    (credential) =>
      (status === undefined || stateOf(credential, now) === status) &&
      (application === undefined || String(idOf(service, credential.application)) === application),
  )
  return ok(listed.map(({ consumerKey }) => idOf(service, consumerKey)))
}

/** An application is deleted with every credential that it holds. */
function deleteApplication({ state }: Service, { key }: ApplicationRecord): Reply {
  const held = state.table('credential').find('application', key)
  state.commit([{ kind: 'application', key }, ...held.map(({ consumerKey }): RecordChange => ({ kind: 'credential', key: consumerKey }))])
  return ok(null)
}

export const credentialRoutes: readonly ServiceRoute[] = [
  { method: 'GET', path: '/v1/auth/time', access: 'open', handle: ({ service }) => ok(Math.floor(service.ports.clock.now() / 1000)) },
  { method: 'POST', path: '/v1/auth/credential', access: 'open', handle: askForCredential },
  ...judgedRoutes({
    'GET /v1/auth/currentCredential': ofCurrent((service, credential) => ok(credentialBody(service, credential))),
    'POST /v1/auth/logout': ofCurrent(({ state }, credential) => {
      state.commit([{ kind: 'credential', key: credential.consumerKey, value: { ...credential, state: 'expired' } }])
      return ok(null)
    }),
    'GET /v1/me/api/application': (context) => ok(own(context, 'application').map(({ key }) => idOf(context.service, key))),
    'GET /v1/me/api/application/{applicationId}': ofApplication((service, found) => ok(applicationBody(service, found))),
    'DELETE /v1/me/api/application/{applicationId}': ofApplication(deleteApplication),
    'GET /v1/me/api/credential': listCredentials,
    'GET /v1/me/api/credential/{credentialId}': ofCredential((service, found) => ok(credentialBody(service, found))),
    'PUT /v1/me/api/credential/{credentialId}': ofCredential(() =>
      notShown('what of a credential can be changed is not shown: a key that it seems to narrow would not be narrowed'),
    ),
    'DELETE /v1/me/api/credential/{credentialId}': ofCredential(({ state }, { consumerKey }) => {
      state.commit([{ kind: 'credential', key: consumerKey }])
      return ok(null)
    }),
    'GET /v1/me/api/credential/{credentialId}/application': ofCredential((service, { application }) => {
      const found = service.state.table('application').get(application)
      return found ? ok(applicationBody(service, found)) : conflict('the application of the credential is gone')
    }),
  }),
]
