import type { Rule } from '../rule.ts'
import { exposureFinding, exposureOf } from '../support/residual.ts'

export const grantsSpending: Rule = {
  code: 'grants-spending',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'A grant with which money is spent or a contract is ended.',
  why:
    'Orders, renewals, payments and terminations bind the account, and most cannot be taken back. Counted is what is left after `except`, denies, resources ' +
    'and conditions. Grant such actions by name to those who may sign for the account.',
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions: { allow: [{ action: "account:apisvc:me/order/*" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-spending`,
      `
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions: { allow: [{ action: "order:*" }] }
#                                ^^^^^^^^^ grants-spending`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions: { allow: [{ action: "account:apisvc:me/order/get" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const exposure = exposureOf(policy, context, ['spend'])
      if (exposure) yield exposureFinding(exposure, 'grant such actions by name to those who may sign for the account')
    },
  },
}
