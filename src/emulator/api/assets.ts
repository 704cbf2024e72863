import type { Operation } from '../../actions/operations.ts'
import { isParameter } from '../../actions/paths.ts'
import { readCall } from '../../calls/match.ts'
import { judge } from '../auth/rights.ts'
import { badRequest, conflict, notFound, quote } from '../model/errors.ts'
import type { Origin, Reply } from '../model/exchange.ts'
import type { Records } from '../model/records.ts'
import { assetVersions } from '../model/schemas.ts'
import type { Service } from '../model/service.ts'
import type { RecordChange, State } from '../model/state.ts'
import {
  type Asset,
  type AssetEvent,
  type AssetState,
  type AssetTask,
  canonical,
  deepestState,
  isOff,
  isState,
  retarget,
  type Task,
  taskType,
} from '../model/tasks.ts'
import { type AssetKind, assetKinds } from './asset-kinds.ts'
import { changesOf, keyOf, schedule } from './asset-tasks.ts'
import { listReply, ordered } from './pagination.ts'
import { judgedRoutes, type RouteContext, type ServiceRoute } from './route.ts'

/**
 * Resources of the second branch that have a current and a target state, with their tasks and events (docs/service.md, Row by
 * row). Which resources are of this kind follows from the operations of the API.
 */

export const mostWaiting = 100

export function assetRoutes(operations: readonly Operation[]): readonly ServiceRoute[] {
  return assetKinds(operations).flatMap(routesOf)
}

function routesOf({ path, list, hasEvents, hasOneTask, isDeletable }: AssetKind): readonly ServiceRoute[] {
  const ofOne = (handle: (context: RouteContext, asset: Asset) => Reply) => (context: RouteContext) => {
    const assetPath = filled(path, context.params)
    const asset = context.service.state.table('asset').get(keyOf(context.request.region, assetPath))
    // Another account's is not distinguished from none.
    return asset?.account === context.caller.account ? handle(context, asset) : notFound(`there is no resource at ${quote(assetPath)}`)
  }
  const routes = judgedRoutes({
    [`GET ${path}`]: ofOne(readAsset),
    [`PUT ${path}`]: ofOne(changeTarget),
    ...(isDeletable && { [`DELETE ${path}`]: ofOne(deleteAsset) }),
    [`GET ${path}/task`]: ofOne(listTasks),
    ...(hasOneTask && { [`GET ${path}/task/{taskId}`]: ofOne(readTask) }),
    ...(hasEvents && { [`GET ${path}/event`]: ofOne(listEvents) }),
    ...(list !== undefined && { [`GET ${list}`]: (context: RouteContext) => listAssets(filled(list, context.params), context) }),
  })
  return routes.map((route) => ({ ...route, schemas: assetVersions }))
}

function readAsset({ service, schemasVersion }: RouteContext, asset: Asset): Reply {
  return { status: 200, origin: 'public', body: assetBody(service, asset, schemasVersion) }
}

/** Fields that a client may send back as it got them: only the service sets them, and their values are ignored. */
export const ownFields = 'id iam currentState currentTasks resourceStatus status createdAt updatedAt dates pendingChanges'.split(' ')

function changeTarget({ service, request, body, schemasVersion }: RouteContext, asset: Asset): Reply {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return badRequest('the body is not an object: send `{"targetSpec": {…}}` with the whole target state')
  const { targetSpec, checksum, ...others } = body as Readonly<Record<string, unknown>>
  const unknown = Object.keys(others).find((name) => !ownFields.includes(name))
  if (unknown !== undefined) return badRequest(`unknown field ${quote(unknown)}: send \`targetSpec\`, and \`checksum\` if you like`)
  if (targetSpec === undefined) return badRequest('`targetSpec` is missing: send the whole target state')
  if (!isState(targetSpec)) return badRequest(`\`targetSpec\` is not an object of at most ${deepestState} levels`)
  if (checksum !== undefined && typeof checksum !== 'string') return badRequest('`checksum` is not a text')
  if (checksum !== undefined && checksum !== checksumOf(service, asset))
    return conflict('the target state has changed since `checksum` was read: read the resource again')
  const { chance, clock } = service.ports
  const { task, taskStep } = request.effect ?? {}
  const faults = { ...(task === 'fail' && { fails: true as const }), ...(taskStep !== undefined && { step: taskStep }) }
  const move = retarget(asset, targetSpec, { id: chance.uuid(), type: taskType(asset), ...faults }, clock.now())
  if (move && asset.waiting.length >= mostWaiting)
    return conflict(`${mostWaiting} tasks of this resource are not done: try again when one of them is`)
  if (move) {
    service.state.commit(changesOf(asset, move))
    schedule(service, keyOf(asset.region, asset.path))
  }
  return { status: 200, origin: 'public', body: assetBody(service, move?.asset ?? asset, schemasVersion) }
}

/** The effect of a deletion is not documented: here the resource is removed immediately, with its history, and from the inventory. */
function deleteAsset({ service: { state } }: RouteContext, asset: Asset): Reply {
  if (asset.waiting.length > 0) return conflict('a task of this resource is not done: try again when it is')
  const key = keyOf(asset.region, asset.path)
  state.commit([
    { kind: 'asset', key },
    { kind: 'inventory', key: asset.urn },
    ...numbered(asset.tasks).map((number): RecordChange => ({ kind: 'task', key: `${key} ${number}` })),
    ...numbered(asset.events).map((number): RecordChange => ({ kind: 'event', key: `${key} ${number}` })),
  ])
  return { status: 200, origin: 'inferred', body: null }
}

function listTasks(context: RouteContext, asset: Asset): Reply {
  return historyReply(context, 'task', asset, taskBody, (tasks) => (tasks.every(isShown) ? 'document' : 'public'))
}

function historyReply<K extends 'task' | 'event'>(
  context: RouteContext,
  kind: K,
  asset: Asset,
  bodyOf: (record: Records[K]) => unknown,
  origin: (records: readonly Records[K][]) => Origin,
): Reply {
  const keyOf = ({ number }: { readonly number: number }) => String(number).padStart(12, '0')
  return listReply<{ readonly number: number; readonly record: Records[K] }>(context, {
    list: `${asset.path}/${kind}`,
    records: ordered(historyOf(context.service.state, kind, asset), keyOf),
    keyOf,
    bodyOf: ({ record }) => bodyOf(record),
    origin: (items) => origin(items.map(({ record }) => record)),
  })
}

function readTask({ service: { state }, params }: RouteContext, asset: Asset): Reply {
  const task = historyOf(state, 'task', asset).find(({ record }) => record.id === params.taskId)
  if (!task) return notFound(`the resource has no task ${quote(params.taskId ?? '')}`)
  const body = taskBody(task.record)
  return { status: 200, origin: isShown(body) ? 'document' : 'public', body }
}

/** Whether a task is one as the document shows it: other states than `DONE` are published, not shown. */
function isShown({ status }: Task): boolean {
  return status === 'DONE'
}

function listEvents(context: RouteContext, asset: Asset): Reply {
  // The document shows three types; that of a task that failed is published.
  const isPublished = ({ type }: AssetEvent) => type === 'TaskError'
  const bodyOf = (event: AssetEvent) => event
  return historyReply(context, 'event', asset, bodyOf, (events) => (events.some(isPublished) ? 'public' : 'document'))
}

/** The resources right under a path that the caller may read. */
function listAssets(path: string, context: RouteContext): Reply {
  const { service, request, caller, schemasVersion } = context
  const under = `${path}/`
  const isUnder = (asset: Asset) => asset.region === request.region && asset.path.startsWith(under)
  return listReply(context, {
    list: path,
    // The keys of all assets under the list are adjacent.
    records: (after) => until(service.state.table('asset').behind(keyOf(request.region, after ?? under)), isUnder),
    keyOf: (asset) => asset.path,
    bodyOf: (asset) => assetBody(service, asset, schemasVersion),
    isShown: (asset) => {
      if (asset.account !== caller.account || asset.path.includes('/', under.length)) return false
      const { call } = readCall('GET', asset.path)
      if (!call) return false
      // The access rules of a key let the list through or not; what is in it is for the policies.
      const { verdict } = judge(service, { identity: caller.identity, account: caller.account }, request, call)
      return verdict === 'unknown' ? verdict : verdict === 'allow'
    },
  })
}

/** The first of some values, as long as each satisfies a test. */
function* until<T>(values: Iterable<T>, test: (value: T) => boolean): Iterable<T> {
  for (const value of values) {
    if (!test(value)) return
    yield value
  }
}

/** A resource as a major version of its schema has it: see `assetVersions`. */
function assetBody(service: Service, asset: Asset, major: number): Readonly<Record<string, unknown>> {
  const { path, urn, currentState, targetSpec, createdAt, updatedAt, waiting } = asset
  const currentTasks = waiting.flatMap((number) => {
    const task = service.state.table('task').get(`${keyOf(asset.region, path)} ${number}`)
    return task ? [{ id: task.id, type: task.type, status: task.status, link: `${path}/task/${task.id}` }] : []
  })
  const status = waiting.length > 0 ? 'UPDATING' : isOff(asset) ? 'ERROR' : 'READY'
  const id = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))
  const common = { id, iam: { urn }, currentState, targetSpec, currentTasks, checksum: checksumOf(service, asset) }
  if (major === 1) return { ...common, resourceStatus: status, createdAt, updatedAt }
  return { ...common, status, dates: { createdAt, updatedAt }, pendingChanges: differing(currentState, targetSpec) }
}

function differing(current: AssetState, target: AssetState): readonly string[] {
  const names = new Set([...Object.keys(current), ...Object.keys(target)])
  return [...names].filter((name) => canonical({ _: current[name] }) !== canonical({ _: target[name] })).sort()
}

function taskBody({ target: _target, fails: _fails, step: _step, ...task }: AssetTask): Task {
  return task
}

/** The tasks or the events of a resource with their numbers, in their order. */
function historyOf<K extends 'task' | 'event'>(state: State, kind: K, asset: Asset) {
  const table = state.table(kind)
  return numbered(kind === 'task' ? asset.tasks : asset.events).flatMap((number) => {
    const record = table.get(`${keyOf(asset.region, asset.path)} ${number}`)
    return record ? [{ number, record }] : []
  })
}

function numbered(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number)
}

function checksumOf({ ports }: Service, { targetSpec }: Asset): string {
  return ports.digest.sha256(canonical(targetSpec))
}

/** A template with its values, percent-encoded: the path of a resource. */
function filled(template: string, params: Readonly<Record<string, string>>): string {
  const words = template.split('/')
  return words.map((word) => (isParameter(word) ? encodeURIComponent(params[word.slice(1, -1)] ?? '') : word)).join('/')
}
