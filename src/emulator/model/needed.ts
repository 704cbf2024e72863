import type { Catalogue } from '../../actions/catalogue.ts'
import type { CallAnswer, JudgedRequirement } from '../../calls/judge.ts'
import { keyOf } from '../../keys.ts'
import type { Settings } from '../../names.ts'
import { factText } from '../../simulate/facts.ts'
import { type LeastPolicy, least } from '../../usage/least.ts'
import type { CallRecord } from '../../usage/record.ts'
import { recordCounter } from '../../usage/tally.ts'

/** An access that a call needed and did not have. */
export interface Open {
  readonly identity: string
  readonly action: string
  /** Null: the call does not say which. */
  readonly resource: string | null
}

/** The policies that calls needed which soft mode let through. */
export interface NeededPolicies {
  /** How many calls were let through. */
  readonly calls: number
  /** The smallest policies that allow what was refused for want of a policy. */
  readonly policies: readonly LeastPolicy[]
  /** Accesses that a policy denies: no further policy allows them. `by`: the names of the policies. */
  readonly denied: readonly (Open & { readonly by: readonly string[] })[]
  /** Accesses that depend on facts which are not known. */
  readonly undecided: readonly (Open & { readonly missing: readonly string[] })[]
  /** Refused actions of calls that do not say about which resource. */
  readonly withoutResource: readonly Open[]
  /** How many further accesses calls lacked that are in none of these lists: so many are remembered. */
  readonly omitted: number
}

export interface NeededLog {
  readonly add: (record: CallRecord, answer: Pick<CallAnswer, 'requirements'>) => void
  /** Whether only soft mode let a call through. */
  readonly has: (record: CallRecord) => boolean
  readonly list: () => NeededPolicies
  readonly clear: () => void
}

/** The most different accesses that are remembered: a client that asks for everything takes no more memory and time. */
export const mostOpen = 2000

export function openNeeded(catalogue: Pick<Catalogue, 'expand'>, settings: Settings, now: () => number): NeededLog {
  let counter = recordCounter()
  let calls = 0
  const denied = new Map<string, NeededPolicies['denied'][number]>()
  const undecided = new Map<string, NeededPolicies['undecided'][number]>()
  /** The last reason for which each access was refused. The list holds until one is new, or is refused for another reason. */
  const remembered = new Map<string, string>()
  let omitted = 0
  let listed: Omit<NeededPolicies, 'calls'> | undefined
  const letThrough = new WeakSet<CallRecord>()
  const clear = () => {
    counter = recordCounter()
    calls = 0
    omitted = 0
    listed = undefined
    for (const each of [denied, undecided, remembered]) each.clear()
  }
  const lists = (): Omit<NeededPolicies, 'calls'> => {
    const tally = counter.end()
    const { policies } = least(tally, { level: 'none', catalogue, settings, now: now() })
    const withoutResource = tally.left['unknown-resource'].map(({ identity, action, resource }) => ({ identity, action, resource }))
    return { policies, denied: [...denied.values()], undecided: [...undecided.values()], withoutResource, omitted }
  }
  return {
    add(record, { requirements }) {
      calls++
      letThrough.add(record)
      const lacking: JudgedRequirement[] = []
      for (const each of requirements) {
        const { action, resource = null, required, verdict, asked } = each
        if (!required || verdict === 'allow') continue
        const open: Open = { identity: record.identity, action, resource }
        const key = keyOf(open.identity, action, resource ?? '')
        if (!remembered.has(key) && remembered.size >= mostOpen) {
          omitted++
          continue
        }
        const { reason, clauses = [], missing = [] } = asked?.decision ?? {}
        const facts = missing.map(({ fact }) => factText(fact))
        const by = [...new Set(clauses.map(({ policy }) => policy.name.value))]
        const lack = keyOf(verdict, reason ?? '', record.at.slice(0, 'YYYY-MM-DD'.length), ...(verdict === 'unknown' ? facts : by))
        if (remembered.get(key) !== lack) listed = undefined
        remembered.set(key, lack)
        if (verdict === 'unknown') undecided.set(key, { ...open, missing: facts })
        else if (reason === 'denied') denied.set(key, { ...open, by })
        else lacking.push(each)
      }
      const needs = lacking.map(({ action, resource = null }) => ({ action, resource, required: true, verdict: 'allow' as const }))
      if (needs.length === 0) return
      const { account, identity } = record
      const nothing = { groups: undefined, ip: undefined, call: undefined, credential: undefined }
      counter.add({ ...nothing, at: Date.parse(record.at), account, identity, needs, verdict: 'allow' })
    },
    has: (record) => letThrough.has(record),
    list() {
      listed ??= lists()
      return { calls, ...listed, omitted }
    },
    clear,
  }
}
