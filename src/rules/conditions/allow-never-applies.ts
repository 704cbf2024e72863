import type { Rule } from '../rule.ts'
import { reachFindings } from '../support/reach.ts'

const code = 'allow-never-applies'

export const allowNeverApplies: Rule = {
  code,
  section: 'conditions',
  severity: 'warning',
  precision: 'very-high',
  yieldsToInner: ['unused-tag', 'wildcard-as-text', 'list-under-equality', 'condition-shape'],
  summary: 'A grant whose condition no resource of the policy can meet.',
  why:
    'The grant has no effect, because what the condition requires and what the policy lists never match. The type and name in the ' +
    'condition are compared with all resources of the policy. Tags are compared if they are known: from the inventory, or for types ' +
    'without any tags, which you list as `untaggable`. For policies that deny, see `deny-fails-open`.',
  options: [{ name: 'untaggable', type: 'texts', text: 'types of resources that have no tags: comparisons with their tags never hold' }],
  needs: 'condition',
  policy: (policy, context) =>
    reachFindings(policy, context, { code, effect: 'allow', help: 'correct the condition or the resources, or remove the condition' }),
}
