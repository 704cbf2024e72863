import type { Rule } from '../rule.ts'
import { missedFindings } from '../support/reach.ts'

const code = 'resource-outside-condition'

export const resourceOutsideCondition: Rule = {
  code,
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  security: 5,
  summary: 'A resource that can never meet the condition of its policy.',
  why:
    'Other resources of the policy can meet the condition, but this one cannot: nothing is granted on it or, worse, what the policy ' +
    'denies remains open. Its type and name are compared with the condition, and its tags if they are known: from the inventory, or for ' +
    'types without any tags, which you list as `untaggable`. Remove it, or correct the condition. If no resource can meet the ' +
    'condition, see `deny-fails-open` and `allow-never-applies`.',
  options: [{ name: 'untaggable', type: 'texts', text: 'types of resources that have no tags: comparisons with their tags never hold' }],
  policy: (policy, context) => missedFindings(policy, context, code),
}
