import { createHash, timingSafeEqual } from 'node:crypto'
import { loadCatalogue } from '../../src/actions/load.ts'
import { loadOperations } from '../../src/actions/operations.ts'
import type { RoutedService as Service } from '../../src/emulator/api/respond.ts'
import { respond } from '../../src/emulator/api/respond.ts'
import type { HostRegion, Reply, ServiceRequest } from '../../src/emulator/model/exchange.ts'
import type { Ports, Store } from '../../src/emulator/model/ports.ts'
import { openState, type RecordChange } from '../../src/emulator/model/state.ts'
import { createService } from '../../src/emulator/service.ts'
import { defaultSettings } from '../../src/names.ts'
import type { WorldJson } from './worlds.ts'

/** A clock that moves when a test moves it, and then does what is due, in order. */
export interface DrivenClock {
  readonly now: () => number
  readonly after: (milliseconds: number, run: () => void) => () => void
  readonly wait: (milliseconds: number, run: () => void) => () => void
  readonly advance: (milliseconds: number) => void
}

/** `start`: milliseconds since 1970. */
export function drivenClock(start = Date.UTC(2026, 0, 15, 10)): DrivenClock {
  let now = start
  let waiting: { readonly at: number; readonly run: () => void }[] = []
  const after: DrivenClock['after'] = (milliseconds, run) => {
    const entry = { at: now + milliseconds, run }
    waiting.push(entry)
    return () => {
      waiting = waiting.filter((each) => each !== entry)
    }
  }
  return {
    now: () => now,
    after,
    wait: after,
    advance(milliseconds) {
      const end = now + milliseconds
      for (;;) {
        const due = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        waiting = waiting.filter((each) => each !== due)
        now = Math.max(now, due.at)
        due.run()
      }
      now = end
    },
  }
}

/** Ports whose texts are the same in every run. */
export function testPorts(clock = drivenClock()): Ports & { readonly clock: DrivenClock } {
  let count = 0
  const hex = (algorithm: string) => (text: string) => createHash(algorithm).update(text).digest('hex')
  return {
    clock,
    chance: {
      uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
      token: (length) => `t${++count}`.padEnd(length, 'x'),
    },
    digest: {
      sha1: hex('sha1'),
      sha256: hex('sha256'),
      same: (a, b) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b)),
    },
  }
}

const catalogue = loadCatalogue(defaultSettings.brand)
const operations = loadOperations(defaultSettings.brand)

export const testAccount = 'ab12-svc'
export const testClient = { id: 'EU.0123456789abcdef', secret: 'a secret of the tests' }
export const testIdentity = `urn:v1:eu:identity:credential:${testAccount}/oauth2-${testClient.id}`

export interface TestRequest {
  readonly region?: HostRegion
  readonly headers?: Readonly<Record<string, string>>
  /** A value is sent as JSON, a text as it is. */
  readonly body?: unknown
  readonly ip?: string
}

/** An emulator in this process, with one account in `eu` and one service account. */
export interface TestService {
  readonly service: Service
  readonly clock: DrivenClock
  /** Send a request. `path` may have a query. */
  readonly send: (method: string, path: string, request?: TestRequest) => Reply
  /** The same with a token of the service account, got once and again when it is over. */
  readonly call: (method: string, path: string, request?: TestRequest) => Reply
  readonly token: () => string
  /** Give the service account of the tests the actions on the resources. */
  readonly allow: (actions: readonly string[], resources?: readonly string[]) => void
}

/** `state`: what it holds besides the account and the service account of the tests. */
export function testService({
  store,
  state = [],
  isSoft = false,
}: {
  readonly store?: Store
  readonly state?: readonly RecordChange[]
  readonly isSoft?: boolean
} = {}): TestService {
  const ports = testPorts()
  const { clock, digest } = ports
  const opened = openState(store)
  if (opened.isEmpty()) {
    opened.commit([
      { kind: 'account', key: testAccount, value: { id: testAccount, region: 'eu', schemasVersion: 1 } },
      {
        kind: 'serviceAccount',
        key: testClient.id,
        value: {
          clientId: testClient.id,
          identity: testIdentity,
          account: testAccount,
          secretDigest: digest.sha256(testClient.secret),
          name: 'tests',
        },
      },
      ...state,
    ])
  }
  const onFault = (error: unknown) => {
    faults.push(error)
  }
  const faults: unknown[] = []
  const service = createService({ settings: defaultSettings, ports, state: opened, catalogue, operations, onFault, isSoft })
  let token: { readonly text: string; readonly end: number } | undefined
  let policies = 0

  const send: TestService['send'] = (method, path, request = {}) => respond(service, requestOf(method, path, request))
  const tokenNow = () => {
    if (!token || token.end <= clock.now()) {
      const reply = send('POST', '/auth/oauth2/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: testClient.id,
          client_secret: testClient.secret,
          scope: 'all',
        }).toString(),
      })
      const { access_token: text, expires_in: seconds } = reply.body as { access_token: string; expires_in: number }
      token = { text, end: clock.now() + seconds * 1000 }
    }
    return token.text
  }
  return {
    service,
    clock,
    send,
    token: tokenNow,
    call: (method, path, request = {}) =>
      send(method, path, { ...request, headers: { authorization: `Bearer ${tokenNow()}`, ...request.headers } }),
    allow(actions, resources = ['*']) {
      const id = `test-policy-${++policies}`
      const written = {
        name: id,
        identities: [testIdentity],
        resources: resources.map((urn) => ({ urn: urn === '*' ? 'urn:v1:eu:resource:*' : urn })),
        permissions: { allow: actions.map((action) => ({ action })) },
      }
      const at = new Date(clock.now()).toISOString()
      opened.commit([
        { kind: 'policy', key: id, value: { id, account: testAccount, written, readOnly: false, createdAt: at, updatedAt: null } },
      ])
    },
  }
}

function requestOf(method: string, path: string, { region = 'eu', headers = {}, body, ip = '192.0.2.1' }: TestRequest): ServiceRequest {
  const [bare = '', query = ''] = path.split(/\?(.*)/s)
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return {
    region,
    // As the listener does it.
    ...(method === 'HEAD' ? { method: 'GET', sentMethod: method } : { method }),
    url: `http://localhost/${region}${path}`,
    path: bare,
    query: new Map(new URLSearchParams(query)),
    headers: { ...(typeof body !== 'string' && body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: text,
    ip,
  }
}

/** A world that an emulator can keep: of one account, with everything named once and in full. */
export function keepable(world: WorldJson): WorldJson {
  const once = <T>(list: readonly T[], keyOf: (item: T) => string | undefined) => [
    ...new Map(list.map((item) => [keyOf(item), item])).values(),
  ]
  const groups = world.resourceGroups.map((group) => ({ ...group, urn: group.urn ?? `urn:v1:eu:resourceGroup:${group.id}` }))
  return {
    ...world,
    account: testAccount,
    policies: world.policies.map((policy, i) => ({ ...policy, name: `policy ${i}` })),
    permissionsGroups: once(world.permissionsGroups, ({ urn }) => urn),
    resourceGroups: once(groups, ({ urn }) => urn),
    resources: once(world.resources, ({ urn }) => urn),
    identities: once(world.identities, ({ urn }) => urn),
  }
}
