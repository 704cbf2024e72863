import { unauthorised } from '../model/errors.ts'
import type { Caller, Reply, ServiceRequest } from '../model/exchange.ts'
import type { Service } from '../model/service.ts'
import { callerOfSignature } from './credentials.ts'
import { callerOfToken } from './tokens.ts'

/** Who calls, from a token or a signature; else why that is not known. */
export function authenticate(service: Service, request: ServiceRequest): Caller | Reply {
  const { authorization } = request.headers
  if (authorization === undefined) {
    if (request.headers[service.signed.application.name] !== undefined) return callerOfSignature(service, request)
    return unauthorised('the request has no credentials: send `Authorization: Bearer <ACCESS_TOKEN>`')
  }
  const token = /^Bearer +([A-Za-z0-9\-._~+/]{1,4096}=*)$/i.exec(authorization)?.[1]
  if (token === undefined)
    return unauthorised('the header `Authorization` cannot be understood: expected `Bearer <ACCESS_TOKEN>`', 'invalid_request')
  return (
    callerOfToken(service, request, token) ??
    unauthorised('the token is not known, has expired, or belongs to an account of another region', 'invalid_token')
  )
}
