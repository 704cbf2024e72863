import type { Rule } from '../rule.ts'
import { plainVerdicts } from '../support/verdicts.ts'

export const deadPolicy: Rule = {
  code: 'dead-policy',
  section: 'whole set',
  severity: 'warning',
  summary: 'A policy that can never grant or deny anything.',
  why:
    'The permissions groups that it names take out with `except` all that they allow, and deny nothing: whoever relies on the policy has nothing. ' +
    'Conditions that its resources never meet are reported by `deny-fails-open` and `allow-never-applies`, those that no request at all can meet ' +
    'by `impossible-condition`, and resource groups without members by `empty-resource-group`.',
  examples: {
    bad: [
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
      const { permissionsGroups, name } = policy
      const span = permissionsGroups[0]?.span
      yield {
        span: name.span,
        message: 'this policy can never grant or deny anything: the permissions groups it names grant and deny nothing',
        help: 'mend the groups or name others, or delete the policy',
        ...(span && { related: [{ message: 'this comes to nothing', span }] }),
      }
    },
  },
}
