import type { Rule } from '../rule.ts'
import { some } from '../support/text.ts'
import { cite, verdicts } from '../support/verdicts.ts'

export const shadowedDeny: Rule = {
  code: 'shadowed-deny',
  section: 'whole set',
  severity: 'info',
  preset: 'strict',
  precision: 'very-high',
  summary: 'A policy whose denies are covered by other denies.',
  why:
    'Everything it denies is denied without it, so deleting it has no effect; while it exists, it hides which policy protects the ' +
    'resources. A deny that nothing else covers is never reported, even if nobody has the access: it may be a guard rail.',
  *policy(policy, context) {
    const verdict = verdicts(context).get(policy)
    if (verdict?.kind !== 'shadowed') return
    yield {
      span: policy.name.span,
      message: `this policy adds no deny: ${some(verdict.by.map((by) => by.name.value))} ${verdict.by.length === 1 ? 'denies' : 'deny'} all of it`,
      help: 'delete it, or narrow the policies that cover it',
      related: cite(verdict.by, () => 'this also denies it'),
    }
  },
}
