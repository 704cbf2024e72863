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
}

export interface NeededLog {
  readonly add: (record: CallRecord, answer: Pick<CallAnswer, 'requirements'>) => void
  /** Whether only soft mode let a call through. */
  readonly has: (record: CallRecord) => boolean
  readonly list: () => NeededPolicies
  readonly clear: () => void
}

/** The most different accesses that are remembered: a client that asks for everything takes no more memory. */
const mostOpen = 10_000

export function openNeeded(catalogue: Pick<Catalogue, 'expand'>, settings: Settings, now: () => number): NeededLog {
  let counter = recordCounter()
  let calls = 0
  const denied = new Map<string, NeededPolicies['denied'][number]>()
  const undecided = new Map<string, NeededPolicies['undecided'][number]>()
  const remembered = new Set<string>()
  const letThrough = new WeakSet<CallRecord>()
  const clear = () => {
    counter = recordCounter()
    calls = 0
    for (const each of [denied, undecided, remembered]) each.clear()
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
        if (!remembered.has(key) && remembered.size >= mostOpen) continue
        remembered.add(key)
        const { reason, clauses = [], missing = [] } = asked?.decision ?? {}
        if (verdict === 'unknown') undecided.set(key, { ...open, missing: missing.map(({ fact }) => factText(fact)) })
        else if (reason === 'denied') denied.set(key, { ...open, by: [...new Set(clauses.map(({ policy }) => policy.name.value))] })
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
      const tally = counter.end()
      const { policies } = least(tally, { level: 'none', catalogue, settings, now: now() })
      const withoutResource = tally.left['unknown-resource'].map(({ identity, action, resource }) => ({ identity, action, resource }))
      return { calls, policies, denied: [...denied.values()], undecided: [...undecided.values()], withoutResource }
    },
    clear,
  }
}
