import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'
import { cite, plainVerdicts } from '../support/verdicts.ts'

export const equivalentPolicies: Rule = {
  code: 'equivalent-policies',
  section: 'whole set',
  severity: 'info',
  precision: 'very-high',
  summary: 'Two policies with exactly the same effect.',
  why:
    'One of them is a copy, perhaps written differently. Changing only one of them changes nothing. Delete one, or make the intended ' +
    'difference.',
  *policy(policy, context) {
    const verdict = plainVerdicts(context).get(policy)
    if (verdict?.kind !== 'equivalent') return
    const [other] = verdict.by
    yield {
      span: policy.name.span,
      message: `this policy has the same effect as ${quote(other?.name.value ?? '')}`,
      help: 'delete one of the two, or make the intended difference',
      related: cite(verdict.by, () => 'the same effect'),
    }
  },
}
