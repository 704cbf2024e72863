import type { Catalogue } from '../../actions/catalogue.ts'
import type { Operation } from '../../actions/operations.ts'
import type { Settings } from '../../names.ts'
import { resumeTasks } from '../api/asset-tasks.ts'
import { respond } from '../api/respond.ts'
import type { ServiceRoute } from '../api/route.ts'
import { type Control, controlReply } from '../control/control.ts'
import { type Demonstration, demonstration } from '../control/demonstration.ts'
import { reloader, withKept } from '../control/reload.ts'
import type { Reloaded, Reread, Seed } from '../control/seed.ts'
import type { MovableClock } from '../model/clock.ts'
import type { Fault } from '../model/faults.ts'
import type { Ports, Store } from '../model/ports.ts'
import type { Service } from '../model/service.ts'
import { openState } from '../model/state.ts'
import { warmWorlds } from '../model/worlds.ts'
import { createService } from '../service.ts'
import type { PublicEndpoint } from './front.ts'
import { type LogEntry, listen, schemeOf, type Tls } from './http.ts'

export interface ServerSettings {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly allowRemote: boolean
  readonly front: PublicEndpoint
  /** Undefined: connections are not encrypted. */
  readonly tls: Tls | undefined
  /** Begin with credentials that are published. */
  readonly isDemo: boolean
  readonly faults: { readonly faults: readonly Fault[]; readonly seed: number }
  /** In seconds. */
  readonly tokenLifetime: number
  /** Answer 404 for a resource that the seed does not list. */
  readonly isStrict: boolean
  readonly isSoft: boolean
}

export interface ServerParts {
  readonly settings: Settings
  readonly catalogue: Catalogue
  readonly operations: readonly Operation[]
  readonly stubs: readonly ServiceRoute[]
  readonly clock: MovableClock
  readonly ports: Ports
  readonly seed: Seed
  /** Reads the seed again. */
  readonly reread: () => Promise<Reread>
  /** Undefined: the state ends with the process. */
  readonly store: Store | undefined
  readonly token: string
  readonly version: string
  readonly log: ((entry: LogEntry) => void) | undefined
  readonly onFault: (error: unknown) => void
}

export interface Emulation {
  readonly service: Service
  readonly clock: MovableClock
  readonly port: number
  /** The address that clients use, without a slash at the end. */
  readonly url: string
  readonly listensAt: string
  readonly control: Control
  readonly demo: Demonstration | undefined
  /** The secrets of service accounts that were generated or are published, by client id. */
  readonly secrets: ReadonlyMap<string, string>
  /** The state was stored before: the seed was not applied. */
  readonly isKept: boolean
  /** Each is called after the seed was read again. */
  readonly reloads: Set<(reloaded: Reloaded) => void>
  /** Take no more connections and finish open requests. The state stays open. */
  readonly finish: () => Promise<void>
}

/** Start an emulator. Rejects with the error of the system where it cannot listen: then nothing is left open. */
export async function startServer(settings: ServerSettings, parts: ServerParts): Promise<Emulation> {
  const { host, port, allowRemote, front, tls, faults, isDemo, isStrict, isSoft, tokenLifetime } = settings
  const { clock, seed, reread, store, token, version, log, ...serviceParts } = parts
  let url = front.publicUrl?.base ?? ''
  try {
    const state = openState(store)
    const isKept = !state.isEmpty()
    if (!isKept) state.commit(seed.changes)
    const service = createService({ ...serviceParts, state, isStrict, isSoft, tokenLifetime, address: (region) => `${url}/${region}` })
    service.faults.set(faults.faults, faults.seed)
    const secrets = new Map(isKept ? [] : seed.madeUp.map(({ clientId, secret }) => [clientId, secret]))
    const reloads: Emulation['reloads'] = new Set()
    const reload = reloader(() => control, { reread, secrets, listeners: reloads })
    const control: Control = { service, clock, seed: isKept ? withKept(seed, state) : seed.changes, reload, token, version }
    // The first call is answered as fast as the others.
    warmWorlds(service)
    const server = await listen({
      host,
      port,
      allowRemote,
      front,
      tls,
      log,
      onFault: serviceParts.onFault,
      respond: (request) => respond(service, request),
      control: (request) => controlReply(control, request),
    })
    const listensAt = `${schemeOf(tls)}://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${server.port}`
    url ||= listensAt
    resumeTasks(service)
    const [first] = state.table('account').all()
    const demo = isDemo && first ? demonstration(first.region) : undefined
    if (demo) secrets.set(demo.clientId, demo.clientSecret)
    return { service, clock, port: server.port, url, listensAt, control, demo, secrets, isKept, reloads, finish: server.close }
  } catch (error) {
    store?.close()
    throw error
  }
}
