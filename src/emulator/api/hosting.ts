import type { Reply } from '../model/exchange.ts'
import type { RouteContext, ServiceRoute } from './route.ts'

/**
 * `GET /v1/hosting/web/{serviceName}`. Its body is not shown: the name that was asked for is answered under the name that
 * the path gives it, and nothing is invented beside it.
 */
function readHosting({ params }: RouteContext): Reply {
  return { status: 200, origin: 'public', body: { serviceName: params.serviceName } }
}

export const hostingRoutes: readonly ServiceRoute[] = [
  { method: 'GET', path: '/v1/hosting/web/{serviceName}', access: 'judged', mayBeStubbed: true, handle: readHosting },
]
