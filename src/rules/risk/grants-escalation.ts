import type { Rule } from '../rule.ts'
import { exposes } from '../support/residual.ts'

export const grantsEscalation: Rule = {
  code: 'grants-escalation',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 8.0,
  summary: 'A grant that allows an identity to give itself more permissions.',
  why:
    'Anyone who can change policies, permissions groups or resource groups, move users between groups or assign roles effectively has ' +
    'every permission that these can give. Actions removed by `except`, denies, resources and conditions are not counted. Limit such ' +
    'grants to those who administer access, name the actions, and deny them to all others.',
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions: { allow: [{ action: "account:apisvc:iam/policy/*" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-escalation`,
      `
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions:
  allow: [{ action: "account:*" }]
#                   ^^^^^^^^^^^ grants-escalation
  except: [{ action: "account:apisvc:iam/*" }]`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions: { allow: [{ action: "account:apisvc:iam/policy/get" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "account:*" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions:
  allow: [{ action: "account:apisvc:iam/*" }]
  deny: [{ action: "account:apisvc:iam/*/create" }, { action: "account:apisvc:iam/*/edit" }, { action: "account:apisvc:iam/*/delete" }, { action: "account:apisvc:iam/*" }]`,
    ],
  },
  check: exposes(['escalation'], 'limit it to those who administer access, and remove the rest with `except` or `deny`'),
}
