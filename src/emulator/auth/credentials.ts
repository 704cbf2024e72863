import { readIdentity } from '../../urn/identity.ts'
import { quote } from '../model/errors.ts'
import type { Caller, HostRegion, Reply, ServiceRequest } from '../model/exchange.ts'
import type { ApplicationRecord, CredentialRecord, CredentialState } from '../model/records.ts'
import type { Service, SignatureHeaders } from '../model/service.ts'
import type { RecordChange } from '../model/state.ts'
import { timestamp } from '../model/tasks.ts'
import { isCurrent, sign, timestampWindow } from './signature.ts'

/** Delegated access (docs/service.md, First steps): calls that an application makes for a customer, inside its access rules. */

/** How long a request for access waits for the customer, in seconds. How long the service waits is not published. */
export const pendingLifetime = 24 * 60 * 60

export const mostPending = 100

/** The longest name and description of an application: what a person can read before accepting. */
export const applicationLimits = { name: 100, description: 500 } as const

export interface Registration {
  readonly name: string
  readonly description: string
  readonly account: string
}

export interface RegistrationProblem {
  readonly field: keyof Registration
  readonly message: string
}

/** Register an application: its key (AK), and its secret (AS), which is shown once. Gives what is wrong where it cannot be. */
export function registerApplication(
  { state, ports }: Service,
  region: HostRegion,
  registration: Registration,
): ApplicationRecord | readonly RegistrationProblem[] {
  const [name, description, account] = [registration.name.trim(), registration.description.trim(), registration.account]
  const problems: RegistrationProblem[] = []
  const check = (field: keyof Registration, isWrong: boolean, message: string) => isWrong && problems.push({ field, message })
  const { name: nameLimit, description: descriptionLimit } = applicationLimits
  check('name', name === '', 'Give the application a name.')
  check('name', name.length > nameLimit, `The name is longer than ${nameLimit} characters.`)
  check('name', /\p{Cc}/u.test(name), 'The name contains a character that is not visible.')
  check('description', description === '', 'Say what the application does.')
  check('description', description.length > descriptionLimit, `The description is longer than ${descriptionLimit} characters.`)
  check('account', state.table('account').get(account)?.region !== region, 'Choose an account of this region.')
  if (problems.length > 0) return problems
  const { chance, clock } = ports
  const key = chance.token(16)
  const application = { key, secret: chance.token(32), name, description, account, createdAt: timestamp(clock.now()) }
  state.commit([{ kind: 'application', key, value: application }])
  return application
}

const publicErrors = {
  INVALID_KEY: [403, 'This application key is invalid'],
  NOT_CREDENTIAL: [403, 'This credential does not exist'],
  INVALID_CREDENTIAL: [403, 'This credential is not valid'],
  INVALID_SIGNATURE: [400, 'Invalid signature'],
  QUERY_TIME_OUT: [400, 'Query out of time'],
} as const satisfies Readonly<Record<string, readonly [status: 400 | 403, message: string]>>

/** An error as published. `why`: the emulator's explanation for developers. */
export function publicError(errorCode: keyof typeof publicErrors, why: string, more: Readonly<Record<string, unknown>> = {}): Reply {
  const [status, message] = publicErrors[errorCode]
  const [name, httpCode] = status === 403 ? ['Client::Forbidden', '403 Forbidden'] : ['Client::BadRequest', '400 Bad Request']
  return { status, origin: 'public', body: { class: name, errorCode, httpCode, message, details: { standIn: { why, ...more } } } }
}

/**
 * The identity that signed a request, or the reason why the signature is not accepted. The state of a credential is only revealed
 * after a correct signature.
 */
export function callerOfSignature(service: Service, request: ServiceRequest): Caller | Reply {
  const { state, ports, signed, memory } = service
  const { headers, url, publicUrl = url, body } = request
  const method = request.sentMethod ?? request.method
  const header = (name: keyof SignatureHeaders) => headers[signed[name].name]
  const shown = (name: keyof SignatureHeaders) => `\`${signed[name].shown}\``
  const application = state.table('application').get(header('application') ?? '')
  if (!application) return publicError('INVALID_KEY', `${shown('application')} is not the key of an application`)
  const consumerKey = header('consumer')
  if (consumerKey === undefined) return publicError('NOT_CREDENTIAL', `${shown('consumer')} is missing`)
  const credential = state.table('credential').get(consumerKey)
  if (!credential || credential.application !== application.key || credential.region !== request.region)
    return publicError('NOT_CREDENTIAL', `${shown('consumer')} is not a consumer key of this application on this host`)
  const now = ports.clock.now()
  const written = header('timestamp') ?? ''
  if (!isCurrent(written, now)) {
    const why = `${shown('timestamp')} is not within ${timestampWindow} seconds of the time here`
    return publicError('QUERY_TIME_OUT', why, { time: Math.floor(now / 1000) })
  }
  const isSigned = (address: string) => {
    const expected = sign(ports.digest, { secret: application.secret, consumerKey, method, url: address, body, timestamp: written })
    return ports.digest.same(header('signature') ?? '', expected)
  }
  if (!isSigned(url) && (publicUrl === url || !isSigned(publicUrl))) {
    const why = `${shown('signature')} is not \`"$1$" + SHA1_HEX(AS+CK+METHOD+URL+BODY+TIMESTAMP)\`, joined by \`+\``
    return publicError('INVALID_SIGNATURE', why, { method, url })
  }
  const current = stateOf(credential, now)
  const { identity, account } = credential
  if (current !== 'validated' || identity === null || account === null)
    return publicError('INVALID_CREDENTIAL', `the credential is \`${current}\``)
  memory.lastUses.set(consumerKey, timestamp(now))
  return { identity, account, credential: { consumerKey, rules: credential.rules } }
}

/** The state of a credential at a time: it expires at its end unless it was refused. */
export function stateOf({ state, expiresAt }: CredentialRecord, now: number): CredentialState {
  return expiresAt !== undefined && expiresAt <= timestamp(now) && state !== 'refused' ? 'expired' : state
}

function replaced({ state }: Service, credential: CredentialRecord): CredentialRecord {
  state.commit([{ kind: 'credential', key: credential.consumerKey, value: credential }])
  return credential
}

/** End a credential: calls signed with it are refused from now on. */
export function revokeCredential(service: Service, credential: CredentialRecord): void {
  replaced(service, { ...credential, state: 'expired', expiresAt: timestamp(service.ports.clock.now()) })
}

/** A new request for access, which waits for the customer; undefined: too many of the application's wait. */
export function requestAccess(
  service: Service,
  region: HostRegion,
  { key }: ApplicationRecord,
  asked: Pick<CredentialRecord, 'rules' | 'redirection'>,
): CredentialRecord | undefined {
  const { chance, clock } = service.ports
  const now = clock.now()
  const table = service.state.table('credential')
  // Requests were made in the order of their ends: those before the first living one have expired, and are forgotten.
  const waiting = table.find('anyWaiting', '')
  const living = waiting.findIndex((each) => stateOf(each, now) === 'pendingValidation')
  const expired = living < 0 ? waiting : waiting.slice(0, living)
  if (table.find('waiting', key).length - expired.filter(({ application }) => application === key).length >= mostPending) return undefined
  const credential: CredentialRecord = {
    consumerKey: chance.token(32),
    application: key,
    region,
    ...asked,
    state: 'pendingValidation',
    validation: chance.token(64),
    identity: null,
    account: null,
    createdAt: timestamp(now),
    expiresAt: timestamp(now + pendingLifetime * 1000),
  }
  service.state.commit([
    ...expired.map(({ consumerKey }): RecordChange => ({ kind: 'credential', key: consumerKey })),
    { kind: 'credential', key: credential.consumerKey, value: credential },
  ])
  return credential
}

export interface AskedAccess {
  readonly credential: CredentialRecord
  readonly application: ApplicationRecord
  readonly state: CredentialState
}

/** The request for access with the token of a `validationUrl`, on the host of a region. */
export function accessAsked({ state, ports }: Service, region: HostRegion, token: string): AskedAccess | undefined {
  const credential = state
    .table('credential')
    .find('validation', token)
    .find((each) => each.region === region)
  const application = credential && state.table('application').get(credential.application)
  return application && { credential, application, state: stateOf(credential, ports.clock.now()) }
}

function pending(service: Service, region: HostRegion, token: string): CredentialRecord | Problem {
  const asked = accessAsked(service, region, token)
  if (asked?.state === 'pendingValidation') return asked.credential
  if (!asked) return { problem: 'there is no such request for access' }
  return { problem: asked.state === 'expired' ? 'the request for access has expired' : 'the request for access has been answered' }
}

interface Problem {
  readonly problem: string
}

/** The customer accepts: from now on the key may do what its rules and the rights of `identity`, an account or a user, allow. */
export function acceptCredential(service: Service, region: HostRegion, token: string, identity: string): CredentialRecord | Problem {
  const asked = pending(service, region, token)
  if ('problem' in asked) return asked
  const read = readIdentity(identity, { pattern: false }).value
  if (read?.kind !== 'account' && read?.kind !== 'user')
    return { problem: `${quote(identity)} is not an account or a user, who could log in` }
  const { account = '' } = read
  if (service.state.table('account').get(account)?.region !== region || read.region !== region)
    return { problem: `${quote(identity)} is not of an account of this host` }
  const { expiresAt: _, ...lasting } = asked
  return replaced(service, { ...lasting, state: 'validated', identity, account })
}

/** The customer refuses: the key is never valid. */
export function refuseCredential(service: Service, region: HostRegion, token: string): CredentialRecord | Problem {
  const asked = pending(service, region, token)
  return 'problem' in asked ? asked : replaced(service, { ...asked, state: 'refused' })
}
