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
  summary: 'A denial under a condition that its resources can never meet.',
  why:
    'A denial fails open: where its condition does not hold, nothing is forbidden, and whoever wrote it believes that it is. The type and the name ' +
    'that the condition asks for are held against the resources of the policy, all of which must fail. Tags are judged where something is known of them: a ' +
    'resource of the inventory that lacks the tag, or types that carry no tags at all, which only you can tell (`untaggable`). What `NOT` makes of ' +
    'an absent tag is worked out.',
  options: [{ name: 'untaggable', type: 'texts', text: 'types of resources that carry no tags: comparisons of their tags never hold' }],
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { deny: [{ action: "vps:apisvc:reinstall" }] }
conditions: { operator: MATCH, values: { resource.Type: dnsZone } }
#                                        ^^^^^^^^^^^^^^^^^^^^^^ deny-fails-open`,
      {
        options: { untaggable: ['domain'] },
        text: `
resources: [{ urn: "urn:v1:eu:resource:domain:*" }]
permissions: { deny: [{ action: "domain:*" }] }
conditions:
  operator: AND
  conditions:
    - { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }
    - { operator: MATCH, values: { resource.Tag(env): prod } }
#                                  ^^^^^^^^^^^^^^^^^^^^^^^ deny-fails-open`,
      },
      `
policies:
  - name: keep production
    identities: ["urn:v1:eu:identity:group:ab12-svc/web"]
    resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]
    permissions: { deny: [{ action: "vps:apisvc:reinstall" }] }
    conditions: { operator: MATCH, values: { "resource.Tag(env)": prod } }
#                                            ^^^^^^^^^^^^^^^^^^^^^^^^^ deny-fails-open
resources:
  - { urn: "urn:v1:eu:resource:vps:vps-1", tags: { team: web } }
  - { urn: "urn:v1:eu:resource:vps:vps-2", tags: { env: prod } }`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { deny: [{ action: "vps:apisvc:reinstall" }] }
conditions: { operator: MATCH, values: { resource.Tag(env): prod } }`,
      {
        options: { untaggable: ['domain'] },
        text: `
resources: [{ urn: "urn:v1:eu:resource:domain:*" }]
permissions: { deny: [{ action: "domain:*" }] }
conditions: { operator: NOT, conditions: [{ operator: MATCH, values: { resource.Tag(env): test } }] }`,
      },
      {
        options: { untaggable: ['domain'] },
        text: `
resources: [{ urn: "urn:v1:eu:resource:dom*:*" }]
permissions: { deny: [{ action: "domain:*" }] }
conditions: { operator: MATCH, values: { resource.Tag(env): prod } }`,
      },
    ],
  },
  check: {
    policy: (policy, context) =>
      reachFindings(policy, context, { code, effect: 'deny', help: 'mend the condition or the resources, or deny without the condition' }),
  },
}
