import { badRequest, failure, notFound, quote } from '../model/errors.ts'
import type { HostRegion, Reply } from '../model/exchange.ts'
import type { GroupRecord, PolicyRecord } from '../model/records.ts'
import { timestamp } from '../model/tasks.ts'
import type { RouteContext } from './route.ts'

export function flagOf(
  { request: { query } }: RouteContext,
  name: string,
): { readonly value: boolean | undefined; readonly refusal?: Reply } {
  const text = query.get(name)
  if (text === undefined || text === 'true' || text === 'false') return { value: text === undefined ? undefined : text === 'true' }
  return { value: undefined, refusal: badRequest(`query parameter \`${name}\`: expected \`true\` or \`false\`, found ${quote(text)}`) }
}

export function nowOf({ service }: RouteContext): string {
  return timestamp(service.ports.clock.now())
}

/** The fields that the service adds to a new record of the caller's account. */
export function newRecord(context: RouteContext) {
  return { account: context.caller.account, readOnly: false, createdAt: nowOf(context), updatedAt: null }
}

/** The region that the URNs of an account's own groups are in. */
export function regionOf({ service, caller, request }: RouteContext): HostRegion {
  return service.state.table('account').get(caller.account)?.region ?? request.region
}

export function isOwnAccount({ caller }: RouteContext, { account }: { readonly account: string | null }): boolean {
  return account === null || account === caller.account
}

/** The answer where a record does not exist, or is another account's: the two are not distinguished. */
export function missingRecord(what: string, key: string): Reply {
  return notFound(`no ${what} ${quote(key)} is known to this account`)
}

export function policyWith({ service, caller }: RouteContext, test: (policy: PolicyRecord) => boolean): PolicyRecord | undefined {
  for (const policy of service.state.table('policy').all()) if (policy.account === caller.account && test(policy)) return policy
  return undefined
}

export function urnsIn({ written }: PolicyRecord | GroupRecord, list: 'permissionsGroups' | 'resources'): readonly string[] {
  const entries = written[list]
  return Array.isArray(entries) ? entries.flatMap(({ urn }: { readonly urn?: string }) => urn ?? []) : []
}

/** That such records cannot be changed is a public fact; with which status is not. */
export function readOnlyRecord(what: string, name: unknown): Reply {
  return failure(403, 'Client::Forbidden', `the ${what} ${quote(String(name))} is read-only: the service manages it`)
}
