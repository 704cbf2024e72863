import { callMethods } from '../../calls/match.ts'
import { readIdentity } from '../../urn/identity.ts'
import type { RouteContext, ServiceRoute } from '../api/route.ts'
import { badRequest, conflict, failure, notFound, notShown, quote } from '../model/errors.ts'
import type { Caller, HostRegion, Reply, ServiceRequest } from '../model/exchange.ts'
import { isHeaderHost } from '../model/host.ts'
import type { ApplicationRecord, CredentialRecord, CredentialState } from '../model/records.ts'
import type { RecordChange } from '../model/state.ts'
import { timestamp } from '../model/tasks.ts'
import type { Service } from '../service.ts'
import { isTimely, type SignatureHeaders, sign, timestampWindow } from './signature.ts'

/**
 * Delegated access (service API: scheme B): a developer registers an application, the application asks for a credential, a
 * customer accepts it, and calls signed with it are made for the customer, inside its access rules.
 */

/** How long a request for access waits for the customer, in seconds. How long the service waits is not published. */
export const pendingLifetime = 24 * 60 * 60

/** What one request may hold; how many requests of one application may wait for their customers. */
export const credentialLimits = { waiting: 100, rules: 1000, path: 1000, redirection: 2000 } as const

/** The longest name and description that an application may have: what a person can read before accepting. */
export const applicationLimits = { name: 100, description: 500 } as const

/** What a developer writes on the registration page. */
export interface Registration {
  readonly name: string
  readonly description: string
  /** The account of the developer. */
  readonly account: string
}

export type Registered =
  | { readonly application: ApplicationRecord; readonly problem?: undefined }
  | { readonly application?: undefined; readonly problem: { readonly field: keyof Registration; readonly message: string } }

/** Register an application: its key (AK) and its secret (AS), which is shown to the developer once. */
export function registerApplication({ state, ports }: Service, { name, description, account }: Registration): Registered {
  const wrong = (field: keyof Registration, message: string): Registered => ({ problem: { field, message } })
  if (name.trim() === '') return wrong('name', 'the name is empty: customers are asked for access under it')
  if (/\p{Cc}/u.test(name)) return wrong('name', 'the name holds a character that cannot be seen')
  if (name.length > applicationLimits.name) return wrong('name', `the name is longer than ${applicationLimits.name} characters`)
  if (description.trim() === '') return wrong('description', 'the description is empty: it tells customers what the application does')
  if (description.length > applicationLimits.description)
    return wrong('description', `the description is longer than ${applicationLimits.description} characters`)
  if (!state.table('account').has(account)) return wrong('account', `there is no account ${quote(account)}`)
  const { chance, clock } = ports
  const application: ApplicationRecord = {
    key: chance.token(16),
    secret: chance.token(32),
    name: name.trim(),
    description: description.trim(),
    account,
    createdAt: timestamp(clock.now()),
  }
  state.commit([{ kind: 'application', key: application.key, value: application }])
  return { application }
}

/** The errors of scheme B that are published: their code, status and message. */
const publicErrors = {
  INVALID_KEY: [403, 'This application key is invalid'],
  NOT_CREDENTIAL: [403, 'This credential does not exist'],
  INVALID_CREDENTIAL: [403, 'This credential is not valid'],
  INVALID_SIGNATURE: [400, 'Invalid signature'],
  QUERY_TIME_OUT: [400, 'Query out of time'],
} as const satisfies Readonly<Record<string, readonly [status: 400 | 403, message: string]>>

/** `why`: what the stand-in tells besides, for whoever looks for the fault. */
function publicError(errorCode: keyof typeof publicErrors, why: string, more: Readonly<Record<string, unknown>> = {}): Reply {
  const [status, message] = publicErrors[errorCode]
  const [name, httpCode] = status === 403 ? ['Client::Forbidden', '403 Forbidden'] : ['Client::BadRequest', '400 Bad Request']
  return { status, origin: 'public', body: { class: name, errorCode, httpCode, message, details: { standIn: { why, ...more } } } }
}

/**
 * Who signed a request with an application secret and a consumer key, or why nobody is taken to have. A key is worth nothing
 * before the customer accepted it, and after its end. What the key is worth is told only to whoever signed rightly.
 */
export function callerOfSignature(service: Service, request: ServiceRequest): Caller | Reply {
  const { state, ports, signed } = service
  const { headers, url, publicUrl = url, body } = request
  const method = request.sentMethod ?? request.method
  const header = (name: keyof SignatureHeaders) => headers[signed[name].name]
  const application = state.table('application').get(header('application') ?? '')
  if (!application) return publicError('INVALID_KEY', `\`${signed.application.shown}\` is not the key of an application`)
  const consumerKey = header('consumer')
  if (consumerKey === undefined) return publicError('NOT_CREDENTIAL', `\`${signed.consumer.shown}\` is missing`)
  const credential = state.table('credential').get(consumerKey)
  if (!credential || credential.application !== application.key || credential.region !== request.region)
    return publicError('NOT_CREDENTIAL', `\`${signed.consumer.shown}\` is not a consumer key of this application on this host`)
  const now = ports.clock.now()
  const written = header('timestamp') ?? ''
  if (!isTimely(written, now))
    return publicError('QUERY_TIME_OUT', `\`${signed.timestamp.shown}\` is not within ${timestampWindow} seconds of the time here`, {
      time: Math.floor(now / 1000),
    })
  const isSigned = (address: string) =>
    ports.digest.same(
      header('signature') ?? '',
      sign(ports.digest, { secret: application.secret, consumerKey, method, url: address, body, timestamp: written }),
    )
  if (!isSigned(url) && (publicUrl === url || !isSigned(publicUrl)))
    return publicError(
      'INVALID_SIGNATURE',
      `\`${signed.signature.shown}\` is not \`"$1$" + SHA1_HEX(AS+CK+METHOD+URL+BODY+TIMESTAMP)\`, joined by \`+\``,
      {
        method,
        url,
      },
    )
  const standing = stateOf(credential, now)
  const { identity, account } = credential
  if (standing !== 'validated' || identity === null || account === null)
    return publicError('INVALID_CREDENTIAL', `the credential is \`${standing}\``)
  lastUses(service).set(consumerKey, timestamp(now))
  return { identity, account, credential: { consumerKey, rules: credential.rules } }
}

const usedLast = new WeakMap<Service, Map<string, string>>()

/** When each key was last used, since the service started: not worth a write for every call. */
function lastUses(service: Service): Map<string, string> {
  const known = usedLast.get(service) ?? new Map<string, string>()
  usedLast.set(service, known)
  return known
}

/** When a key was last used since the service started; undefined: not since. */
export function lastUseOf(service: Service, { consumerKey }: CredentialRecord): string | undefined {
  return lastUses(service).get(consumerKey)
}

/** End a credential: calls signed with it are refused from now on. */
export function revokeCredential({ state, ports }: Service, credential: CredentialRecord): void {
  const value: CredentialRecord = { ...credential, state: 'expired', expiresAt: timestamp(ports.clock.now()) }
  state.commit([{ kind: 'credential', key: credential.consumerKey, value }])
}

/** The state of a credential at a time: one whose end has come is expired, whatever it was. */
export function stateOf({ state, expiresAt }: CredentialRecord, now: number): CredentialState {
  return expiresAt !== undefined && expiresAt <= timestamp(now) && state !== 'refused' ? 'expired' : state
}

/** `POST /1.0/auth/credential`: an application asks for access. */
function askForCredential({ service, request, body }: RouteContext): Reply {
  const { state, ports, signed } = service
  const key = request.headers[signed.application.name]
  const application = key === undefined ? undefined : state.table('application').get(key)
  if (!application)
    return publicError(
      'INVALID_KEY',
      `\`${signed.application.shown}\` is ${key === undefined ? 'missing' : 'not the key of an application'}`,
    )
  const read = readAsked(body)
  if ('status' in read) return read
  const { chance, clock } = ports
  const now = clock.now()
  const over = expiredRequests(service, now)
  const waiting = state.table('credential').find('waiting', application.key).length
  const isOver = over.filter(({ application: asking }) => asking === application.key).length
  if (waiting - isOver >= credentialLimits.waiting)
    return failure(
      429,
      'Client::TooManyRequests',
      `${credentialLimits.waiting} requests of this application wait for their customers: have one of them answered, or wait until they expire`,
      undefined,
      'stand-in',
    )
  const credential: CredentialRecord = {
    consumerKey: chance.token(32),
    application: application.key,
    region: request.region,
    ...read,
    state: 'pendingValidation',
    validation: chance.token(64),
    identity: null,
    account: null,
    createdAt: timestamp(now),
    expiresAt: timestamp(now + pendingLifetime * 1000),
  }
  state.commit([
    ...over.map(({ consumerKey }): RecordChange => ({ kind: 'credential', key: consumerKey })),
    { kind: 'credential', key: credential.consumerKey, value: credential },
  ])
  return {
    status: 200,
    origin: 'document',
    headers: { 'cache-control': 'no-store' },
    body: {
      state: credential.state,
      consumerKey: credential.consumerKey,
      validationUrl: `${service.address(request.region)}/auth/credential/validate?token=${encodeURIComponent(credential.validation)}`,
    },
  }
}

/** The requests that nobody answered in time, which are forgotten. They were made in the order of their ends. */
function expiredRequests({ state }: Service, now: number): readonly CredentialRecord[] {
  const waiting = state.table('credential').find('anyWaiting', '')
  const living = waiting.findIndex((credential) => stateOf(credential, now) === 'pendingValidation')
  return living < 0 ? waiting : waiting.slice(0, living)
}

/** What is asked for, or what is wrong with it. */
function readAsked(body: unknown): Pick<CredentialRecord, 'rules' | 'redirection'> | Reply {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return badRequest('the body is not an object: send `{"accessRules": [{"method": "GET", "path": "/me"}], "redirection": "https://…"}`')
  const { accessRules, redirection = null, ...others } = body as Readonly<Record<string, unknown>>
  if (Object.hasOwn(others, 'allowedIPs')) return notShown('`allowedIPs` is not shown: a key that it seems to narrow would not be narrowed')
  const unknown = Object.keys(others)[0]
  if (unknown !== undefined) return badRequest(`unknown field ${quote(unknown)}: send \`accessRules\` and \`redirection\``)
  if (!Array.isArray(accessRules) || accessRules.length === 0)
    return badRequest('`accessRules` is not a list with at least one rule: without one, no call is granted')
  if (accessRules.length > credentialLimits.rules) return badRequest(`\`accessRules\` has more than ${credentialLimits.rules} rules`)
  const rules: { method: string; path: string }[] = []
  for (const [i, rule] of (accessRules as readonly unknown[]).entries()) {
    if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
      return badRequest(`\`accessRules[${i}]\` is not an object: send \`{"method": "GET", "path": "/me"}\``)
    const { method, path, ...more } = rule as Readonly<Record<string, unknown>>
    const extra = Object.keys(more)[0]
    if (extra !== undefined)
      return badRequest(`\`accessRules[${i}]\` has the unknown field ${quote(extra)}: a rule has \`method\` and \`path\``)
    if (typeof method !== 'string' || !callMethods.some((known) => known === method))
      return badRequest(`\`accessRules[${i}].method\` is not one of ${callMethods.map(quote).join(', ')}`)
    if (typeof path !== 'string' || !/^[/*]/.test(path) || path.length > credentialLimits.path)
      return badRequest(`\`accessRules[${i}].path\` is not a path that starts with \`/\`, of at most ${credentialLimits.path} characters`)
    rules.push({ method, path })
  }
  const address = redirection === null ? null : readRedirection(redirection)
  return address === undefined
    ? badRequest(
        '`redirection` is not an address of `http` or `https`, without user and password, with a host of letters, digits, `.` and `-`, where the customer could be led',
      )
    : { rules, redirection: address }
}

/** The address that a customer is led to, as it will be sent: only what a browser takes for the same address as we do. */
function readRedirection(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > credentialLimits.redirection || /[\s\\\p{Cc}]/u.test(value)) return undefined
  if (!/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return undefined
  const { href, host, username, password } = new URL(value)
  return username === '' && password === '' && isHeaderHost(host) ? href : undefined
}

/** A request for access that waits for the customer, and the application that asks. */
export interface AskedAccess {
  readonly credential: CredentialRecord
  readonly application: ApplicationRecord
  readonly state: CredentialState
}

/** What the token of a `validationUrl` is about, on the host of a region; undefined: nothing. */
export function accessAsked({ state, ports }: Service, region: HostRegion, token: string): AskedAccess | undefined {
  const credential = state
    .table('credential')
    .find('validation', token)
    .find((each) => each.region === region)
  const application = credential && state.table('application').get(credential.application)
  return application && { credential, application, state: stateOf(credential, ports.clock.now()) }
}

/**
 * What became of an answer. `redirection`: where the customer is led, the address that the application gave when it asked and
 * no other; null: nowhere.
 */
export type Answered =
  | { readonly credential: CredentialRecord; readonly redirection: string | null; readonly problem?: undefined }
  | { readonly credential?: undefined; readonly redirection?: undefined; readonly problem: string }

/** The customer accepts: from now on the key is worth what its rules and the rights of `identity`, an account or a user, allow. */
export function acceptCredential(
  service: Service,
  region: HostRegion,
  token: string,
  { identity, validity }: { readonly identity: string /** In seconds; undefined: without end. */; readonly validity?: number },
): Answered {
  const asked = waiting(service, region, token)
  if (typeof asked === 'string') return { problem: asked }
  const { state, ports } = service
  const read = readIdentity(identity, { pattern: false })
  const { kind, account = '' } = read.faults ? {} : read.value
  if (read.faults || (kind !== 'account' && kind !== 'user'))
    return { problem: `${quote(identity)} is not an account or a user, who could log in` }
  if (state.table('account').get(account)?.region !== region || read.value.region !== region)
    return { problem: `${quote(identity)} is not of an account of this host` }
  const { expiresAt: _, ...lasting } = asked
  const credential: CredentialRecord = {
    ...lasting,
    state: 'validated',
    identity,
    account,
    ...(validity !== undefined && { expiresAt: timestamp(ports.clock.now() + validity * 1000) }),
  }
  state.commit([{ kind: 'credential', key: credential.consumerKey, value: credential }])
  return { credential, redirection: credential.redirection }
}

/** The customer refuses: the key is worth nothing, for good. That the customer is led anywhere is not shown. */
export function refuseCredential(service: Service, region: HostRegion, token: string): Answered {
  const asked = waiting(service, region, token)
  if (typeof asked === 'string') return { problem: asked }
  const credential: CredentialRecord = { ...asked, state: 'refused' }
  service.state.commit([{ kind: 'credential', key: credential.consumerKey, value: credential }])
  return { credential, redirection: null }
}

/** The credential that waits for an answer, or why there is none. */
function waiting(service: Service, region: HostRegion, token: string): CredentialRecord | string {
  const asked = accessAsked(service, region, token)
  if (!asked) return 'there is no such request for access'
  if (asked.state === 'pendingValidation') return asked.credential
  return asked.state === 'expired' ? 'the request for access, or what came of it, has expired' : 'the request for access has been answered'
}

// What a credential and an account may ask about credentials and applications. The bodies are published ones.

/** The number that stands for an application or a credential in paths. It follows from its key, which it does not tell. */
function idOf({ ports }: Service, key: string): number {
  return Number.parseInt(ports.digest.sha256(key).slice(0, 12), 16)
}

function credentialBody(service: Service, credential: CredentialRecord): Readonly<Record<string, unknown>> {
  const { consumerKey, application, rules, createdAt, expiresAt } = credential
  return {
    credentialId: idOf(service, consumerKey),
    applicationId: idOf(service, application),
    status: stateOf(credential, service.ports.clock.now()),
    rules,
    creation: createdAt,
    expiration: expiresAt ?? null,
    lastUse: lastUses(service).get(consumerKey) ?? null,
    allowedIPs: null,
  }
}

function applicationBody(service: Service, { key, name, description }: ApplicationRecord): Readonly<Record<string, unknown>> {
  return { applicationId: idOf(service, key), applicationKey: key, name, description, status: 'active' }
}

function ok(body: unknown): Reply {
  return { status: 200, origin: 'public', body }
}

/** An answer about the credential that a call is made with. */
function ofCurrent(answer: (service: Service, credential: CredentialRecord) => Reply) {
  return ({ service, caller }: RouteContext): Reply => {
    const credential = caller.credential && service.state.table('credential').get(caller.credential.consumerKey)
    return credential
      ? answer(service, credential)
      : notShown('what this call does for a bearer token is not shown: it is about a consumer key')
  }
}

/** `POST /auth/logout`: the key is worth nothing from now on. */
function logOut({ state }: Service, credential: CredentialRecord): Reply {
  state.commit([{ kind: 'credential', key: credential.consumerKey, value: { ...credential, state: 'expired' } }])
  return ok(null)
}

function applicationsOf({ service, caller }: RouteContext): readonly ApplicationRecord[] {
  return [...service.state.table('application').all()].filter(({ account }) => account === caller.account)
}

function credentialsOf({ service, caller }: RouteContext): readonly CredentialRecord[] {
  return [...service.state.table('credential').all()].filter(({ account }) => account === caller.account)
}

/** An answer about one application of the caller's account. */
function ofApplication(answer: (service: Service, application: ApplicationRecord) => Reply) {
  return (context: RouteContext): Reply => {
    const id = context.params.applicationId ?? ''
    const found = applicationsOf(context).find(({ key }) => String(idOf(context.service, key)) === id)
    return found ? answer(context.service, found) : notFound(`the account has no application ${quote(id)}`)
  }
}

/** An answer about one credential that the caller's account has given. */
function ofCredential(answer: (service: Service, credential: CredentialRecord) => Reply) {
  return (context: RouteContext): Reply => {
    const id = context.params.credentialId ?? ''
    const found = credentialsOf(context).find(({ consumerKey }) => String(idOf(context.service, consumerKey)) === id)
    return found ? answer(context.service, found) : notFound(`the account has no credential ${quote(id)}`)
  }
}

function listCredentials(context: RouteContext): Reply {
  const { service, request } = context
  const [status, application] = [request.query.get('status'), request.query.get('applicationId')]
  const now = service.ports.clock.now()
  const found = credentialsOf(context).filter(
    (credential) =>
      (status === undefined || stateOf(credential, now) === status) &&
      (application === undefined || String(idOf(service, credential.application)) === application),
  )
  return ok(found.map(({ consumerKey }) => idOf(service, consumerKey)))
}

/** An application is taken out with every credential that it holds. */
function deleteApplication({ state }: Service, { key }: ApplicationRecord): Reply {
  const held = state.table('credential').find('application', key)
  state.commit([{ kind: 'application', key }, ...held.map(({ consumerKey }): RecordChange => ({ kind: 'credential', key: consumerKey }))])
  return ok(null)
}

function changeCredential(): Reply {
  return notShown('what of a credential can be changed is not shown: a key that it seems to narrow would not be narrowed')
}

function deleteCredential({ state }: Service, { consumerKey }: CredentialRecord): Reply {
  state.commit([{ kind: 'credential', key: consumerKey }])
  return ok(null)
}

function applicationOfCredential(service: Service, { application }: CredentialRecord): Reply {
  const found = service.state.table('application').get(application)
  return found ? ok(applicationBody(service, found)) : conflict('the application of the credential is gone')
}

const route = (
  method: ServiceRoute['method'],
  path: string,
  access: ServiceRoute['access'],
  handle: ServiceRoute['handle'],
): ServiceRoute => ({
  method,
  path,
  access,
  handle,
})

export const credentialRoutes: readonly ServiceRoute[] = [
  route('GET', '/v1/auth/time', 'open', ({ service }) => ok(Math.floor(service.ports.clock.now() / 1000))),
  route('POST', '/v1/auth/credential', 'open', askForCredential),
  // Held to the access rules like any call: only that is shown.
  route(
    'GET',
    '/v1/auth/currentCredential',
    'judged',
    ofCurrent((service, credential) => ok(credentialBody(service, credential))),
  ),
  route('POST', '/v1/auth/logout', 'judged', ofCurrent(logOut)),
  route('GET', '/v1/me/api/application', 'judged', (context) => ok(applicationsOf(context).map(({ key }) => idOf(context.service, key)))),
  route(
    'GET',
    '/v1/me/api/application/{applicationId}',
    'judged',
    ofApplication((service, found) => ok(applicationBody(service, found))),
  ),
  route('DELETE', '/v1/me/api/application/{applicationId}', 'judged', ofApplication(deleteApplication)),
  route('GET', '/v1/me/api/credential', 'judged', listCredentials),
  route(
    'GET',
    '/v1/me/api/credential/{credentialId}',
    'judged',
    ofCredential((service, found) => ok(credentialBody(service, found))),
  ),
  route('PUT', '/v1/me/api/credential/{credentialId}', 'judged', ofCredential(changeCredential)),
  route('DELETE', '/v1/me/api/credential/{credentialId}', 'judged', ofCredential(deleteCredential)),
  route('GET', '/v1/me/api/credential/{credentialId}/application', 'judged', ofCredential(applicationOfCredential)),
]
