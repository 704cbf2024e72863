import { readInstant } from '../../conditions/time.ts'
import { resumeTasks, stopTasks } from '../api/asset-tasks.ts'
import { readJson } from '../api/request-body.ts'
import { decisionReply, isDecisionPath } from '../authzen/routes.ts'
import { callStream, mostRemembered, type NumberedCall } from '../model/call-log.ts'
import type { MovableClock } from '../model/clock.ts'
import { badRequest, failure, methodNotAllowed, notFound, quote } from '../model/errors.ts'
import type { Reply } from '../model/exchange.ts'
import { type Fault, readFault } from '../model/faults.ts'
import type { WrittenFields } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import type { RecordChange } from '../model/state.ts'
import { exportSeed } from './export.ts'
import { openApi } from './openapi.ts'
import { readSearch, requestJson } from './requests.ts'
import type { Reloaded } from './seed.ts'

/** The path of routes that only the emulator has (docs/service.md, Control routes). */
export const controlPath = '/_emulator'

export interface ControlRequest {
  /** In capitals. */
  readonly method: string
  readonly path: string
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** It comes from this machine, and names it, and not through a proxy. */
  readonly isNear: boolean
}

export interface Control {
  readonly service: Service
  readonly clock: MovableClock
  /** The records of the seed as it was last read. */
  seed: readonly RecordChange[]
  /** Read the seed again, and begin again with it. */
  readonly reload: () => Promise<Reloaded>
  /** The bearer token that requests from outside of this machine send. */
  readonly token: string
  readonly version: string
}

/** Forget everything that happened, and begin again with the seed. */
export function reset({ service, seed }: Control): void {
  stopTasks(service)
  service.state.replace(seed)
  service.calls.clear()
  service.needed.clear()
  const { faults, seed: chance } = service.faults.list()
  service.faults.set(faults, chance)
  resumeTasks(service)
}

interface ControlRoute {
  readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly summary: string
  /** `body`: as JSON; undefined where there is none. */
  readonly handle: (control: Control, body: unknown, headers: ControlRequest['headers']) => Reply | Promise<Reply>
}

export const controlRoutes: readonly ControlRoute[] = [
  { method: 'POST', path: '/reset', summary: 'begin again with the seed', handle: resetAll },
  { method: 'POST', path: '/reload', summary: 'read the files of the seed again, and begin again with them', handle: reloadAll },
  {
    method: 'GET',
    path: '/export',
    summary: 'the state as a seed document; it holds secrets',
    handle: ({ service }) => answer(exportSeed(service)),
  },
  {
    method: 'GET',
    path: '/openapi.json',
    summary: 'what is served, as an OpenAPI document',
    handle: ({ service, version }) => answer(openApi(service, version)),
  },
  {
    method: 'GET',
    path: '/requests',
    summary: `the last ${mostRemembered} calls of the API, with the decisions over each`,
    handle: ({ service }) => requestsReply(service, () => true),
  },
  {
    method: 'POST',
    path: '/requests/find',
    summary: 'those of them that fit: `method`, `path`, `status`, `verdict`, `identity`, `action`',
    handle: findRequests,
  },
  {
    method: 'DELETE',
    path: '/requests',
    summary: 'forget the calls',
    handle: ({ service }) => {
      service.calls.clear()
      return requestsReply(service, () => true)
    },
  },
  {
    method: 'GET',
    path: '/needed',
    summary: 'with `--soft`, the policies that calls needed and did not have; as `text/event-stream` after each of them',
    handle: neededReply,
  },
  {
    method: 'DELETE',
    path: '/needed',
    summary: 'forget what was needed',
    handle: ({ service }) => {
      service.needed.clear()
      return answer(service.needed.list())
    },
  },
  { method: 'GET', path: '/clock', summary: 'the time, and whether it stands still', handle: (control) => answer(clockBody(control)) },
  { method: 'PUT', path: '/clock', summary: 'set the clock: `at`, or `offset` in seconds', handle: setClock },
  { method: 'POST', path: '/clock/advance', summary: 'move the clock forward by `seconds`', handle: advanceClock },
  { method: 'GET', path: '/faults', summary: 'what goes wrong on purpose', handle: ({ service }) => answer(service.faults.list()) },
  { method: 'PUT', path: '/faults', summary: 'set `faults`, counted from their first call, and `seed`', handle: setFaults },
  {
    method: 'DELETE',
    path: '/faults',
    summary: 'nothing goes wrong any more',
    handle: ({ service }) => setFaults({ service }, { faults: [] }),
  },
]

/** The calls that fit. `forgotten`: older ones, which are in no answer any more. */
function requestsReply({ calls }: Service, fits: (call: NumberedCall) => boolean): Reply {
  const requests = calls.since(0).filter(fits)
  return answer({ count: requests.length, forgotten: calls.forgotten(), requests: requests.map(requestJson) })
}

/** The policies that were needed, now or after each call that soft mode lets through. */
function neededReply({ service }: Control, _: unknown, { accept = '' }: ControlRequest['headers']): Reply {
  if (!accept.includes('text/event-stream')) return answer(service.needed.list())
  const data = ({ record }: NumberedCall) => (record && service.needed.has(record) ? JSON.stringify(service.needed.list()) : undefined)
  const newest = service.calls.since(0).at(-1)?.number ?? 0
  return {
    status: 200,
    origin: 'stand-in',
    headers: { 'cache-control': 'no-store' },
    stream: callStream(service.calls, service.ports.clock, newest, data),
  }
}

function findRequests({ service }: Control, body: unknown): Reply {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return badRequest('send `{"method": "POST", "path": "/v1/vps/*", "verdict": "deny"}`')
  const fits = readSearch(fieldsOf(body))
  return typeof fits === 'string' ? badRequest(fits) : requestsReply(service, fits)
}

const mostFaults = 1000

function setFaults({ service: { faults } }: Pick<Control, 'service'>, body: unknown): Reply {
  const { faults: faultsGiven, seed = 0, ...others } = fieldsOf(body)
  if (!Array.isArray(faultsGiven) || Object.keys(others).length > 0)
    return badRequest(
      'send `{"faults": [{"method": "GET", "path": "/v1/vps/*", "status": 429, "retryAfter": 2, "share": 0.1}], "seed": 1}`',
    )
  if (faultsGiven.length > mostFaults) return badRequest(`more than ${mostFaults} faults`)
  if (!Number.isSafeInteger(seed)) return badRequest('`seed` is not a whole number')
  const read = faultsGiven.map(readFault)
  const wrong = read.findIndex((each) => typeof each === 'string')
  if (wrong >= 0) return badRequest(`\`faults[${wrong}]\`: ${read[wrong]}`)
  faults.set(read as readonly Fault[], seed as number)
  return answer(faults.list())
}

/** The answer to a request of this kind. Health is answered to anybody, all else only to who may control the emulator. */
export function controlReply(control: Control, request: ControlRequest): Reply | Promise<Reply> {
  const { method, path } = request
  if (path === '/health') return method === 'GET' ? answer(health(control)) : methodNotAllowed(method, ['GET'])
  const refused = refusedControl(control, request)
  if (refused) return refused
  if (isDecisionPath(path)) return decisionReply(control.service, request)
  const below = path.slice(controlPath.length).replace(/\/$/, '')
  if (below === '')
    return method === 'GET'
      ? answer({ routes: controlRoutes.map(({ method, path, summary }) => ({ method, path: `${controlPath}${path}`, summary })) })
      : methodNotAllowed(method, ['GET'])
  const there = controlRoutes.filter((each) => each.path === below)
  const route = there.find((each) => each.method === method)
  if (there.length === 0) return notFound(`nothing at ${quote(path)}: ${quote(`GET ${controlPath}`)} lists what there is`)
  const methods = there.map((each) => each.method)
  if (!route) return methodNotAllowed(method, methods)
  const read = request.body === '' ? { body: undefined } : readJson(request.body)
  return 'status' in read ? read : route.handle(control, read.body, request.headers)
}

function answer(body: unknown): Reply {
  return { status: 200, origin: 'stand-in', headers: { 'cache-control': 'no-store' }, body }
}

function health({ service: { state }, version }: Control) {
  return { status: 'ok', version, accounts: state.table('account').size, policies: state.table('policy').size }
}

/** Why a request may not control the emulator; undefined where it may. */
function refusedControl({ service, token }: Control, { headers, isNear }: ControlRequest): Reply | undefined {
  const site = headers['sec-fetch-site']
  if ((site !== undefined && site !== 'same-origin' && site !== 'none') || (headers.origin !== undefined && site !== 'same-origin'))
    return failure(403, 'Client::Forbidden', 'a page of another site may not control the emulator', undefined, 'stand-in')
  if (isNear) return undefined
  const bearerToken = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearerToken !== undefined && service.ports.digest.same(bearerToken, token)) return undefined
  const why = 'requests from outside of this machine send the control token: `Authorization: Bearer <token>`'
  const help = 'it is in the file of `--ready-file`, or given with the variable `GRANTWISE_CONTROL_TOKEN`'
  return { ...failure(401, 'Client::Unauthorized', `${why}; ${help}`, undefined, 'stand-in'), headers: { 'www-authenticate': 'Bearer' } }
}

function resetAll(control: Control): Reply {
  reset(control)
  return answer(health(control))
}

/** Where the seed has errors, nothing changes: the part that was not understood may hold a deny. */
async function reloadAll(control: Control): Promise<Reply> {
  const reloaded = await control.reload()
  if ('problems' in reloaded) {
    const details = { problems: reloaded.problems }
    return failure(409, 'Client::Conflict', 'the seed has errors: the state stays as it is', details, 'stand-in')
  }
  const serviceAccounts = reloaded.generated.map(({ identity, clientId, secret }) => ({ identity, clientId, clientSecret: secret }))
  return answer({ ...health(control), serviceAccounts })
}

function clockBody({ clock }: Control) {
  return { now: new Date(clock.now()).toISOString(), standing: clock.isStopped() }
}

const beyond = badRequest('the clock would leave the years 0 to 9999: no others can be written')

function setClock(control: Control, body: unknown): Reply {
  const { at, offset, ...others } = fieldsOf(body)
  if (Object.keys(others).length > 0 || (at === undefined) === (offset === undefined))
    return badRequest(
      'send `{"at": "2027-01-31T12:00:00Z"}` for a clock that stands still, or `{"offset": 3600}` for one that is so many seconds ahead',
    )
  if (at !== undefined) {
    const instant = typeof at === 'string' ? readInstant(at) : undefined
    if (instant === undefined) return badRequest('`at` is not an RFC 3339 date and time, such as `2027-01-31T12:00:00Z`')
    if (!control.clock.set({ at: instant })) return beyond
  } else {
    if (typeof offset !== 'number') return badRequest('`offset` is not a number of seconds')
    if (!control.clock.set({ offset: Math.round(offset * 1000) })) return beyond
  }
  return answer(clockBody(control))
}

function advanceClock(control: Control, body: unknown): Reply {
  const { seconds, ...others } = fieldsOf(body)
  if (typeof seconds !== 'number' || seconds < 0 || Object.keys(others).length > 0)
    return badRequest('send `{"seconds": 3600}`: by how much the clock is moved forward, from 0')
  if (!control.clock.advance(Math.round(seconds * 1000))) return beyond
  return answer(clockBody(control))
}

function fieldsOf(body: unknown): WrittenFields {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as WrittenFields) : {}
}
