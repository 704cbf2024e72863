import type { Operation } from '../../actions/operations.ts'
import type { CallAnswer } from '../../calls/judge.ts'
import { isList, matchCall, type ReadCall, readCall } from '../../calls/match.ts'
import { readWire } from '../../parser/json.ts'
import { position, sourceOf } from '../../source.ts'
import { type Node, plain } from '../../tree.ts'
import type { CallRecord } from '../../usage/record.ts'
import { callerOfSignature } from '../auth/credentials.ts'
import { judgeKnown, type Plans, recordOf, refusal, refusedByRules } from '../auth/rights.ts'
import {
  badRequest,
  type ErrorBody,
  failure,
  internal,
  methodNotAllowed,
  notFound,
  quote,
  unauthorised,
  undecided,
} from '../model/errors.ts'
import type { Caller, Reply, ServiceRequest } from '../model/exchange.ts'
import { faultReply } from '../model/faults.ts'
import { firstVersion, inVersion } from '../model/schemas.ts'
import { StoreFailure } from '../model/state.ts'
import { isForeign } from '../model/worlds.ts'
import type { Service } from '../service.ts'
import { bodyLimits } from './bodies.ts'
import { readForm } from './form.ts'
import { type FoundRoute, findRoute, type RouteContext, type ServiceRoute, wordsOf } from './route.ts'
import { callerOfToken } from './token.ts'

/**
 * The answer to a request: who calls, whether the call is let through, what it does. Never throws: a fault of a handler is
 * told to `service.onFault` and answered with status 500, and what it was about to change is not changed.
 */
export function respond(service: Service, request: ServiceRequest): Reply {
  const effect = service.faults.take(request)
  if (!effect) return answered(service, request)
  const { status, retryAfter, latency } = effect
  const reply = status === undefined ? answered(service, { ...request, effect }) : faultReply(status, retryAfter)
  return latency === 0 ? reply : { ...reply, delay: latency }
}

function answered(service: Service, request: ServiceRequest): Reply {
  try {
    return answer(service, request)
  } catch (error) {
    service.onFault(error)
    return internal(
      error instanceof StoreFailure
        ? `the change could not be stored, and was not made: ${error.message}`
        : 'the stand-in failed at this call',
    )
  }
}

function answer(service: Service, request: ServiceRequest): Reply {
  const target = targetOf(service, request)
  if (target === undefined) return badRequest(`path ${quote(request.path)}: malformed percent-encoding`)
  if (request.method === 'OPTIONS') return optionsOf(service, target.words)
  const { route, params } = target.found ?? noRoute
  if (route?.access === 'open') return handled(service, request, route, params, nobody)
  if (!route && target.read.call && target.read.call.branch === undefined) return withoutBranch(request, target)
  if (!route && target.isOpen) return stubbed(service, request, target.words) ?? shaped(service, target.isOpen)
  const caller = authenticate(service, request)
  if ('status' in caller) return caller
  if (route?.access === 'session') {
    const { call } = target.read
    return (call && refusedByRules(caller, call)) ?? handled(service, request, route, params, caller)
  }
  return judged(service, request, caller, target)
}

const noRoute: FoundRoute = { route: undefined, params: {}, methods: [] }

/** What a method and a path stand for. */
export interface Target {
  readonly words: readonly string[]
  readonly found: FoundRoute | undefined
  readonly read: ReadCall
  /** The operation, where it needs no authentication. */
  readonly isOpen: Operation | undefined
  /** Where the path names no branch: the path that fits, with one. */
  readonly suggested: string | undefined
  readonly plans: Plans
}

/** Targets are remembered, since the same calls are made again and again: so many, with paths of so many characters. */
const mostTargets = 4096
const longestTarget = 512
const targets = new WeakMap<Service, Map<string, Target>>()

function targetOf(service: Service, { method, path }: ServiceRequest): Target | undefined {
  let known = targets.get(service)
  if (!known) {
    known = new Map()
    targets.set(service, known)
  }
  const key = `${method} ${path}`
  const found = known.get(key)
  if (found) return found
  const words = wordsOf(path)
  if (!words) return undefined
  const read = readCall(method, path)
  const matched = read.call && matchCall(service.operations, read.call)
  const operation = matched?.kind === 'one' ? matched.match.operation : undefined
  const target: Target = {
    words,
    found: findRoute(service.routes, method, words),
    read,
    isOpen: operation?.noAuthentication ? operation : undefined,
    suggested: operation && read.call?.branch === undefined ? `/${operation.branch}${path}` : undefined,
    plans: new WeakMap(),
  }
  if (key.length <= longestTarget) {
    if (known.size >= mostTargets) known.clear()
    known.set(key, target)
  }
  return target
}

/** A call whose rights are checked: one of a route, or any other of the catalogue. */
function judged(service: Service, request: ServiceRequest, caller: Caller, target: Target): Reply {
  const { read, found, plans } = target
  if (!read.call) return badRequest(read.problems.map(({ message }) => message).join('; '))
  const answered = judgeKnown(service, caller, request, read.call, plans)
  if (answered.matched.kind === 'none') return unknownPath(request, answered.matched, found)
  const reply = refusal(answered) ?? done(service, request, caller, target, answered)
  if (service.sinks.size > 0) tellSinks(service, recordOf(timeOf(service.ports.clock.now()), caller, request, answered, reply.status))
  return reply
}

/** What was done stays done, whether or not it can be written down. */
function tellSinks(service: Service, record: CallRecord): void {
  for (const tell of service.sinks) {
    try {
      tell(record)
    } catch (error) {
      service.onFault(error)
    }
  }
}

function done(service: Service, request: ServiceRequest, caller: Caller, { found, words }: Target, answered: CallAnswer): Reply {
  const route = found?.route
  if (route && !route.mayBeStubbed) return handled(service, request, route, found.params, caller)
  if (service.isStrict) {
    const absent = answered.requirements.find((each) => each.required && each.from === 'path' && !isListed(service, caller, each.resource))
    if (absent) return notFound(`the seed lists no resource ${quote(absent.resource ?? '')}`)
  }
  const { operation } = answered
  const stub = stubbed(service, request, words)
  if (!stub && route) return handled(service, request, route, found.params, caller)
  if (!stub && !operation) return undecided(answered.missing)
  const reply = stub ?? shaped(service, operation as Operation)
  return operation?.branch === 'v2' ? inVersion(service, request, caller.account, firstVersion, () => reply) : reply
}

/** The body that was given for an operation; undefined where there is none. */
function stubbed(service: Service, request: ServiceRequest, words: readonly string[]): Reply | undefined {
  const stub = findRoute(service.stubs, request.method, words)?.route
  return stub && handled(service, { ...request, body: '' }, { ...stub, access: 'open' }, {}, nobody)
}

/** Whether a resource is one that the caller's account may know to be there. */
function isListed({ state }: Service, { account }: Caller, urn: string | undefined): boolean {
  const record = urn === undefined ? undefined : state.table('inventory').get(urn)
  return record !== undefined && !isForeign(state, record, account)
}

/** An operation of the catalogue without an answer of its own: an empty one of the right shape. */
function shaped(service: Service, operation: Operation): Reply {
  const body = operation.method === 'GET' ? (isList(service.operations, operation) ? [] : {}) : null
  return { status: 200, origin: 'public', body }
}

function unknownPath(
  { method, path }: ServiceRequest,
  { near, methods }: Extract<CallAnswer['matched'], { kind: 'none' }>,
  found: FoundRoute | undefined,
): Reply {
  const allowed = new Set<string>([...methods, ...(found?.methods ?? []), ...(found?.route ? [found.route.method] : [])])
  if (allowed.size > 0 && !allowed.has(method)) return methodNotAllowed(method, [...allowed])
  const hint = near === undefined ? '' : `: did you mean ${quote(near)}?`
  return notFound(`no operation \`${method}\` ${quote(path)} is known${hint}`)
}

/** A path that names no branch is none of the API: to take the one that fits would do, or seem to do, what nobody asked for. */
function withoutBranch({ method, path }: ServiceRequest, { found, suggested }: Target): Reply {
  if (found) return methodNotAllowed(method, found.methods)
  const hint = suggested === undefined ? '' : `: did you mean ${quote(suggested)}?`
  return notFound(`no operation \`${method}\` ${quote(path)} is known, paths of the API begin with \`/1.0\`, \`/v1\` or \`/v2\`${hint}`)
}

let lastInstant = Number.NaN
let lastTime = ''

/** RFC 3339 with milliseconds. Many calls come in one millisecond, and writing it takes as long as half of a record. */
function timeOf(instant: number): string {
  if (instant !== lastInstant) {
    lastTime = new Date(instant).toISOString()
    lastInstant = instant
  }
  return lastTime
}

/** Nobody: what an open route is given. */
const nobody: Caller = Object.freeze({
  get identity(): string {
    throw new Error('an open route has no caller')
  },
  get account(): string {
    throw new Error('an open route has no caller')
  },
})

function handled(
  service: Service,
  request: ServiceRequest,
  route: ServiceRoute,
  params: Readonly<Record<string, string>>,
  caller: Caller,
): Reply {
  const read = readBody(request, route)
  if (read && 'status' in read) return route.unreadable?.((read.body as ErrorBody).message) ?? read
  const context: RouteContext = { service, request, params, caller, body: read?.body, tree: read?.tree, schemasVersion: 1 }
  if (route.access === 'open' || !route.path.startsWith('/v2/')) return route.handle(context)
  return inVersion(service, request, caller.account, route.schemas ?? firstVersion, (schemasVersion) =>
    route.handle({ ...context, schemasVersion }),
  )
}

/** The body in the form that the route takes, undefined where there is none, or why it cannot be read. */
function readBody(
  { body, headers }: ServiceRequest,
  { takes = 'json' }: ServiceRoute,
): { body: unknown; tree: Node | undefined } | Reply | undefined {
  if (body === '') return undefined
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const expected = takes === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
  if (type !== expected) {
    const given = type === undefined ? 'the header `Content-Type` is missing' : `the body is ${quote(type)}`
    return failure(415, 'Client::UnsupportedMediaType', `${given}: expected \`${expected}\``)
  }
  if (takes === 'form') return { body: readForm(body), tree: undefined }
  const source = sourceOf('body', body, 'json')
  const { documents, diagnostics } = readWire(source, bodyLimits.keys)
  const wrong = diagnostics.find(({ severity }) => severity === 'error')
  const tree = documents[0]
  if (wrong || !tree) {
    const { line, column } = position(source, wrong?.span.start ?? 0)
    const message = wrong?.message ?? 'the body is empty'
    if (wrong?.code === 'size-limit')
      return badRequest(`the body has more than ${bodyLimits.keys} keys, the most that is read`, { line, column })
    return badRequest(`the body is no JSON: line ${line}, column ${column}: ${message}`, { line, column })
  }
  return { body: plain(tree), tree }
}

/** Who calls, from a token or a signature; else why that is not known. */
export function authenticate(service: Service, request: ServiceRequest): Caller | Reply {
  const { authorization } = request.headers
  if (authorization === undefined) {
    if (request.headers[service.signed.application.name] !== undefined) return callerOfSignature(service, request)
    return unauthorised('nothing says who calls: send `Authorization: Bearer <ACCESS_TOKEN>`')
  }
  const token = bearerToken(authorization)
  if (token === undefined)
    return unauthorised('the header `Authorization` cannot be understood: expected `Bearer <ACCESS_TOKEN>`', 'invalid_request')
  return (
    callerOfToken(service, request, token) ??
    unauthorised('the token is not known, has expired, or belongs to an account of another region', 'invalid_token')
  )
}

function bearerToken(header: string): string | undefined {
  return /^Bearer +([A-Za-z0-9\-._~+/]{1,4096}=*)$/i.exec(header)?.[1]
}

function optionsOf(service: Service, words: readonly string[]): Reply {
  const methods = new Set<string>()
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const read = readCall(method, `/${words.map(encodeURIComponent).join('/')}`)
    if (findRoute(service.routes, method, words)?.route || (read.call?.branch && matchCall(service.operations, read.call).kind !== 'none'))
      methods.add(method)
  }
  if (methods.size === 0) return notFound(`no operation is known at ${quote(`/${words.join('/')}`)}`)
  return { status: 204, origin: 'inferred', headers: { allow: [...methods, 'OPTIONS'].join(', ') } }
}
