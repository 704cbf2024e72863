import { badRequest, quote } from './errors.ts'
import type { Reply, ServiceRequest } from './exchange.ts'
import type { Service } from './service.ts'
import { timestamp } from './tasks.ts'

/** Versions of schemas (docs/service.md, Row by row): an account chooses a major one, and a call by `X-Schemas-Version`. */

/** A version with what it changed. Those with one major number are served as one: the highest minor. */
export interface SchemaVersion {
  readonly major: number
  readonly minor: number
  readonly releasedAt: string
  /** From when on it is no longer served; the changelog of the next major version says so. */
  readonly withdrawnAt?: string
  readonly changelog: string
}

/** In the order of their release. The last one is never withdrawn. */
export type SchemaHistory = readonly SchemaVersion[]

export const firstVersion: SchemaHistory = [{ major: 1, minor: 0, releasedAt: '2025-01-07T00:00:00.000Z', changelog: 'first version' }]

/** Of resources with a current and a target state: the emulator's own example of a schema that changed. */
export const assetVersions: SchemaHistory = [
  { major: 1, minor: 0, releasedAt: '2025-01-07T00:00:00.000Z', changelog: 'first version' },
  { major: 1, minor: 1, releasedAt: '2025-03-04T00:00:00.000Z', changelog: 'adds `checksum`, the hash of the target state' },
  {
    major: 2,
    minor: 0,
    releasedAt: '2025-06-03T00:00:00.000Z',
    changelog: 'breaking: `resourceStatus` is called `status`; `createdAt` and `updatedAt` are moved into `dates`',
  },
  { major: 2, minor: 1, releasedAt: '2025-09-02T00:00:00.000Z', changelog: 'adds `pendingChanges`, the names of the fields that differ' },
]

/** The versions that are served at a time, one for each major number: that with the highest minor one. */
export function servedVersions(history: SchemaHistory, at: string): readonly SchemaVersion[] {
  const released = history.filter(({ releasedAt, withdrawnAt }) => releasedAt <= at && (withdrawnAt === undefined || at < withdrawnAt))
  return released.filter(({ major }, i) => !released.some((other, j) => j > i && other.major === major))
}

/** The version of an account: the one it chose while that is served, then the latest; the first one where it never chose. */
export function accountMajor(history: SchemaHistory, chosen: number | undefined, time: string): number {
  const majors = servedVersions(history, time).map(({ major }) => major)
  const latest = Math.max(...majors)
  if (chosen === undefined) return Math.min(...majors)
  return majors.includes(chosen) ? chosen : latest
}

export type ChosenVersion =
  | { readonly major: number; readonly minor: number; readonly refused?: undefined }
  | { readonly refused: string; readonly served: readonly number[] }

/** The version for one call: the header's, else the account's. */
export function chooseVersion(
  history: SchemaHistory,
  header: string | undefined,
  chosen: number | undefined,
  moment: string,
): ChosenVersion {
  const versions = servedVersions(history, moment)
  const served = versions.map(({ major }) => major)
  const wanted = header === undefined ? accountMajor(history, chosen, moment) : majorOf(header)
  const version = versions.find(({ major }) => major === wanted)
  if (version) return { major: version.major, minor: version.minor }
  const list = `served here: ${served.join(', ')}`
  const shown = `\`X-Schemas-Version: ${(header ?? '').slice(0, 40)}\``
  const refused =
    wanted === undefined ? `${shown} is not one major version; ${list}` : `${shown} names a major version that is not served; ${list}`
  return { refused, served }
}

function majorOf(header: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(header) ? Number(header) : undefined
}

/** The header that selects a version, and says which one an answer has. */
const schemasHeader = 'x-schemas-version'

/** An answer in the version that applies to a call. A version that is not served is refused before anything is done. */
export function inVersion(
  { state, ports }: Service,
  { headers }: ServiceRequest,
  account: string,
  history: SchemaHistory,
  answer: (major: number) => Reply,
): Reply {
  const chosen = state.table('account').get(account)?.schemasVersion
  const choice = chooseVersion(history, headers[schemasHeader], chosen, timestamp(ports.clock.now()))
  if (choice.refused !== undefined) return badRequest(choice.refused, { versions: choice.served })
  const reply = answer(choice.major)
  return { ...reply, headers: { ...reply.headers, [schemasHeader]: String(choice.major) } }
}

/** Choose the major version of an account, written as in the header. Gives what is wrong, where it cannot be. */
export function setSchemasVersion({ state, ports }: Service, account: string, written: string): string | undefined {
  const record = state.table('account').get(account)
  if (!record) return `there is no account ${quote(account)}`
  const choice = chooseVersion(assetVersions, written, undefined, timestamp(ports.clock.now()))
  if (choice.refused !== undefined) return choice.refused
  const { major } = choice
  if (record.schemasVersion !== major) state.commit([{ kind: 'account', key: account, value: { ...record, schemasVersion: major } }])
  return undefined
}
