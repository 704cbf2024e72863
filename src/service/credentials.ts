import { notShown } from './errors.ts'
import type { Caller, Reply, ServiceRequest } from './exchange.ts'
import type { ServiceRoute } from './route.ts'
import type { Service } from './service.ts'

/** Who signed a request with an application secret and a consumer key (scheme B), or why nobody is taken to have. */
export function callerOfSignature(_service: Service, _request: ServiceRequest): Caller | Reply {
  return notShown('the computation of signatures is not shown')
}

export const credentialRoutes: readonly ServiceRoute[] = []
