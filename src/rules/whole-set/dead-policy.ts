import type { Rule } from '../rule.ts'
import { plainVerdicts } from '../support/verdicts.ts'

export const deadPolicy: Rule = {
  code: 'dead-policy',
  section: 'whole set',
  severity: 'warning',
  summary: 'A policy that can never grant or deny anything.',
  why:
    'Its permissions groups except everything they allow and deny nothing, so the policy has no effect. For conditions that no resource ' +
    'meets, see `deny-fails-open` and `allow-never-applies`; for conditions that no request meets, `impossible-condition`; for empty ' +
    'resource groups, `empty-resource-group`.',
  examples: {
    bad: `
policies:
  - name: group readers
#         ^^^^^^^^^^^^^ dead-policy
    identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
    resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
    permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:ab12-svc:nothing" }]
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:nothing
    permissions: { allow: [{ action: "vps:apisvc:get" }], except: [{ action: "vps:*" }] }`,
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
      const { permissionsGroups, name } = policy
      const span = permissionsGroups[0]?.span
      yield {
        span: name.span,
        message: 'this policy has no effect: its permissions groups grant and deny nothing',
        help: 'correct the groups, use others, or delete the policy',
        ...(span && { related: [{ message: 'this has no effect', span }] }),
      }
    },
  },
}
