import { accessGate } from '../calls/access.ts'
import { type CallFact, callFactText } from '../calls/facts.ts'
import { readCall } from '../calls/match.ts'
import { keyOf } from '../keys.ts'
import type { AccessRule, World } from '../policy.ts'
import { type Clause, type Question, type Reason, strictest, type Verdict } from '../simulate/decision.ts'
import { compile } from '../simulate/engine.ts'
import type { Need, Recorded } from './record.ts'

/** `refused`: was allowed and would not be. `allowed`: was not and would be. `unknown`: cannot be determined. `same`: as it was. */
export type Change = 'refused' | 'allowed' | 'unknown' | 'same'

/** The changes that count as failures, by the value of `--fail-on`. */
export const failingChanges: Readonly<Record<'refused' | 'allowed' | 'any' | 'never', readonly Change[]>> = {
  refused: ['refused'],
  allowed: ['allowed'],
  any: ['refused', 'allowed'],
  never: [],
}

export interface ReplayOptions {
  /** Every call is judged at this instant, milliseconds since 1970, and not at its own time. */
  readonly at?: number
  readonly now: number
  /** The rules of the consumer key: calls that were made with one are compared with them. By default the recorded verdict counts. */
  readonly rules?: readonly AccessRule[]
}

/** One action of a call, as it was and as it would be. */
export interface JudgedNeed {
  readonly action: string
  readonly resource: string | null
  readonly required: boolean
  readonly recorded: Verdict
  readonly verdict: Verdict
  readonly reason: Reason | 'listing'
  readonly clauses: readonly Clause[]
  readonly missing: readonly CallFact[]
}

/** Calls that agree in who, what, and what becomes of them. */
export interface ReplayedUse {
  readonly identity: string
  readonly groups: readonly string[]
  /** The operation's template where it is known, else the path; null for a decision without its call. */
  readonly call: { readonly method: string; readonly path: string } | null
  readonly needs: readonly JudgedNeed[]
  readonly recorded: Verdict
  readonly verdict: Verdict
  /** The consumer key's gate, as it would be; null where none was used. */
  readonly credential: { readonly recorded: Verdict; readonly verdict: Verdict } | null
  readonly change: Change
  readonly count: number
  readonly first: number | undefined
  readonly last: number | undefined
}

/** The needs that decide the verdict of a call. */
export function decidingNeeds({ verdict, needs }: ReplayedUse): readonly JudgedNeed[] {
  const required = needs.filter((need) => need.required)
  return verdict === 'allow' ? required : required.filter((need) => need.verdict === verdict)
}

export interface Replay {
  readonly records: number
  /** How many records each change is about. */
  readonly counts: Readonly<Record<Change, number>>
  readonly uses: readonly ReplayedUse[]
}

const changes: readonly Change[] = ['refused', 'allowed', 'unknown', 'same']

/** Ask a world again what was asked of the service. Memory grows with distinct uses and answers, not with records. */
export function replayCollector(world: World, options: ReplayOptions) {
  const engine = compile(world)
  const uses = new Map<string, { -readonly [K in keyof ReplayedUse]: ReplayedUse[K] }>()
  const counts: Record<Change, number> = { refused: 0, allowed: 0, unknown: 0, same: 0 }
  const numbers = new Map<Clause, number>()
  const numberOf = (clause: Clause) => {
    const number = numbers.get(clause) ?? numbers.size
    numbers.set(clause, number)
    return number
  }
  let records = 0
  const judge = (record: Recorded, need: Need): JudgedNeed => {
    const { action, resource, required, verdict: recorded } = need
    const base = { action, resource, required, recorded }
    if (resource === null) {
      // Only a call that lists is allowed without a resource: no policy refuses it.
      if (recorded === 'allow') return { ...base, verdict: 'allow', reason: 'listing', clauses: [], missing: [] }
      return { ...base, verdict: 'unknown', reason: 'unknown', clauses: [], missing: [{ kind: 'resource', action }] }
    }
    const { verdict, reason, clauses, missing } = engine.decide(questionFor(record, action, resource, world, options))
    return { ...base, verdict, reason, clauses, missing: missing.map(({ fact }) => fact) }
  }
  return {
    add(record: Recorded): void {
      records++
      const needs = record.needs.map((need) => judge(record, need))
      const credential = credentialOf(record, options.rules)
      const verdict = [
        ...needs.filter(({ required }) => required).map((need) => need.verdict),
        ...(isObscure(record) ? (['unknown'] as const) : []),
        ...(credential ? [credential.verdict] : []),
      ].reduce(strictest, 'allow')
      const change = changeOf(record.verdict, verdict)
      counts[change]++
      const { identity, groups = [], at } = record
      const call = record.call && { method: record.call.method, path: record.call.operation ?? record.call.path }
      const key = keyOf(
        identity,
        groups,
        call?.method,
        call?.path,
        record.verdict,
        verdict,
        credential?.recorded,
        credential?.verdict,
        needs.map(({ action, resource, recorded, verdict, reason, clauses, missing }) => [
          action,
          resource ?? undefined,
          recorded,
          verdict,
          reason,
          clauses.map(numberOf),
          missing.map(callFactText),
        ]),
      )
      const use = uses.get(key)
      if (!use) {
        const both = { recorded: record.verdict, verdict, credential: credential ?? null, change }
        uses.set(key, { identity, groups, call: call ?? null, needs, ...both, count: 1, first: at, last: at })
        return
      }
      use.count++
      if (at === undefined) return
      use.first = Math.min(use.first ?? at, at)
      use.last = Math.max(use.last ?? at, at)
    },
    end(): Replay {
      const rank = ([, { change }]: readonly [string, ReplayedUse]) => changes.indexOf(change)
      const sorted = [...uses].sort((a, b) => rank(a) - rank(b) || (a[0] < b[0] ? -1 : 1))
      return { records, counts, uses: sorted.map(([, use]) => use) }
    },
  }
}

/** Whether the needs of the call are unknown: the operation cannot be decided anew. */
function isObscure({ call, needs, verdict }: Recorded): boolean {
  return call?.operation === null && needs.length === 0 && verdict !== 'allow'
}

function questionFor(record: Recorded, action: string, resource: string, world: World, { at, now }: ReplayOptions): Question {
  const { identity, groups = [], ip, account } = record
  const owner = world.resources.get(resource)?.owner ?? world.account ?? account
  return {
    identity,
    action,
    resource,
    at: at ?? record.at ?? now,
    groups,
    ...(ip && { ip }),
    // The owning account may do everything: whose policies judged the call is the owner where nothing else is known.
    ...(owner !== undefined && identity.split(':')[4] === 'account' && { owner }),
  }
}

/** The verdict of the key's rules on a call that was made with one. */
function credentialOf({ call, credential }: Recorded, rules: readonly AccessRule[] | undefined): ReplayedUse['credential'] {
  if (credential === undefined) return null
  const read = rules && call ? readCall(call.method, call.path).call : undefined
  return { recorded: credential, verdict: rules && read ? accessGate(rules, read, read.branch).verdict : credential }
}

/** The change between verdicts; an undecided recorded call counts as not allowed. */
function changeOf(recorded: Verdict, verdict: Verdict): Change {
  if (verdict === 'unknown') return 'unknown'
  if (verdict === 'allow') return recorded === 'allow' ? 'same' : 'allowed'
  return recorded === 'allow' ? 'refused' : 'same'
}
