import type { Rule } from '../rule.ts'
import { reachFindings } from '../support/reach.ts'

const code = 'deny-fails-open'

export const denyFailsOpen: Rule = {
  code,
  section: 'conditions',
  severity: 'warning',
  security: 7,
  precision: 'very-high',
  yieldsToInner: ['unused-tag', 'wildcard-as-text', 'list-under-equality', 'condition-shape'],
  summary: 'A deny whose condition no resource of the policy can meet.',
  why:
    'If the condition never holds, nothing is denied, although the author relies on it. The type and name in the condition are compared ' +
    'with all resources of the policy. Tags are compared if they are known: from the inventory, or for types without any tags, which ' +
    'you list as `untaggable`. A missing tag under `NOT` is taken into account.',
  options: [{ name: 'untaggable', type: 'texts', text: 'types of resources that have no tags: comparisons with their tags never hold' }],
  needs: 'condition',
  policy: (policy, context) =>
    reachFindings(policy, context, {
      code,
      effect: 'deny',
      help: 'correct the condition or the resources, or deny without the condition',
    }),
}
