import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import { type Routes, routesOf } from '../calls/match.ts'
import type { Settings } from '../names.ts'
import type { CallRecord } from '../usage/record.ts'
import { assetRoutes } from './api/assets.ts'
import { type RouteTable, routeTable, type ServiceRoute } from './api/route.ts'
import { type SignatureHeaders, signatureHeaders } from './auth/signature.ts'
import type { HostRegion } from './model/exchange.ts'
import { type Faults, openFaults } from './model/faults.ts'
import { usualLifetime } from './model/lifetime.ts'
import type { Ports } from './model/ports.ts'
import type { State } from './model/state.ts'
import { type AccountWorld, accountWorlds } from './model/worlds.ts'

/** The stand-in: what it knows, and what it was given. */
export interface Service {
  readonly settings: Settings
  readonly ports: Ports
  readonly state: State
  readonly catalogue: Catalogue
  /** The operations of the API, of the same catalogue. */
  readonly operations: Routes
  /** The routes with an answer of their own. */
  readonly routes: RouteTable
  /** The policies of an account, with what they speak of, ready to decide; made anew after a change. */
  readonly worldOf: (account: string) => AccountWorld
  /** The address of a region, without a slash at the end: `http://127.0.0.1:8765/eu`. */
  readonly address: (region: HostRegion) => string
  /** Each is told of every call that was judged. */
  readonly sinks: Set<(record: CallRecord) => void>
  /** The headers of signed calls. */
  readonly signed: SignatureHeaders
  /** What goes wrong on purpose. */
  readonly faults: Faults
  /** How long a token lives, in seconds. */
  readonly tokenLifetime: number
  /** A resource that is not in the inventory is not there: else every one that a path names is. */
  readonly isStrict: boolean
  /** Bodies that are given, for operations without an answer of their own. */
  readonly stubs: RouteTable
  /** Whether the fault of a handler is to be told to somebody; for the log, never for the client. */
  readonly onFault: (error: unknown) => void
}

/** What a service is made of. */
export interface ServiceParts {
  readonly settings: Settings
  readonly ports: Ports
  readonly state: State
  readonly catalogue: Catalogue
  readonly operations: readonly Operation[]
  /** Those of resources with a target state follow from the operations, and are added. */
  readonly routes: readonly ServiceRoute[]
  readonly address?: (region: HostRegion) => string
  readonly tokenLifetime?: number
  readonly isStrict?: boolean
  readonly stubs?: readonly ServiceRoute[]
  readonly onFault?: (error: unknown) => void
}

/** Put a service together. It does nothing of its own accord: `respond` answers one request at a time. */
export function createService({ address = (region) => `http://localhost/${region}`, onFault = () => {}, ...parts }: ServiceParts): Service {
  return {
    ...parts,
    address,
    onFault,
    faults: openFaults(),
    tokenLifetime: parts.tokenLifetime ?? usualLifetime,
    isStrict: parts.isStrict ?? false,
    stubs: routeTable(parts.stubs ?? []),
    signed: signatureHeaders(parts.settings),
    operations: routesOf(parts.operations),
    routes: routeTable([...parts.routes, ...assetRoutes(parts.operations)]),
    worldOf: accountWorlds(parts.state, parts.settings),
    sinks: new Set(),
  }
}
