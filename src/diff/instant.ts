import { holdsClock } from '../conditions/test.ts'
import { wallClock } from '../conditions/time.ts'
import type { Condition, Policy, World } from '../policy.ts'

/** A world as it is at one instant: without policies that have expired, and with each comparison of the time decided. */
export function atInstant(world: World, at: number): World {
  return {
    ...world,
    policies: world.policies.filter(({ expiresAt }) => !expiresAt || at <= expiresAt.value).map((policy) => policyAt(policy, at)),
  }
}

function policyAt(policy: Policy, at: number): Policy {
  const { expiresAt: _expiresAt, condition, ...rest } = policy
  return condition ? { ...rest, condition: conditionAt(condition, at) } : rest
}

const ofTime: ReadonlySet<string> = new Set(['date', 'hour', 'weekday'])

function conditionAt(condition: Condition, at: number): Condition {
  if (condition.kind === 'opaque') return condition
  if (condition.kind !== 'match') return { ...condition, operands: condition.operands.map((operand) => conditionAt(operand, at)) }
  const { test, span } = condition
  if (!ofTime.has(test.subject.kind)) return condition
  // Nothing to hold is what always holds, nothing to choose from what never does.
  return { kind: holdsClock(test, wallClock(test.subject.parameter, at)) ? 'and' : 'or', operands: [], span }
}
