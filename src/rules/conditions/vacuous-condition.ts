import type { Condition, Policy } from '../../policy.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { anything } from '../support/verdicts.ts'
import { isSettled, statementsOfVariant } from '../support/whole-set.ts'

export const vacuousCondition: Rule = {
  code: 'vacuous-condition',
  section: 'conditions',
  severity: 'warning',
  security: 5.5,
  precision: 'very-high',
  yieldsToInner: ['wrapping-range', 'wildcard-as-text', 'list-under-equality', 'unknown-condition-type'],
  summary: 'A condition that every request meets.',
  why:
    'For the resources of the policy, the condition is always true, so it restricts nothing, although its author relies on it. Correct ' +
    'it, or remove it.',
  needs: 'condition',
  *policy(policy, context) {
    const { condition } = policy
    if (!condition || !saysSomething(condition) || !isSettled(policy, context)) return
    const { condition: _, ...free } = allowingAll(policy)
    const not: Condition = { kind: 'not', operands: [condition], span: condition.span }
    if (!applies({ ...free }, context) || applies({ ...free, condition: not }, context)) return
    yield {
      span: condition.span,
      message: 'every request meets this condition: it restricts nothing',
      help: 'correct the values, or remove the condition',
    }
  },
}

/** A policy with the same resources and condition that allows everything to an identity and never expires. */
function allowingAll(policy: Policy): Policy {
  return { ...anything(policy), resources: policy.resources }
}

function applies(policy: Policy, context: RuleContext): boolean {
  const statements = statementsOfVariant(policy, context)
  return !statements || statements.length > 0
}

/** Whether it has a comparison, and nothing that was not understood. */
function saysSomething(condition: Condition): boolean {
  const leaves: Condition[] = []
  const waiting: Condition[] = [condition]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.kind === 'match' || next.kind === 'opaque') leaves.push(next)
    else waiting.push(...next.operands)
  }
  return leaves.length > 0 && leaves.every(({ kind }) => kind === 'match')
}
