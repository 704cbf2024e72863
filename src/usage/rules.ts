import type { Operation } from '../actions/operations.ts'
import { withoutBranch } from '../actions/paths.ts'
import { accessGate, formsOf } from '../calls/access.ts'
import { type Call, matchCall, type Routes, readCall } from '../calls/match.ts'
import { coverOfRules, operationsFinder, type PlainRule, type RuleLevel, rulesForCall, withoutCovered } from '../calls/rule-set.ts'
import { glob, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { AccessRule } from '../policy.ts'
import type { Recorded } from './record.ts'

/** Calls by what they count as: those that were let through, and what is left out of a proposal. */
export interface CallTally {
  readonly records: number
  /** Records of calls that were let through: what is proposed is of these alone. */
  readonly letThrough: number
  /** Distinct calls that were let through, in a fixed order. */
  readonly used: readonly { readonly call: Call; readonly count: number }[]
  /** How many records are left out. `no-call`: of a decision only; `unreadable`: of a path that is none. */
  readonly left: Readonly<Record<'refused' | 'undecided' | 'no-call' | 'unreadable', number>>
}

/** Count recorded calls. Memory grows with distinct calls. `wants`: whose are looked at. */
export function tallyingCalls(wants: (identity: string) => boolean = () => true) {
  const used = new Map<string, { readonly call: Call; count: number }>()
  const omitted = { refused: 0, undecided: 0, 'no-call': 0, unreadable: 0 }
  let records = 0
  return {
    add({ identity, call, verdict, several }: Recorded): void {
      if (!wants(identity)) return
      const count = several?.count ?? 1
      records += count
      if (!call) omitted['no-call'] += count
      else if (verdict !== 'allow') omitted[verdict === 'deny' ? 'refused' : 'undecided']++
      else {
        const key = keyOf(call.path, call.method)
        const usedBefore = used.get(key)
        if (usedBefore) usedBefore.count++
        else {
          const read = readCall(call.method, call.path).call
          if (read) used.set(key, { call: read, count: 1 })
          else omitted.unreadable++
        }
      }
    },
    end(): CallTally {
      const sorted = [...used].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
      return { records, letThrough: sorted.reduce((sum, { count }) => sum + count, 0), used: sorted, left: omitted }
    },
  }
}

/** A rule, and the operations that it opens and of which nothing was used. */
export interface RuleWithRest extends PlainRule {
  readonly beyond: readonly Operation[]
}

/** The rules in force, compared with a proposal. */
export interface RulesInForce {
  /** Proposed rules that let through calls that those in force do not; empty: the proposal is proved to be within them. */
  readonly outside: readonly PlainRule[]
  /** Those that let no recorded call through. */
  readonly unused: readonly RuleWithRest[]
  /** Those that do, and open other operations as well. */
  readonly wider: readonly RuleWithRest[]
  /** Recorded calls that they would not let through. */
  readonly refusing: readonly Call[]
}

export interface LeastRules {
  readonly rules: readonly RuleWithRest[]
  /** Calls that need no rule, since they need no authentication. */
  readonly open: readonly Call[]
  /** Calls of which no operation, or no single one, is known: nothing is widened for them. */
  readonly unknown: readonly Call[]
  /** Operations of which something was used. */
  readonly operations: number
  readonly current: RulesInForce | undefined
}

/** `none`: no call needs a rule. `within`: the rules in force allow all of it. `beyond`: they do not. */
export type LeastRulesVerdict = 'none' | 'proposed' | 'within' | 'beyond'

export function leastRulesVerdict({ rules, current }: LeastRules): LeastRulesVerdict {
  if (rules.length === 0) return 'none'
  if (!current) return 'proposed'
  return current.outside.length > 0 ? 'beyond' : 'within'
}

/** The fewest access rules that let every used call through; without widening, nothing else. `current`: the rules in force. */
export function leastRules(tally: CallTally, routes: Routes, level: RuleLevel, current?: readonly AccessRule[]): LeastRules {
  const { operations } = routes
  const opened = operationsFinder(operations)
  const used = new Set<Operation>()
  const [rules, open, unknown, needed]: [PlainRule[], Call[], Call[], Call[]] = [[], [], [], []]
  for (const { call } of tally.used) {
    const matched = matchCall(routes, call)
    const operation = matched.kind === 'one' ? matched.match.operation : undefined
    if (operation?.noAuthentication) {
      open.push(call)
      continue
    }
    if (operation) used.add(operation)
    else unknown.push(call)
    needed.push(call)
    rules.push(...rulesForCall(call, operation, level))
  }
  const withRest = (rule: PlainRule): RuleWithRest => ({ ...rule, beyond: opened(rule).filter((each) => !used.has(each)) })
  const proposed = withoutCovered(rules)
  return {
    rules: proposed.map(withRest),
    open,
    unknown,
    operations: used.size,
    current: current && inForce(current, proposed, needed, withRest),
  }
}

function inForce(
  current: readonly AccessRule[],
  proposed: readonly PlainRule[],
  calls: readonly Call[],
  withRest: (rule: PlainRule) => RuleWithRest,
): RulesInForce {
  const plain = current.map(({ method, path }) => ({ method: method.value, path: path.value }))
  const cover = coverOfRules(plain)
  const forms = calls.flatMap((call) => [...formsOf(call)].map((path) => ({ ...call, path })))
  const literal = new Set(forms.flatMap(({ method, branch, path }) => [keyOf(method, branch, path), keyOf(method, '', path)]))
  const lets = ({ method, path }: PlainRule) => {
    const { branch, rest } = withoutBranch(path)
    if (!rest.includes('*')) return literal.has(keyOf(method, branch ?? '', rest)) || literal.has(keyOf(method, undefined, rest))
    const pattern = glob(rest)
    return forms.some(
      (each) => each.method === method && (branch === undefined || (each.branch ?? branch) === branch) && matches(pattern, each.path),
    )
  }
  const isUsed = new Map(plain.map((rule) => [rule, lets(rule)]))
  return {
    outside: proposed.filter((rule) => !cover.covers(rule)),
    unused: plain.filter((rule) => !isUsed.get(rule)).map(withRest),
    wider: plain
      .filter((rule) => isUsed.get(rule))
      .map(withRest)
      .filter(({ beyond }) => beyond.length > 0),
    refusing: calls.filter((call) => accessGate(current, call, call.branch).verdict !== 'allow'),
  }
}
