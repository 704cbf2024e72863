import { compareText } from '../diagnostic.ts'
import type { Glob } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { ListName, PermissionSet, World } from '../policy.ts'
import type { Located, Span } from '../source.ts'
import { type Answer, restsOn } from './run.ts'

/**
 * Which entries of policies the tests exercise. An entry is exercised when an answer rests on it: an `allow` that grants,
 * a `deny` that denies, either where the verdict is unknown and depends on it, and an `except` that takes a grant away in a
 * question that is then denied by default. A policy is exercised when one of its entries is, or one of a permissions
 * group that it names, in an answer to which that policy brought it.
 */
export interface Coverage {
  readonly entries: { readonly total: number; readonly exercised: number }
  readonly policies: { readonly total: number; readonly exercised: number }
  readonly idleEntries: readonly IdleEntry[]
  readonly idlePolicies: readonly Located<string>[]
}

export interface IdleEntry {
  readonly list: ListName
  readonly entry: Located<Glob>
  readonly holder: string
  /** The place of the policy that holds it; undefined for a permissions group. */
  readonly policy: Span | undefined
}

/** The entries that answers have rested on so far. Entries are identified by their places: a file may be read again for other tests. */
export interface Tally {
  readonly add: (answer: Answer) => void
  /** Count the entries of a world as to be exercised; the `apart` sources hold no policies under test. */
  readonly hold: (world: World, apart: ReadonlySet<string>) => void
  readonly coverage: () => Coverage
}

export function tally(): Tally {
  const exercised = new Set<string>()
  const entries = new Map<string, IdleEntry>()
  const policies = new Map<string, Located<string>>()
  const holdSet = (set: PermissionSet, holder: string, policy?: Span) => {
    for (const list of ['allow', 'except', 'deny'] as const)
      for (const entry of set[list]) entries.set(placeKey(entry.span), { list, entry, holder, policy })
  }
  return {
    add(answer) {
      for (const { policy, entry } of restsOn(answer)) exercised.add(placeKey(entry.span)).add(policyKey(policy.span))
    },
    hold({ policies: all, permissionsGroups }, apart) {
      for (const { name, permissions, span } of all) {
        if (apart.has(span.source.path)) continue
        policies.set(policyKey(span), { value: name.value, span: name.span })
        holdSet(permissions, name.value, name.span)
      }
      for (const [urn, { permissions, span }] of permissionsGroups) if (!apart.has(span.source.path)) holdSet(permissions, urn)
    },
    coverage() {
      const idleEntries = [...entries].flatMap(([key, entry]) => (exercised.has(key) ? [] : [entry]))
      const idlePolicies = [...policies].flatMap(([key, policy]) => (exercised.has(key) ? [] : [policy]))
      return {
        entries: { total: entries.size, exercised: entries.size - idleEntries.length },
        policies: { total: policies.size, exercised: policies.size - idlePolicies.length },
        idleEntries: idleEntries.sort((a, b) => comparePlaces(a.entry.span, b.entry.span)),
        idlePolicies: idlePolicies.sort((a, b) => comparePlaces(a.span, b.span)),
      }
    },
  }
}

/** How much of the entries is exercised, in percent with one decimal, never rounded up; 100 where there is none. */
export function percent({ total, exercised }: Coverage['entries']): number {
  return total === 0 ? 100 : Math.floor((exercised * 1000) / total) / 10
}

function placeKey({ source, start }: Span): string {
  return keyOf(source.path, start)
}

/** An entry may begin where its policy does. */
function policyKey(span: Span): string {
  return keyOf('policy', placeKey(span))
}

function comparePlaces(a: Span, b: Span): number {
  return compareText(a.source.path, b.source.path) || a.start - b.start
}
