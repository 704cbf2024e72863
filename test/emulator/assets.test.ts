import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadOperations } from '../../src/actions/operations.ts'
import { assetKinds } from '../../src/emulator/api/asset-kinds.ts'
import { seedAsset } from '../../src/emulator/api/asset-seed.ts'
import { resumeTasks, taskPace } from '../../src/emulator/api/asset-tasks.ts'
import { mostWaiting } from '../../src/emulator/api/assets.ts'
import type { Store, StoredChange } from '../../src/emulator/model/ports.ts'
import type { RecordChange } from '../../src/emulator/model/state.ts'
import { movesOfTask } from '../../src/emulator/model/tasks.ts'
import { defaultSettings } from '../../src/names.ts'
import { effort } from '../support/effort.ts'
import { type TestService, testAccount, testIdentity, testPorts, testService } from '../support/service.ts'

const kinds = assetKinds(loadOperations(defaultSettings.brand))
const path = '/v2/vrackServices/resource/vrs-1'
const backup = '/v2/vmwareCloudDirector/backup/b%201'
const wholeTask = taskPace * movesOfTask

function seeded(seed: Partial<Parameters<typeof seedAsset>[2]> = {}): readonly RecordChange[] {
  const given = {
    path,
    urn: 'urn:v1:eu:resource:vrackServices:vrs-1',
    region: 'eu',
    account: testAccount,
    currentState: { size: 1 },
  } as const
  const { changes, problem } = seedAsset(kinds, testPorts(), { ...given, ...seed })
  expect(problem).toBeUndefined()
  return changes ?? []
}
const actions = ['vrackServices:*', 'vmwareCloudDirector:*', 'vmwareCloudDirectorBackup:*', 'publicCloudProject:*']

function withAssets(store?: Store): TestService {
  const other = { path: '/v2/vrackServices/resource/vrs-2', urn: 'urn:v1:eu:resource:vrackServices:vrs-2' }
  const theirs = { path: '/v2/vrackServices/resource/vrs-9', urn: 'urn:v1:eu:resource:vrackServices:vrs-9', account: 'cd34-svc' }
  const ofBackup = { path: backup, urn: 'urn:v1:eu:resource:vmwareCloudDirectorBackup:b 1' }
  const tested = testService({
    state: [...seeded(), ...seeded(other), ...seeded(theirs), ...seeded(ofBackup)],
    ...(store && { store }),
  })
  tested.allow(actions)
  return tested
}

/** A store in memory, which can be made to fail, and given to another service. */
function memoryStore() {
  const records = new Map<string, StoredChange>()
  const disk = { isBroken: false }
  const store: Store = {
    load: () => [...records.values()],
    commit(changes) {
      if (disk.isBroken) throw new Error('the disk is full')
      for (const { kind, key, value } of changes) {
        if (value === undefined) records.delete(`${kind} ${key}`)
        else records.set(`${kind} ${key}`, { kind, key, value: structuredClone(value) })
      }
    },
    close: () => {},
  }
  return { store, disk }
}

test('the kinds of resources are read from the operations of the API', () => {
  expect(kinds.map((kind) => kind.path).sort()).toEqual([
    '/v2/domain/name/{domainName}',
    '/v2/managedCMS/resource/{serviceId}',
    '/v2/notification/contactMean/{contactMeanId}',
    '/v2/publicCloud/project/{projectId}/rancher/{rancherId}',
    '/v2/vmwareCloudDirector/backup/{backupId}',
    '/v2/vmwareCloudDirector/organization/{organizationId}',
    '/v2/vmwareCloudDirector/organization/{organizationId}/virtualDataCenter/{virtualDataCenterId}',
    '/v2/vmwareCloudDirector/organization/{organizationId}/virtualDataCenter/{virtualDataCenterId}/vrackSegment/{id}',
    '/v2/vrackServices/resource/{vrackServicesId}',
    '/v2/zimbra/platform/{platformId}',
  ])
})

test('what the service does, 4: a resource has a current and a target state, and a change is made by updating the target', () => {
  const { call, clock } = withAssets()
  expect(call('GET', path)).toMatchObject({
    status: 200,
    origin: 'public',
    body: { id: 'vrs-1', currentState: { size: 1 }, targetSpec: { size: 1 }, currentTasks: [], resourceStatus: 'READY' },
  })
  expect(call('PUT', path, { body: { targetSpec: { size: 2 } } })).toMatchObject({
    status: 200,
    body: { currentState: { size: 1 }, targetSpec: { size: 2 }, resourceStatus: 'UPDATING' },
  })
  clock.advance(wholeTask - 1)
  expect(call('GET', path).body).toMatchObject({ currentState: { size: 1 }, resourceStatus: 'UPDATING' })
  clock.advance(1)
  expect(call('GET', path).body).toMatchObject({ currentState: { size: 2 }, targetSpec: { size: 2 }, resourceStatus: 'READY' })
})

test('task (v2): the current tasks are also carried by the resource itself; when one is done it leaves them', () => {
  const { call, clock } = withAssets()
  call('PUT', path, { body: { targetSpec: { size: 2 } } })
  const { currentTasks } = call('GET', path).body as { currentTasks: { id: string; link: string; status: string }[] }
  expect(currentTasks).toMatchObject([{ status: 'PENDING', link: `${path}/task/${currentTasks[0]?.id}` }])
  clock.advance(taskPace)
  expect(call('GET', path).body).toMatchObject({ currentTasks: [{ id: currentTasks[0]?.id, status: 'RUNNING' }] })
  clock.advance(wholeTask)
  expect(call('GET', path).body).toMatchObject({ currentTasks: [] })
  expect(call('GET', currentTasks[0]?.link ?? '')).toMatchObject({ status: 200, origin: 'document', body: { status: 'DONE' } })
})

test('GET a `/task` route: the fields of a task, its times ISO 8601 with milliseconds in UTC', () => {
  const { call, clock } = withAssets()
  call('PUT', path, { body: { targetSpec: { size: 2 } } })
  expect(call('GET', `${path}/task`)).toMatchObject({ origin: 'public', body: [{ status: 'PENDING', startedAt: null, finishedAt: null }] })
  clock.advance(wholeTask)
  const reply = call('GET', `${path}/task`)
  expect(reply).toMatchObject({ status: 200, origin: 'document' })
  const [task] = reply.body as Record<string, unknown>[]
  expect(Object.keys(task ?? {}).sort()).toEqual(
    ['id', 'type', 'status', 'progress', 'errors', 'createdAt', 'startedAt', 'updatedAt', 'finishedAt'].sort(),
  )
  expect(task).toMatchObject({
    status: 'DONE',
    errors: [],
    progress: [
      { name: 'prepare', status: 'DONE' },
      { name: 'apply', status: 'DONE' },
      { name: 'verify', status: 'DONE' },
    ],
  })
  expect(task?.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  for (const name of ['createdAt', 'startedAt', 'updatedAt', 'finishedAt'])
    expect(task?.[name]).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  expect(call('GET', `${path}/task/00000000-0000-4000-8000-999999999999`).status).toBe(404)
})

test('GET an `/event` route: TargetSpecUpdate, TaskStart and TaskSuccess, without a link to the resource', () => {
  const { call, clock } = withAssets()
  expect(call('GET', `${backup}/event`)).toMatchObject({ status: 200, origin: 'document', body: [] })
  call('PUT', backup, { body: { targetSpec: { size: 2 } } })
  clock.advance(wholeTask)
  const [task] = call('GET', `${backup}/task`).body as { id: string }[]
  const events = call('GET', `${backup}/event`).body as Record<string, string>[]
  expect(events.map(({ type }) => type)).toEqual(['TargetSpecUpdate', 'TaskStart', 'TaskSuccess'])
  for (const event of events) {
    expect(Object.keys(event).sort()).toEqual(['createdAt', 'message', 'type'])
    expect(event.message).toContain(task?.id)
  }
})

test('pagination rules: tasks and events, two at a time', () => {
  const { call, clock } = withAssets()
  for (const size of [2, 3, 4]) call('PUT', backup, { body: { targetSpec: { size } } })
  clock.advance(3 * wholeTask)
  for (const [route, count] of [
    ['task', 3],
    ['event', 9],
  ] as const) {
    const all = call('GET', `${backup}/${route}`).body as unknown[]
    expect(all.length).toBe(count)
    const walked: unknown[] = []
    let cursor: string | undefined
    do {
      const reply = call('GET', `${backup}/${route}`, {
        headers: { 'x-pagination-size': '2', ...(cursor !== undefined && { 'x-pagination-cursor': cursor }) },
      })
      walked.push(...(reply.body as unknown[]))
      cursor = reply.headers?.['X-Pagination-Cursor-Next']
      expect((reply.body as unknown[]).length).toBe(cursor === undefined ? 1 : 2)
    } while (cursor !== undefined)
    expect(walked).toEqual(all)
    expect(call('GET', `${backup}/${route}`, { headers: { 'x-pagination-size': 'two' } }).status).toBe(400)
  }
})

describe('a change of the target state', () => {
  test('while a task runs: a further task, in turn', () => {
    const { call, clock } = withAssets()
    call('PUT', path, { body: { targetSpec: { size: 2 } } })
    clock.advance(taskPace)
    call('PUT', path, { body: { targetSpec: { size: 3 } } })
    expect(call('GET', path).body).toMatchObject({ targetSpec: { size: 3 }, currentTasks: [{ status: 'RUNNING' }, { status: 'PENDING' }] })
    clock.advance(wholeTask - taskPace)
    expect(call('GET', path).body).toMatchObject({ currentState: { size: 2 }, currentTasks: [{ status: 'PENDING' }] })
    clock.advance(wholeTask)
    expect(call('GET', path).body).toMatchObject({ currentState: { size: 3 }, currentTasks: [], resourceStatus: 'READY' })
  })
  test('to the target it has: nothing', () => {
    const { call } = withAssets()
    expect(call('PUT', path, { body: { targetSpec: { size: 1 } } })).toMatchObject({ status: 200, body: { currentTasks: [] } })
    expect(call('GET', `${path}/task`).body).toEqual([])
  })
  test('with a checksum that is not the one of the target: 409', () => {
    const { call } = withAssets()
    const { checksum } = call('GET', path).body as { checksum: string }
    expect(call('PUT', path, { body: { targetSpec: { size: 2 }, checksum } }).status).toBe(200)
    expect(call('PUT', path, { body: { targetSpec: { size: 3 }, checksum } })).toMatchObject({ status: 409, origin: 'inferred' })
    expect(call('GET', path).body).toMatchObject({ targetSpec: { size: 2 } })
  })
  test('with the whole resource sent back: only `targetSpec` and `checksum` are read', () => {
    const { call } = withAssets()
    const body = call('GET', path).body as object
    expect(call('PUT', path, { body: { ...body, currentState: { size: 7 }, targetSpec: { size: 2 } } })).toMatchObject({
      status: 200,
      body: { currentState: { size: 1 }, targetSpec: { size: 2 } },
    })
  })
  test('in a body that cannot be understood: 400, and nothing changes', () => {
    const { call } = withAssets()
    const deep = `{"targetSpec":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`
    const headers = { 'content-type': 'application/json' }
    for (const body of [
      '[]',
      'null',
      '{}',
      '{"targetspec":{}}',
      '{"targetSpec":[]}',
      '{"targetSpec":{},"checksum":1}',
      '{"targetSpec":',
      deep,
    ])
      expect(call('PUT', path, { body, headers }).status, body).toBe(400)
    expect(call('PUT', path).status).toBe(400)
    expect(call('GET', `${path}/task`).body).toEqual([])
  })
  test('with too many tasks that are not done: 409', () => {
    const { call, clock } = withAssets()
    const put = (size: number) => call('PUT', path, { body: { targetSpec: { size } } }).status
    for (let i = 0; i < mostWaiting; i++) expect(put(i + 2)).toBe(200)
    expect(put(1000)).toBe(409)
    clock.advance(wholeTask)
    expect(put(1000)).toBe(200)
  })
})

test('a resource that is not there, or belongs to another account: 404', () => {
  const { call } = withAssets()
  for (const at of ['/v2/vrackServices/resource/vrs-3', '/v2/vrackServices/resource/vrs-9', '/v2/vmwareCloudDirector/organization/o']) {
    for (const below of ['', '/task', '/task/00000000-0000-4000-8000-000000000001'])
      expect(call('GET', at + below)).toMatchObject({ status: 404, body: { class: 'Client::NotFound' } })
    expect(call('PUT', at, { body: { targetSpec: {} } }).status).toBe(404)
  }
})

test('errors: without a policy that allows the action, 403, before it is checked whether the resource exists', () => {
  const { call, allow } = testService({ state: seeded() })
  allow(['vrackServices:apisvc:resource/get'])
  expect(call('GET', path).status).toBe(200)
  for (const at of [path, '/v2/vrackServices/resource/vrs-3'])
    expect(call('PUT', at, { body: { targetSpec: {} } })).toMatchObject({
      status: 403,
      body: { class: 'Client::Forbidden', details: { unauthorizedActionsByIAM: 'vrackServices:apisvc:resource/edit' } },
    })
  expect(call('GET', `${path}/task`).status).toBe(403)
})

test('a list holds the resources that the caller may read, of its own account', () => {
  const other = { path: '/v2/vrackServices/resource/vrs-2', urn: 'urn:v1:eu:resource:vrackServices:vrs-2' }
  const { call, allow } = testService({
    state: [...seeded(other), ...seeded(), ...seeded({ path: '/v2/vrackServices/resource/vrs-9', account: 'x' })],
  })
  const ids = () => (call('GET', '/v2/vrackServices/resource').body as { id: string }[]).map(({ id }) => id)
  allow(['vrackServices:apisvc:resource/get'], ['urn:v1:eu:resource:vrackServices:vrs-2'])
  expect(ids()).toEqual(['vrs-2'])
  allow(['vrackServices:apisvc:resource/get'])
  expect(ids()).toEqual(['vrs-1', 'vrs-2'])
  const first = call('GET', '/v2/vrackServices/resource', { headers: { 'x-pagination-size': '1' } })
  expect(first.body).toMatchObject([{ id: 'vrs-1' }])
  expect(first.headers?.['X-Pagination-Cursor-Next']).toBeDefined()
})

test('what it is not known whether the caller may read is left out of a list, and counted', () => {
  const { call, allow, service } = testService({ state: seeded() })
  const written = {
    name: 'by tag',
    identities: [testIdentity],
    resources: [{ urn: 'urn:v1:eu:resource:vrackServices:*' }],
    permissions: { allow: [{ action: '*' }] },
    conditions: { operator: 'MATCH', values: { 'resource.Tag(env)': 'dev' } },
  }
  const record = { id: 'p', account: testAccount, written, readOnly: false, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null }
  service.state.commit([{ kind: 'policy', key: 'p', value: record }])
  const list = () => call('GET', '/v2/vrackServices/resource')
  expect(list()).toMatchObject({ status: 200, origin: 'stand-in', body: [], headers: { 'x-stand-in-left-out': '1' } })
  expect(call('GET', path)).toMatchObject({ status: 501, body: { class: 'StandIn::Unknown' } })
  allow(actions)
  expect(list().headers?.['x-stand-in-left-out']).toBeUndefined()
})

test('a deleted resource is gone with its history; not while a task is unfinished', () => {
  const rancher = '/v2/publicCloud/project/p1/rancher/r1'
  const urn = 'urn:v1:eu:resource:publicCloudProject:p1'
  const { call, allow, clock, service } = testService({ state: seeded({ path: rancher, urn, targetSpec: { size: 2 } }) })
  allow(actions)
  resumeTasks(service)
  expect(call('DELETE', rancher).status).toBe(409)
  clock.advance(wholeTask)
  expect(call('DELETE', rancher)).toMatchObject({ status: 200, origin: 'inferred' })
  expect(call('GET', rancher).status).toBe(404)
  expect([service.state.table('task').size, service.state.table('event').size]).toEqual([0, 0])
})

describe('versioning', () => {
  const shape = (body: unknown) => Object.keys(body as object).sort()
  const common = ['checksum', 'currentState', 'currentTasks', 'iam', 'id', 'targetSpec']
  test('rule 6: `X-Schemas-Version` selects a major version for one call; without it that of the account applies', () => {
    const { call, service } = withAssets()
    const first = call('GET', path)
    expect(shape(first.body)).toEqual([...common, 'createdAt', 'resourceStatus', 'updatedAt'].sort())
    expect(first.headers?.['x-schemas-version']).toBe('1')
    const second = call('GET', path, { headers: { 'x-schemas-version': '2' } })
    expect(shape(second.body)).toEqual([...common, 'dates', 'pendingChanges', 'status'].sort())
    expect(second.headers?.['x-schemas-version']).toBe('2')
    service.state.commit([{ kind: 'account', key: testAccount, value: { id: testAccount, region: 'eu', schemasVersion: 2 } }])
    expect(call('GET', path).body).toEqual(second.body)
    expect(call('GET', path, { headers: { 'x-schemas-version': '1' } }).body).toEqual(first.body)
  })
  test('a version that is not served is refused with those that are, and nothing is changed', () => {
    const { call } = withAssets()
    const refused = call('PUT', path, { headers: { 'x-schemas-version': '3' }, body: { targetSpec: { size: 2 } } })
    expect(refused).toMatchObject({ status: 400, body: { class: 'Client::BadRequest', details: { versions: [1, 2] } } })
    expect(call('GET', path).body).toMatchObject({ targetSpec: { size: 1 } })
  })
  test('every route of the second branch has the header, those with one version for that one', () => {
    const { call, allow } = withAssets()
    allow(['account:*'])
    for (const at of ['/v2/vmwareCloudDirector/reference/region', '/v2/iam/log/kind']) {
      expect(call('GET', at)).toMatchObject({ status: 200, headers: { 'x-schemas-version': '1' } })
      expect(call('GET', at, { headers: { 'x-schemas-version': '1' } }).status).toBe(200)
      expect(call('GET', at, { headers: { 'x-schemas-version': '2' } })).toMatchObject({
        status: 400,
        body: { details: { versions: [1] } },
      })
    }
    expect(call('GET', '/v1/auth/time', { headers: { 'x-schemas-version': '99' } }).status).toBe(200)
  })
  test('a changed target is described by the names of the fields that differ', () => {
    const { call } = withAssets()
    const headers = { 'x-schemas-version': '2' }
    expect(call('PUT', path, { headers, body: { targetSpec: { size: 1, name: 'a' } } }).body).toMatchObject({
      status: 'UPDATING',
      pendingChanges: ['name'],
    })
  })
})

describe('state that outlives the process', () => {
  test('tasks that were not done go on after a restart, and are not done twice', () => {
    const { store } = memoryStore()
    const before = withAssets(store)
    before.call('PUT', path, { body: { targetSpec: { size: 2 } } })
    before.clock.advance(2 * taskPace)
    const { clock, call, service } = testService({ store })
    expect(call('GET', path).body).toMatchObject({ currentTasks: [{ status: 'RUNNING' }] })
    resumeTasks(service)
    resumeTasks(service)
    clock.advance(2 * taskPace - 1)
    expect(call('GET', path).body).toMatchObject({ currentState: { size: 1 } })
    clock.advance(1)
    expect(call('GET', path).body).toMatchObject({ currentState: { size: 2 }, resourceStatus: 'READY' })
    expect([...service.state.table('event').all()].map(({ type }) => type)).toEqual(['TargetSpecUpdate', 'TaskStart', 'TaskSuccess'])
  })
  test('a step that was not kept is tried again; a change that was not kept is answered with an error and not made', () => {
    const { store, disk } = memoryStore()
    const { call, clock } = withAssets(store)
    call('PUT', path, { body: { targetSpec: { size: 2 } } })
    disk.isBroken = true
    expect(call('PUT', path, { body: { targetSpec: { size: 3 } } }).status).toBe(500)
    clock.advance(5 * wholeTask)
    expect(call('GET', path).body).toMatchObject({ targetSpec: { size: 2 }, currentTasks: [{ status: 'PENDING' }] })
    disk.isBroken = false
    clock.advance(wholeTask)
    expect(call('GET', path).body).toMatchObject({ currentState: { size: 2 }, currentTasks: [] })
  })
})

test('a seed with another target state has a task to reach it; a problem in one is reported', () => {
  const { clock, call, allow, service } = testService({ state: seeded({ targetSpec: { size: 5 } }) })
  allow(actions)
  resumeTasks(service)
  clock.advance(wholeTask)
  expect(call('GET', path).body).toMatchObject({ currentState: { size: 5 } })
  const seed = { path, urn: 'urn:v1:eu:resource:vrackServices:vrs-1', region: 'eu', account: testAccount, currentState: {} } as const
  const problem = (wrong: object) => seedAsset(kinds, testPorts(), { ...seed, ...wrong }).problem
  expect(problem({})).toBeUndefined()
  for (const wrong of ['/v2/vrackServices/resource', 'v2/vrackServices/resource/a', '/v1/vps/a', '/v2/vrackServices/resource/%zz', ''])
    expect(problem({ path: wrong })).toContain('`path`')
  expect(problem({ currentState: [] })).toContain('`currentState`')
  expect(problem({ targetSpec: 'big' })).toContain('`targetSpec`')
})

test('events, 4: any interleaving of changes and of the clock ends in the last target, each task started and done once', () => {
  const action = fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 3 }).map((size) => ({ size })) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 2 * wholeTask }) },
  )
  fc.assert(
    fc.property(fc.array(action, { maxLength: 12 }), (list) => {
      const { call, clock } = withAssets()
      let last: unknown = { size: 1 }
      for (const what of list) {
        if (typeof what === 'number') clock.advance(what)
        else {
          expect(call('PUT', backup, { body: { targetSpec: what } }).status).toBe(200)
          last = what
        }
      }
      clock.advance(list.length * wholeTask)
      expect(call('GET', backup).body).toMatchObject({ currentState: last, targetSpec: last, currentTasks: [], resourceStatus: 'READY' })
      const tasks = call('GET', `${backup}/task`).body as { id: string; status: string }[]
      const events = call('GET', `${backup}/event`).body as { createdAt: string; type: string; message: string }[]
      expect(events.length).toBe(3 * tasks.length)
      for (const { id, status } of tasks) {
        const types = events.filter(({ message }) => message.includes(id)).map(({ type }) => type)
        expect([status, ...types]).toEqual(['DONE', 'TargetSpecUpdate', 'TaskStart', 'TaskSuccess'])
      }
      const times = events.map(({ createdAt }) => createdAt)
      expect(times).toEqual([...times].sort())
    }),
    { numRuns: effort(150, 32) },
  )
})
