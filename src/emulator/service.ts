import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import { routesOf } from '../calls/match.ts'
import type { Settings } from '../names.ts'
import { assetRoutes } from './api/assets.ts'
import { credentialRoutes } from './api/credential-routes.ts'
import { hostingRoutes } from './api/hosting.ts'
import { checkRoutes } from './api/iam-checks.ts'
import { groupRoutes } from './api/iam-groups.ts'
import { policyRoutes } from './api/iam-policies.ts'
import { resourceRoutes } from './api/iam-resources.ts'
import type { RoutedService } from './api/respond.ts'
import { routeTable, type ServiceRoute } from './api/route.ts'
import { tokenRoutes } from './api/token-endpoint.ts'
import { signatureHeaders } from './auth/signature.ts'
import { pageRoutes } from './console/routes.ts'
import { openCallLog } from './model/call-log.ts'
import type { HostRegion } from './model/exchange.ts'
import { openFaults } from './model/faults.ts'
import { openNeeded } from './model/needed.ts'
import type { Ports } from './model/ports.ts'
import { usualLifetime } from './model/service.ts'
import type { State } from './model/state.ts'
import { accountWorlds } from './model/worlds.ts'

/** Every route that the emulator answers itself, except those of resources with a target state, which follow from the operations. */
export const serviceRoutes: readonly ServiceRoute[] = [
  ...tokenRoutes,
  ...hostingRoutes,
  ...credentialRoutes,
  ...policyRoutes,
  ...groupRoutes,
  ...resourceRoutes,
  ...checkRoutes,
  ...pageRoutes,
]

export interface ServiceParts {
  readonly settings: Settings
  readonly ports: Ports
  readonly state: State
  readonly catalogue: Catalogue
  readonly operations: readonly Operation[]
  readonly address?: (region: HostRegion) => string
  readonly tokenLifetime?: number
  readonly isStrict?: boolean
  readonly isSoft?: boolean
  /** Bodies of operations that the emulator does not answer itself. */
  readonly stubs?: readonly ServiceRoute[]
  readonly onFault?: (error: unknown) => void
}

export function createService({ operations, stubs = [], ...parts }: ServiceParts): RoutedService {
  const calls = openCallLog()
  return {
    address: (region) => `http://localhost/${region}`,
    tokenLifetime: usualLifetime,
    isStrict: false,
    isSoft: false,
    onFault: () => {},
    ...parts,
    operations: routesOf(operations),
    routes: routeTable([...serviceRoutes, ...assetRoutes(operations)]),
    stubs: routeTable(stubs),
    targets: new Map(),
    worldOf: accountWorlds(parts.state, parts.settings),
    calls,
    needed: openNeeded(parts.catalogue, parts.settings, parts.ports.clock.now),
    sinks: new Set([calls.add]),
    faults: openFaults(),
    signed: signatureHeaders(parts.settings),
    memory: { lastUses: new Map(), timers: new Map() },
  }
}
