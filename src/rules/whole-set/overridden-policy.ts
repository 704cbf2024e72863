import type { Rule } from '../rule.ts'
import { some } from '../support/text.ts'
import { cite, plainVerdicts } from '../support/verdicts.ts'

export const overriddenPolicy: Rule = {
  code: 'overridden-policy',
  section: 'whole set',
  severity: 'warning',
  precision: 'very-high',
  summary: 'A policy whose grants are all denied by other policies.',
  why:
    'A deny overrides every allow, so this policy grants nothing. Either the deny is too wide, or the policy is unneeded. A deny of ' +
    'every action on every resource is a deliberate lockout and is not reported.',
  *policy(policy, context) {
    const verdict = plainVerdicts(context).get(policy)
    if (verdict?.kind !== 'overridden' || verdict.onPurpose) return
    yield {
      span: policy.name.span,
      message: `this policy grants nothing: ${some(verdict.by.map((by) => by.name.value))} ${verdict.by.length === 1 ? 'denies' : 'deny'} everything it allows`,
      help: 'narrow the deny, or delete the policy',
      related: cite(verdict.by, () => 'this denies it'),
    }
  },
}
