import type { Rule } from '../rule.ts'
import { reachFindings } from '../support/reach.ts'

const code = 'allow-never-applies'

export const allowNeverApplies: Rule = {
  code,
  section: 'conditions',
  severity: 'warning',
  precision: 'very-high',
  yieldsToInner: ['unused-tag', 'wildcard-as-text', 'list-under-equality', 'condition-shape'],
  summary: 'A grant under a condition that its resources can never meet.',
  why:
    'The grant looks as if it were there, and is not: what the condition asks for and what the policy names never come together. The type and the ' +
    'name that the condition asks for are held against the resources of the policy, all of which must fail. Tags are judged where something is known of them: ' +
    'a resource of the inventory that lacks the tag, or types that carry no tags at all, which only you can tell (`untaggable`). The same in a ' +
    'policy that denies is reported by `deny-fails-open`.',
  options: [{ name: 'untaggable', type: 'texts', text: 'types of resources that carry no tags: comparisons of their tags never hold' }],
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
conditions: { operator: MATCH, values: { resource.Type.IN: "dnsZone, domain" } }
#                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ allow-never-applies`,
      {
        options: { untaggable: ['vps'] },
        text: `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
conditions: { operator: MATCH, values: { resource.Tag(env).STARTS_WITH: prod } }
#                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ allow-never-applies`,
      },
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:*" }]
conditions: { operator: MATCH, values: { resource.Type.IN: "vps, vrack" } }`,
      {
        options: { untaggable: ['vps'] },
        text: `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
conditions:
  operator: OR
  conditions:
    - { operator: MATCH, values: { resource.Tag(env): prod } }
    - { operator: MATCH, values: { request.IP: 203.0.113.7 } }`,
      },
      `
resources: [{ urn: "urn:v1:eu:resourceGroup:5b0c" }]
conditions: { operator: MATCH, values: { resource.Type: vps } }`,
    ],
  },
  check: {
    policy: (policy, context) =>
      reachFindings(policy, context, { code, effect: 'allow', help: 'mend the condition or the resources, or take the condition out' }),
  },
}
