import type { Operation } from '../../actions/operations.ts'
import { isParameter } from '../../actions/paths.ts'
import { readCall } from '../../calls/match.ts'
import { judge } from '../auth/rights.ts'
import { badRequest, conflict, notFound, quote } from '../model/errors.ts'
import type { HostRegion, Origin, Reply } from '../model/exchange.ts'
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
  type Move,
  newAsset,
  proceed,
  retarget,
  type Task,
} from '../model/tasks.ts'
import { listReply, ordered } from './pagination.ts'
import { judgedRoutes, type RouteContext, type ServiceRoute, wordsOf } from './route.ts'

/**
 * Resources of the second branch that have a current and a target state, with their tasks and events (docs/service.md, Row by
 * row). Which resources are of this kind follows from the operations of the API.
 */

/** How long a task waits to start and how long each of its steps takes, in milliseconds: the emulator's own pace. */
export const taskPace = 500

export const mostWaiting = 100

/** The operations on one kind of resource, as the API has them. Paths are with their branch. */
export interface AssetKind {
  /** `/v2/vrackServices/resource/{vrackServicesId}`. */
  readonly path: string
  readonly list: string | undefined
  readonly hasEvents: boolean
  readonly hasOneTask: boolean
  readonly isDeletable: boolean
}

/** The kinds of resources that can be read and written and have a `/task` route below them. */
export function assetKinds(operations: readonly Operation[]): readonly AssetKind[] {
  const known = new Set(operations.map(({ branch, method, path }) => `${method} /${branch}${path}`))
  return operations.flatMap(({ branch, method, path: template }): readonly AssetKind[] => {
    const path = `/${branch}${template}`
    const end = path.lastIndexOf('/')
    const isOne = branch === 'v2' && method === 'PUT' && isParameter(path.slice(end + 1))
    if (!isOne || !known.has(`GET ${path}`) || !known.has(`GET ${path}/task`)) return []
    const list = path.slice(0, end)
    return [
      {
        path,
        list: known.has(`GET ${list}`) ? list : undefined,
        hasEvents: known.has(`GET ${path}/event`),
        hasOneTask: known.has(`GET ${path}/task/{taskId}`),
        isDeletable: known.has(`DELETE ${path}`),
      },
    ]
  })
}

export function assetRoutes(operations: readonly Operation[]): readonly ServiceRoute[] {
  return assetKinds(operations).flatMap(routesOf)
}

function routesOf({ path, list, hasEvents, hasOneTask, isDeletable }: AssetKind): readonly ServiceRoute[] {
  const ofOne = (handle: (context: RouteContext, asset: Asset) => Reply) => (context: RouteContext) => {
    const at = filled(path, context.params)
    const asset = context.service.state.table('asset').get(keyOf(context.request.region, at))
    // Another account's is not distinguished from none.
    return asset?.account === context.caller.account ? handle(context, asset) : notFound(`there is no resource at ${quote(at)}`)
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
const ownFields = 'id iam currentState currentTasks resourceStatus status createdAt updatedAt dates pendingChanges'.split(' ')

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

/** What a deletion does is not shown: here the resource is gone at once, with its history, and from the inventory. */
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
  const found = historyOf(state, 'task', asset).find(({ record }) => record.id === params.taskId)
  if (!found) return notFound(`the resource has no task ${quote(params.taskId ?? '')}`)
  const body = taskBody(found.record)
  return { status: 200, origin: isShown(body) ? 'document' : 'public', body }
}

/** Whether a task is one as the document shows it: other states than `DONE` are published, not shown. */
function isShown({ status }: Task): boolean {
  return status === 'DONE'
}

function listEvents(context: RouteContext, asset: Asset): Reply {
  // The document shows three types; that of a task that failed is published.
  const isPublished = ({ type }: AssetEvent) => type === 'TaskError'
  return historyReply(
    context,
    'event',
    asset,
    (event) => event,
    (events) => (events.some(isPublished) ? 'public' : 'document'),
  )
}

/** The resources right under a path that the caller may read. */
function listAssets(path: string, context: RouteContext): Reply {
  const { service, request, caller, schemasVersion } = context
  const under = `${path}/`
  const isUnder = (asset: Asset) => asset.region === request.region && asset.path.startsWith(under)
  return listReply(context, {
    list: path,
    // The keys of all that is under the list stand together.
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
export function assetBody(service: Service, asset: Asset, major: number): Readonly<Record<string, unknown>> {
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

/** `vrackServices/resource/update`: which types of tasks there are is not shown, and this is the emulator's own. */
function taskType({ path }: Asset): string {
  const words = path.split('/').slice(2)
  return [...new Set([words[0], words.at(-2), 'update'])].join('/')
}

function keyOf(region: string, path: string): string {
  return `${region} ${path}`
}

/** A template with its values, percent-encoded: the path of a resource. */
function filled(template: string, params: Readonly<Record<string, string>>): string {
  const words = template.split('/')
  return words.map((word) => (isParameter(word) ? encodeURIComponent(params[word.slice(1, -1)] ?? '') : word)).join('/')
}

function changesOf(before: Asset, { asset, task: [number, task], events }: Move): readonly RecordChange[] {
  const key = keyOf(asset.region, asset.path)
  return [
    { kind: 'asset', key, value: asset },
    { kind: 'task', key: `${key} ${number}`, value: task },
    ...events.map((event, i): RecordChange => ({ kind: 'event', key: `${key} ${before.events + i}`, value: event })),
  ]
}

export interface AssetSeed {
  readonly urn: string
  /** With its branch: `/v2/vrackServices/resource/vrs-1`. */
  readonly path: string
  readonly region: HostRegion
  readonly account: string
  readonly currentState: unknown
  /** Left out: the current state. Where it is another one, there is a task at once to reach it. */
  readonly targetSpec?: unknown
}

export function seedAsset(
  kinds: readonly AssetKind[],
  { chance, clock }: Service['ports'],
  { urn, path, region, account, currentState, targetSpec = currentState }: AssetSeed,
):
  | { readonly changes: readonly RecordChange[]; readonly problem?: undefined }
  | { readonly changes?: undefined; readonly problem: string } {
  // Half a surrogate pair cannot be percent-encoded, so that no call has it in its path.
  const words = path.startsWith('/') && !/\p{Cs}/u.test(path) ? wordsOf(path) : undefined
  const isOf = (template: readonly string[]) =>
    template.length === words?.length && template.every((word, i) => (isParameter(word) ? words[i] !== '' : word === words[i]))
  if (words === undefined || !kinds.some((kind) => isOf(kind.path.slice(1).split('/'))))
    return { problem: `\`path\` is not that of a resource with a target state: ${kinds.map((kind) => quote(kind.path)).join(', ')}` }
  if (!isState(currentState)) return { problem: `\`currentState\` is not an object of at most ${deepestState} levels` }
  if (!isState(targetSpec)) return { problem: `\`targetSpec\` is not an object of at most ${deepestState} levels` }
  const encoded = `/${words.map(encodeURIComponent).join('/')}`
  const asset = newAsset({ urn, path: encoded, region, account, currentState }, clock.now())
  const move = retarget(asset, targetSpec, { id: chance.uuid(), type: taskType(asset) }, clock.now())
  return { changes: move ? changesOf(asset, move) : [{ kind: 'asset', key: keyOf(region, encoded), value: asset }] }
}

/** Forget what tasks wait for: their resources are gone, or about to be. */
export function stopTasks({ memory: { timers } }: Service): void {
  for (const cancel of timers.values()) cancel()
  timers.clear()
}

/** Let tasks that are not done go on: to be called once when a service starts, after its state was loaded or seeded. */
export function resumeTasks(service: Service): void {
  for (const [key, { waiting }] of service.state.table('asset').entries()) if (waiting.length > 0) schedule(service, key)
}

/** Have the first waiting task of a resource go on after a while, and so on until none waits. */
function schedule(service: Service, key: string): void {
  const { timers } = service.memory
  if (timers.has(key)) return
  const asset = service.state.table('asset').get(key)
  const step = asset && service.state.table('task').get(`${key} ${asset.waiting[0]}`)?.step
  const cancel = service.ports.clock.after(step ?? taskPace, () => {
    timers.delete(key)
    let isWaiting = true
    try {
      isWaiting = goOn(service, key)
    } catch (error) {
      // What was not stored did not happen: it is tried again.
      service.onFault(error)
    }
    if (isWaiting) schedule(service, key)
  })
  timers.set(key, cancel)
}

/** One step of the first waiting task; whether any waits after it. */
function goOn({ state, ports }: Service, key: string): boolean {
  const asset = state.table('asset').get(key)
  const task = asset && state.table('task').get(`${key} ${asset.waiting[0]}`)
  if (!asset || !task) return false
  const move = proceed(asset, task, ports.clock.now())
  state.commit(changesOf(asset, move))
  return move.asset.waiting.length > 0
}
