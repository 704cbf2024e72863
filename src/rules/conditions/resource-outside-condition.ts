import type { Rule } from '../rule.ts'
import { missedFindings } from '../support/reach.ts'

const code = 'resource-outside-condition'

export const resourceOutsideCondition: Rule = {
  code,
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  security: 5,
  summary: 'A resource that can never meet the condition of the policy that names it.',
  why:
    'Other resources of the policy can meet the condition, this one never does: nothing is granted on it, or, worse, what the policy denies stays ' +
    'open on it. Its type and name are held against what the condition asks for, and its tags where something is known of them: by the inventory, ' +
    'or by you, that resources of its type carry none (`untaggable`). Take it out, or mend the condition. Where no resource of the policy can meet ' +
    'the condition, `deny-fails-open` and `allow-never-applies` say so.',
  options: [{ name: 'untaggable', type: 'texts', text: 'types of resources that carry no tags: comparisons of their tags never hold' }],
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }, { urn: "urn:v1:eu:resource:vps:prod-*" }]
#                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ resource-outside-condition
permissions: { deny: [{ action: "vps:apisvc:reinstall" }] }
conditions: { operator: MATCH, values: { resource.Name.STARTS_WITH: prod- } }`,
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }, { urn: "urn:v1:eu:resource:webHosting:*" }]
#                                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ resource-outside-condition
conditions: { operator: MATCH, values: { resource.Type: vps, resource.Tag(env): prod } }`,
      `
policies:
  - name: keep production
    identities: ["urn:v1:eu:identity:group:ab12-svc/web"]
    resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }, { urn: "urn:v1:eu:resource:vps:vps-2" }]
#                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ resource-outside-condition
    permissions: { deny: [{ action: "vps:apisvc:reinstall" }] }
    conditions: { operator: MATCH, values: { "resource.Tag(env)": prod } }
resources:
  - { urn: "urn:v1:eu:resource:vps:vps-1", tags: { team: web } }
  - { urn: "urn:v1:eu:resource:vps:vps-2", tags: { env: prod } }`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }, { urn: "urn:v1:eu:resource:vps:prod-*" }]
conditions:
  operator: OR
  conditions:
    - { operator: MATCH, values: { resource.Name.STARTS_WITH: prod- } }
    - { operator: MATCH, values: { resource.Tag(env): prod } }`,
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }, { urn: "urn:v1:eu:resourceGroup:5b0c" }]
conditions: { operator: MATCH, values: { resource.Type: vps } }`,
    ],
  },
  check: { policy: (policy, context) => missedFindings(policy, context, code) },
}
