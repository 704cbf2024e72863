import type { Caller, HostRegion, ServiceRequest } from '../model/exchange.ts'
import type { ServiceAccountRecord } from '../model/records.ts'
import type { Service } from '../model/service.ts'
import type { RecordChange } from '../model/state.ts'

/** The service account of a client on the host of its region. An unknown client takes as long as a wrong secret. */
export function serviceAccountOf(service: Service, region: HostRegion, id: string, secret: string): ServiceAccountRecord | undefined {
  const { digest } = service.ports
  const serviceAccount = service.state.table('serviceAccount').get(id)
  const isRight = digest.same(digest.sha256(secret), serviceAccount?.secretDigest ?? digest.sha256(''))
  if (!serviceAccount || !isRight) return undefined
  return service.state.table('account').get(serviceAccount.account)?.region === region ? serviceAccount : undefined
}

/** A new token of a service account. Its digest alone is stored. */
export function newToken(service: Service, { identity, account }: ServiceAccountRecord, scope: string): string {
  const { chance, clock, digest } = service.ports
  const token = chance.token(43)
  const now = clock.now()
  const value = { identity, account, scope, expiresAt: now + service.tokenLifetime * 1000 }
  service.state.commit([...expiredTokens(service, now), { kind: 'token', key: digest.sha256(token), value }])
  return token
}

/** Tokens are stored in the order of their ends: the first one that is valid ends the search. */
function expiredTokens(service: Service, now: number): readonly RecordChange[] {
  const changes: RecordChange[] = []
  for (const [key, { expiresAt }] of service.state.table('token').entries()) {
    if (expiresAt > now) break
    changes.push({ kind: 'token', key })
  }
  return changes
}

/** Whose token it is; undefined where it is not known, has expired, or belongs to the other host. */
export function callerOfToken(service: Service, request: ServiceRequest, token: string): Caller | undefined {
  const { memory, ports, state } = service
  if (memory.token?.text !== token) memory.token = { text: token, digest: ports.digest.sha256(token) }
  const tokenRecord = state.table('token').get(memory.token.digest)
  if (!tokenRecord || tokenRecord.expiresAt <= ports.clock.now()) return undefined
  return state.table('account').get(tokenRecord.account)?.region === request.region ? tokenRecord : undefined
}
