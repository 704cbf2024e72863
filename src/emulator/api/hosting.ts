import type { ServiceRoute } from './route.ts'

/** The body is not shown: it has the name that was asked for, under the name that the path gives it, and nothing else. */
export const hostingRoutes: readonly ServiceRoute[] = [
  {
    method: 'GET',
    path: '/v1/hosting/web/{serviceName}',
    access: 'judged',
    mayBeStubbed: true,
    handle: ({ params }) => ({ status: 200, origin: 'public', body: { serviceName: params.serviceName } }),
  },
]
