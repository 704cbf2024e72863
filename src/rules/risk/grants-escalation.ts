import type { Rule } from '../rule.ts'
import { exposureFinding, exposureOf } from '../support/residual.ts'

export const grantsEscalation: Rule = {
  code: 'grants-escalation',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 8.0,
  summary: 'A grant with which somebody can grant themselves more.',
  why:
    'Whoever can write policies, permissions groups or resource groups, move users between groups or hand out roles holds in effect everything that ' +
    'these can give, whatever else the policies say. Counted is what is left after `except`, denies, resources and conditions. Keep such grants to ' +
    'the few who administer access, name the actions one by one, and deny the rest to everybody else.',
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
  check: {
    *policy(policy, context) {
      const exposure = exposureOf(policy, context, ['escalation'])
      if (exposure) yield exposureFinding(exposure, 'keep it to those who administer access, and take the rest out with `except` or `deny`')
    },
  },
}
