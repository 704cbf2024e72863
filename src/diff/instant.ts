import { holdsClock, isOfTime, zoneOf } from '../conditions/test.ts'
import type { Condition, Policy, World } from '../policy.ts'

/** A world as it is at one instant: without policies that have expired, and with each comparison of the time decided. */
export function atInstant(world: World, instant: number): World {
  return {
    ...world,
    policies: world.policies.filter(({ expiresAt }) => !expiresAt || instant <= expiresAt.value).map((policy) => policyAt(policy, instant)),
  }
}

/** A policy as it is at one instant: its expiry is not looked at. */
function policyAt(policy: Policy, at: number): Policy {
  const { expiresAt: _expiresAt, condition, ...rest } = policy
  const left = condition && conditionAt(condition, at)
  return left === undefined || isAlways(left) ? rest : { ...rest, condition: left }
}

// Nothing to hold is what always holds, nothing to choose from what never does.
const isAlways = ({ kind, ...rest }: Condition) => kind === 'and' && 'operands' in rest && rest.operands.length === 0
const isNever = ({ kind, ...rest }: Condition) => kind === 'or' && 'operands' in rest && rest.operands.length === 0

/** A condition with each comparison of the time decided, and without what this settles. */
export function conditionAt(condition: Condition, instant: number): Condition {
  if (condition.kind === 'opaque') return condition
  const { span } = condition
  const [always, never]: readonly Condition[] = [
    { kind: 'and', operands: [], span },
    { kind: 'or', operands: [], span },
  ]
  if (condition.kind === 'match') {
    const { test } = condition
    if (!isOfTime(test)) return condition
    return (holdsClock(test, zoneOf(test).shows(instant)) ? always : never) as Condition
  }
  const operands = condition.operands.map((operand) => conditionAt(operand, instant))
  const settles = condition.kind === 'and' ? isNever : isAlways
  if (operands.some(settles)) return (condition.kind === 'or' ? always : never) as Condition
  const undecided = operands.filter((operand) => !(condition.kind === 'and' ? isAlways : isNever)(operand))
  if (undecided.length === 0) return (condition.kind === 'or' ? never : always) as Condition
  return undecided.length === 1 && condition.kind !== 'not'
    ? (undecided[0] as Condition)
    : { kind: condition.kind, operands: undecided, span }
}
