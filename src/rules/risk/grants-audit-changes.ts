import type { Rule } from '../rule.ts'
import { exposureFinding, exposureOf } from '../support/residual.ts'

export const grantsAuditChanges: Rule = {
  code: 'grants-audit-changes',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 8.0,
  summary: 'A grant with which the account can be watched less, or guarded less.',
  why:
    'Where logs go, from where the account may be used and whether a second factor is asked for is what notices and stops a stolen credential, and what an ' +
    'intruder changes first. Counted is what is left after `except`, denies, resources and conditions. Keep these actions to few, and deny them to everybody else.',
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions: { allow: [{ action: "account:apisvc:me/accessRestriction/*" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-audit-changes`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions: { allow: [{ action: "account:apisvc:me/logs/audit/get" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const exposure = exposureOf(policy, context, ['audit'])
      if (exposure) yield exposureFinding(exposure, 'keep these actions to few, and deny them to everybody else')
    },
  },
}
