import { sealedList } from '../console/guard.ts'
import { badRequest, failure, notFound, quote } from '../model/errors.ts'
import type { HostRegion, Origin, Reply } from '../model/exchange.ts'
import type { GroupRecord, PolicyRecord } from '../model/records.ts'
import { type InOrder, pageOf, readPage } from './pagination.ts'
import type { RouteContext } from './route.ts'

/** What the routes under `/v2/iam` share. */

/** What is listed, and how. */
export interface Listing<T> {
  /** The list's name, for its cursors. */
  readonly list: string
  readonly records: InOrder<T>
  /** One for each record, the same as long as the record lives. */
  readonly keyOf: (record: T) => string
  readonly bodyOf: (record: T) => unknown
  readonly isShown?: (record: T) => boolean
  readonly origin?: Origin
}

/** A page of a list, with the header of the next one where more remain (spec: service, limits). */
export function listReply<T>(
  { service, request: { headers } }: RouteContext,
  { list, records, keyOf, bodyOf, isShown, origin = 'public' }: Listing<T>,
): Reply {
  const paged = sealedList(service, list)
  const { asked, problem } = readPage(paged, headers)
  if (!asked) return badRequest(problem)
  const page = pageOf(paged, records, keyOf, asked, isShown)
  return { status: 200, origin, headers: page.headers, body: page.items.map(bodyOf) }
}

/** A parameter of the query that is true or false; undefined where it is not given. */
export function flagOf(
  { request: { query } }: RouteContext,
  name: string,
): { readonly value: boolean | undefined; readonly refusal?: Reply } {
  const text = query.get(name)
  if (text === undefined || text === 'true' || text === 'false') return { value: text === undefined ? undefined : text === 'true' }
  return { value: undefined, refusal: badRequest(`query parameter \`${name}\`: expected \`true\` or \`false\`, found ${quote(text)}`) }
}

/** The instant of a call, as records have it: ISO 8601 with milliseconds, UTC. */
export function nowOf({ service }: RouteContext): string {
  return new Date(service.ports.clock.now()).toISOString()
}

/** The region that the URNs of an account's own groups are in. */
export function regionOf({ service, caller, request }: RouteContext): HostRegion {
  return service.state.table('account').get(caller.account)?.region ?? request.region
}

/** Whether a record is the caller's account's, or every account's. */
export function isOurs({ caller }: RouteContext, record: { readonly account: string | null }): boolean {
  return record.account === null || record.account === caller.account
}

/** The answer where a record is not there, or is somebody else's: the two are not told apart. */
export function missingRecord(what: string, key: string): Reply {
  return notFound(`no ${what} ${quote(key)} is known to this account`)
}

/** The policies of the caller's account that satisfy a test. */
export function policiesWith(context: RouteContext, test: (policy: PolicyRecord) => boolean): readonly PolicyRecord[] {
  const found: PolicyRecord[] = []
  for (const policy of context.service.state.table('policy').all())
    if (policy.account === context.caller.account && test(policy)) found.push(policy)
  return found
}

/** The URNs under a list of a record: `resources`, `permissionsGroups`. */
export function urnsIn({ written }: PolicyRecord | GroupRecord, list: string): readonly string[] {
  const entries = written[list]
  return Array.isArray(entries) ? entries.flatMap(({ urn }: { readonly urn?: string }) => urn ?? []) : []
}

/** What is managed by the service is not changed through it. That it is refused is a public fact, with which status is not. */
export function readOnlyRecord(what: string, name: unknown): Reply {
  return failure(403, 'Client::Forbidden', `the ${what} ${quote(String(name))} is read-only: the service manages it`)
}
