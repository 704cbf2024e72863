import { madeIn } from '../collections.ts'
import type { Address } from '../conditions/address.ts'
import { keyOf } from '../keys.ts'
import type { Need, Recorded } from './record.ts'

/** Calls that agree in who did what to what, counted. */
export interface Use {
  /** The account whose policies judged it; undefined where no record says. */
  readonly account: string | undefined
  readonly identity: string
  readonly action: string
  /** Null where no record says which. */
  readonly resource: string | null
  readonly count: number
  /** The first and the last time, milliseconds since 1970; undefined where no record says. */
  readonly first: number | undefined
  readonly last: number | undefined
  /** Where the last one came from. */
  readonly ip: Address | undefined
  /** The groups that the caller was in, by the records that name any: each list of them once. */
  readonly memberships: ReadonlySet<readonly string[]>
}

/** Why a use is not granted anew. `root`: the owning account cannot be restricted and needs no policy. */
export type OmissionReason = 'refused' | 'undecided' | 'unknown-resource' | 'root'

/** The summary of records: memory grows with distinct uses, not with records. */
export interface Tally {
  readonly records: number
  /** Those among them that were let through: what was used is of these alone. */
  readonly letThrough: number
  /** Allowed uses on known resources, in a fixed order. */
  readonly uses: readonly (Use & { readonly resource: string })[]
  readonly left: Readonly<Record<OmissionReason, readonly Use[]>>
  /** Uses that were also refused, at other times: under a condition, or before or after policies changed. */
  readonly alsoRefused: readonly Use[]
  /** The groups of each identity, as its last record that names any has them. */
  readonly groups: ReadonlyMap<string, readonly string[]>
}

/** Count records. `wants`: which identities are looked at. */
export function recordCounter(wants: (identity: string) => boolean = () => true) {
  const kinds = ['used', 'refused', 'undecided', 'unknown-resource', 'root'] as const
  const uses = new Map<string, Counted>()
  const groups = new Map<string, { readonly at: number; readonly groups: readonly string[] }>()
  const memberships = new Map<string, readonly string[]>()
  /** The one list for equal ones. */
  const membershipOf = (named: readonly string[]): readonly string[] => madeIn(memberships, keyOf(named), () => named)
  let records = 0
  let letThrough = 0
  return {
    add(record: Recorded): void {
      if (!wants(record.identity)) return
      const { at, account, identity, several } = record
      const count = several?.count ?? 1
      records += count
      if (record.verdict === 'allow') letThrough += count
      const recorded = groups.get(identity)
      if (record.groups && (recorded === undefined || (at ?? recorded.at) >= recorded.at))
        groups.set(identity, { at: at ?? recorded?.at ?? Number.NEGATIVE_INFINITY, groups: record.groups })
      const membership = record.groups && membershipOf(record.groups)
      for (const need of record.needs) {
        const kind = kindOf(record, need)
        const key = useKey(kind, identity, need.action, need.resource, account)
        const use = uses.get(key)
        if (use) again(use, record, membership)
        else {
          const { action, resource } = need
          const times = { count, first: several?.first ?? at, last: at }
          uses.set(key, {
            kind,
            account,
            identity,
            action,
            resource,
            ...times,
            ip: record.ip,
            memberships: new Set(membership && [membership]),
          })
        }
      }
    },
    end(): Tally {
      const sorted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use)
      const of = (wanted: (typeof kinds)[number]): readonly Use[] => sorted.flatMap(({ kind, ...use }) => (kind === wanted ? [use] : []))
      const isUsed = ({ identity, action, resource, account }: Use) => uses.has(useKey('used', identity, action, resource, account))
      const refused = of('refused')
      return {
        records,
        letThrough,
        alsoRefused: refused.filter(isUsed),
        uses: of('used').flatMap(({ resource, ...use }) => (resource === null ? [] : [{ ...use, resource }])),
        left: {
          refused: refused.filter((use) => !isUsed(use)),
          undecided: of('undecided'),
          'unknown-resource': of('unknown-resource'),
          root: of('root'),
        },
        groups: new Map([...groups].map(([identity, { groups }]) => [identity, groups])),
      }
    },
  }
}

function useKey(kind: string, identity: string, action: string, resource: string | null, account: string | undefined): string {
  return keyOf(kind, identity, action, resource ?? '', account ?? '')
}

type Counted = { -readonly [K in keyof Use]: Use[K] } & {
  readonly kind: 'used' | OmissionReason
  readonly memberships: Set<readonly string[]>
}

function again(use: Counted, { at, ip, several }: Recorded, membership: readonly string[] | undefined): void {
  use.count += several?.count ?? 1
  if (membership) use.memberships.add(membership)
  if (at === undefined) return
  const first = several?.first ?? at
  if (use.first === undefined || first < use.first) use.first = first
  if (use.last === undefined || at >= use.last) {
    use.last = at
    use.ip = ip
  }
}

/** The kind of use that an action of a record counts as. Nothing of a refused call was used, even if some of its actions were allowed. */
export function kindOf({ identity, account, verdict }: Recorded, need: Need): Counted['kind'] {
  if (verdict === 'unknown' || need.verdict === 'unknown') return 'undecided'
  if (verdict === 'deny' || need.verdict === 'deny') return 'refused'
  if (account !== undefined && identity.endsWith(`:identity:account:${account}`)) return 'root'
  return need.resource === null ? 'unknown-resource' : 'used'
}
