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
      reachFindings(policy, context, {
        code,
        effect: 'deny',
        help: 'correct the condition or the resources, or deny without the condition',
      }),
  },
}
