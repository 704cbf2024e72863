import type { Rule } from '../rule.ts'
import { some } from '../support/text.ts'
import { cite, verdicts } from '../support/verdicts.ts'

export const redundantPolicy: Rule = {
  code: 'redundant-policy',
  section: 'whole set',
  severity: 'info',
  preset: 'strict',
  precision: 'very-high',
  summary: 'A policy that adds nothing to the others.',
  why:
    'Other policies grant the same to the same identities under no stricter conditions, so deleting this policy changes nothing, and ' +
    'removing it later will not remove the access. This is proved for all actions and resources, not only for known ones. Of several ' +
    'policies that cover each other, one is not reported.',
  *policy(policy, context) {
    const verdict = verdicts(context).get(policy)
    if (verdict?.kind !== 'redundant') return
    yield {
      span: policy.name.span,
      message: `this policy adds nothing: ${some(verdict.by.map((by) => by.name.value))} ${verdict.by.length === 1 ? 'covers' : 'cover'} it`,
      help: 'delete it, or narrow the policies that cover it',
      related: cite(verdict.by, () => 'this covers it'),
    }
  },
}
