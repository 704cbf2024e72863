import type { Rule } from './rule.ts'
import { plainVerdicts } from './support/verdicts.ts'

export const deadPolicy: Rule = {
  code: 'dead-policy',
  section: 'whole set',
  severity: 'warning',
  summary: 'A policy that can never grant or deny anything.',
  why:
    'What it names and what its condition asks for never come together: no request ever meets it, so that its grants are missing and what it ' +
    'denies is open. One of the two is a mistake. Conditions that no request at all can meet are ' +
    'reported by `impossible-condition`, resource groups without members by `empty-resource-group`.',
  examples: {
    bad: [
      `
name: zone readers
#     ^^^^^^^^^^^^ dead-policy
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
conditions: { operator: MATCH, values: { resource.Type: dnsZone } }`,
      `
policies:
  - name: group readers
#         ^^^^^^^^^^^^^ dead-policy
    identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
    resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
    permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:ab12-svc:nothing" }]
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:nothing
    permissions: { allow: [{ action: "vps:apisvc:get" }], except: [{ action: "vps:*" }] }`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
conditions: { operator: MATCH, values: { resource.Name.STARTS_WITH: prod- } }`,
      `
resources: [{ urn: "urn:v1:eu:resourceGroup:5b0c" }]`,
    ],
  },
  check: {
    *policy(policy, context) {
      const verdict = plainVerdicts(context).get(policy)
      if (verdict?.kind !== 'dead' || verdict.why === 'said elsewhere') return
      const { condition, permissionsGroups, name } = policy
      const [reason, span] =
        verdict.why === 'condition'
          ? ['no resource it names ever meets its condition', condition?.span]
          : ['the permissions groups it names grant and deny nothing', permissionsGroups[0]?.span]
      yield {
        span: name.span,
        message: `this policy can never grant or deny anything: ${reason}`,
        help: 'mend what it names or what it asks for, or delete it',
        ...(span && { related: [{ message: 'this never comes true', span }] }),
      }
    },
  },
}
