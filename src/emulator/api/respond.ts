import type { Operation } from '../../actions/operations.ts'
import type { CallAnswer, JudgedRequirement } from '../../calls/judge.ts'
import { callMethods, isList, matchCall, type ReadCall, readCall } from '../../calls/match.ts'
import { authenticate } from '../auth/caller.ts'
import { judge, type Plans, recordOf, refusal, refusedByRules } from '../auth/rights.ts'
import { badRequest, type ErrorBody, internalError, methodNotAllowed, notFound, quote, undecidedReply } from '../model/errors.ts'
import type { Caller, Reply, ServiceRequest } from '../model/exchange.ts'
import { faultReply } from '../model/faults.ts'
import { firstVersion, inVersion } from '../model/schemas.ts'
import type { Service, Sink } from '../model/service.ts'
import { StoreFailure } from '../model/state.ts'
import { timestamp } from '../model/tasks.ts'
import { isForeign } from '../model/worlds.ts'
import { readBody } from './request-body.ts'
import { type FoundRoute, findRoute, type RouteContext, type RouteTable, type ServiceRoute, wordsOf } from './route.ts'

export interface RoutedService extends Service {
  /** The routes that the emulator answers itself. */
  readonly routes: RouteTable
  /** Given bodies, for operations that it does not answer itself. */
  readonly stubs: RouteTable
  /** A cache of the targets of calls: the same ones are made again and again. */
  readonly targets: Map<string, Target>
}

/** The answer to a request. Never throws: an error of a handler goes to `onFault`, and what it was about to change is not changed. */
export function respond(service: RoutedService, request: ServiceRequest): Reply {
  const effect = service.faults.take(request)
  if (!effect) return answered(service, request)
  const { status, retryAfter, latency } = effect
  const reply = status === undefined ? answered(service, { ...request, effect }) : faultReply(status, retryAfter)
  return latency === 0 ? reply : { ...reply, delay: latency }
}

function answered(service: RoutedService, request: ServiceRequest): Reply {
  try {
    const reply = answer(service, request)
    noteFailure(service, request, reply)
    return reply
  } catch (error) {
    service.onFault(error)
    return internalError(
      error instanceof StoreFailure
        ? `the change could not be stored, and was not made: ${error.message}`
        : 'the emulator failed at this call',
    )
  }
}

/** A call that fails before any policy is asked is in the log as well: it is what users look for there. */
function noteFailure(service: Service, { method, path }: ServiceRequest, { judged, status, body }: Reply): void {
  if (judged || status < 400 || typeof body !== 'object' || body === null) return
  const { message, error_description: description } = body as { readonly message?: unknown; readonly error_description?: unknown }
  const why = message ?? description
  if (typeof why === 'string') service.calls.fail({ at: timeOf(service), method, path, status, why })
}

function answer(service: RoutedService, request: ServiceRequest): Reply {
  const target = targetOf(service, request)
  if (target === undefined) return badRequest(`path ${quote(request.path)}: malformed percent-encoding`)
  if (request.method === 'OPTIONS') return optionsOf(service, target.words)
  if (!callMethods.some((method) => method === request.method)) return unknownMethod(service, request, target.words)
  const { route, params } = target.found ?? noRoute
  if (route?.access === 'open') return handled(service, request, route, params, anonymous)
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

export interface Target {
  readonly words: readonly string[]
  readonly found: FoundRoute | undefined
  readonly read: ReadCall
  /** The operation, where it needs no authentication. */
  readonly isOpen: Operation | undefined
  /** Where the path names no branch: the path that matches, with one. */
  readonly suggested: string | undefined
  readonly plans: Plans
}

/** How many targets are remembered, with paths of how many characters. */
const mostTargets = 4096
const longestTarget = 512

function targetOf({ targets, operations, routes }: RoutedService, { region, method, path }: ServiceRequest): Target | undefined {
  const key = `${region} ${method} ${path}`
  const knownTarget = targets.get(key)
  if (knownTarget) return knownTarget
  const words = wordsOf(path)
  if (!words) return undefined
  const read = readCall(method, path)
  const matched = read.call && matchCall(operations, read.call)
  const operation = matched?.kind === 'one' ? matched.match.operation : undefined
  const target: Target = {
    words,
    found: findRoute(routes, method, words),
    read,
    isOpen: operation?.noAuthentication ? operation : undefined,
    suggested: operation && read.call?.branch === undefined ? `/${operation.branch}${path}` : undefined,
    plans: new Map(),
  }
  if (key.length <= longestTarget) {
    if (targets.size >= mostTargets) targets.clear()
    targets.set(key, target)
  }
  return target
}

/** A call whose rights are checked: one of a route, or any other of the catalogue. */
function judged(service: RoutedService, request: ServiceRequest, caller: Caller, target: Target): Reply {
  const { read, found, plans } = target
  if (!read.call) return badRequest(read.problems.map(({ message }) => message).join('; '))
  const answered = judge(service, caller, request, read.call, plans)
  if (answered.matched.kind === 'none') return unknownPath(request, answered.matched, found)
  const refused = refusal(answered)
  const isLetThrough = refused !== undefined && isSoftFor(service, answered) && foreignIn(service, caller, answered) === undefined
  const reply = refused && !isLetThrough ? refused : done(service, request, caller, target, answered)
  const record = recordOf(timeOf(service), caller, request, answered, reply.status)
  // Before the others: a stream of the calls sends what is needed.
  if (isLetThrough) service.needed.add(record, answered)
  for (const sink of service.sinks) pass(service, sink, record, answered)
  if (!isLetThrough) return { ...reply, judged: record }
  return { ...reply, headers: { ...reply.headers, [softHeader]: answered.policies === 'deny' ? 'refused' : 'undecided' }, judged: record }
}

/** The header of an answer to a call that is only let through by soft mode. */
const softHeader = 'grantwise-soft'

/** Whether soft mode lets a call through that is not allowed: what policies refuse or leave open, and not what the rules of a key do. */
function isSoftFor({ isSoft }: Service, { policies, credential }: CallAnswer): boolean {
  return isSoft && policies !== 'allow' && (credential === undefined || credential.verdict === 'allow')
}

/** RFC 3339 with milliseconds. */
function timeOf({ memory, ports }: Service): string {
  const instant = ports.clock.now()
  if (memory.time?.instant !== instant) memory.time = { instant, text: timestamp(instant) }
  return memory.time.text
}

/** A failure of the log does not undo the call. */
function pass({ onFault }: Service, sink: Sink, ...call: Parameters<Sink>): void {
  try {
    sink(...call)
  } catch (error) {
    onFault(error)
  }
}

function done(service: RoutedService, request: ServiceRequest, caller: Caller, { found, words }: Target, answered: CallAnswer): Reply {
  const route = found?.route
  const foreign = foreignIn(service, caller, answered)
  // For this account the resource does not exist, even if its policies name it.
  if (foreign) return notFound(`there is no resource ${quote(foreign.resource ?? '')}`)
  if (route && !route.mayBeStubbed) return handled(service, request, route, found.params, caller)
  if (service.isStrict) {
    const absent = answered.requirements.find((each) => each.required && each.from === 'path' && !isListed(service, caller, each.resource))
    if (absent) return notFound(`the seed lists no resource ${quote(absent.resource ?? '')}`)
  }
  const { operation } = answered
  const stub = stubbed(service, request, words)
  if (!stub && route) return handled(service, request, route, found.params, caller)
  if (!stub && !operation) return undecidedReply(answered.missing)
  const reply = stub ?? shaped(service, operation as Operation)
  return operation?.branch === 'v2' ? inVersion(service, request, caller.account, firstVersion, () => reply) : reply
}

/** The body that was given for an operation; undefined where there is none. */
function stubbed(service: RoutedService, request: ServiceRequest, words: readonly string[]): Reply | undefined {
  const stub = findRoute(service.stubs, request.method, words)?.route
  return stub && handled(service, { ...request, body: '' }, { ...stub, access: 'open' }, {}, anonymous)
}

/** The need of a call on a resource of its path that another account of this service owns. */
function foreignIn(service: Service, caller: Caller, { requirements }: CallAnswer): JudgedRequirement | undefined {
  return requirements.find(({ from, resource }) => from === 'path' && isForeignUrn(service, caller, resource))
}

/** Whether another account of this service owns a resource. */
function isForeignUrn({ state }: Service, { account }: Caller, urn: string | undefined): boolean {
  const record = urn === undefined ? undefined : state.table('inventory').get(urn)
  return record !== undefined && isForeign(state, record, account)
}

/** Whether a resource is in the inventory, as far as the caller's account may know it. */
function isListed({ state }: Service, { account }: Caller, urn: string | undefined): boolean {
  const record = urn === undefined ? undefined : state.table('inventory').get(urn)
  return record !== undefined && !isForeign(state, record, account)
}

/** An empty answer of the right shape, for an operation that the emulator does not answer itself. */
function shaped(service: Service, operation: Operation): Reply {
  const body = operation.method === 'GET' ? (isList(service.operations, operation) ? [] : {}) : null
  return { status: 200, origin: 'public', body }
}

function unknownPath(
  { method, path }: ServiceRequest,
  { near, methods }: Extract<CallAnswer['matched'], { kind: 'none' }>,
  route: FoundRoute | undefined,
): Reply {
  const allowed = new Set<string>([...methods, ...(route?.methods ?? []), ...(route?.route ? [route.route.method] : [])])
  if (allowed.size > 0 && !allowed.has(method)) return methodNotAllowed(method, [...allowed])
  return notFound(`no operation \`${method}\` ${quote(path)} is known${hint(near)}`)
}

/** A path without a branch is none of the API: to take the one that matches would be a guess. */
function withoutBranch({ method, path }: ServiceRequest, { found, suggested }: Target): Reply {
  if (found) return methodNotAllowed(method, found.methods)
  const start = 'paths of the API begin with `/1.0`, `/v1` or `/v2`'
  return notFound(`no operation \`${method}\` ${quote(path)} is known, ${start}${hint(suggested)}`)
}

function hint(path: string | undefined): string {
  return path === undefined ? '' : `: did you mean ${quote(path)}?`
}

const anonymous: Caller = Object.freeze({
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

function optionsOf(service: RoutedService, words: readonly string[]): Reply {
  const methods = methodsOf(service, words)
  if (methods.length === 0) return nothingAt(words)
  return { status: 204, origin: 'inferred', headers: { allow: [...methods, 'OPTIONS'].join(', ') } }
}

/** The answer to `TRACE` and methods that no path has: the same to everybody, as to `OPTIONS`. */
function unknownMethod(service: RoutedService, { method }: ServiceRequest, words: readonly string[]): Reply {
  const methods = methodsOf(service, words)
  return methods.length === 0 ? nothingAt(words) : methodNotAllowed(method, methods)
}

function nothingAt(words: readonly string[]): Reply {
  return notFound(`no operation is known at ${quote(`/${words.join('/')}`)}`)
}

function methodsOf(service: RoutedService, words: readonly string[]): readonly string[] {
  const path = `/${words.map(encodeURIComponent).join('/')}`
  return callMethods.filter((method) => {
    const { call } = readCall(method, path)
    return findRoute(service.routes, method, words)?.route || (call?.branch && matchCall(service.operations, call).kind !== 'none')
  })
}
