import type { Rule } from '../rule.ts'
import { exposureFinding, exposureOf, unbounded } from '../support/residual.ts'

export const unboundedReads: Rule = {
  code: 'unbounded-reads',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'A grant to copy or read data of every resource of a kind, under no condition.',
  why:
    'Snapshots, dumps, exports, recordings and logs carry whatever is in them out of the reach of these policies. A grant for one service is a job; ' +
    'the same over all resources and from anywhere is a way out for everything at once. Name the resources, or bind the grant to an address.',
  examples: {
    bad: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:snapshot/*" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^^ unbounded-reads`,
    ],
    good: [
      `
resources: [{ urn: "urn:v1:eu:resource:vps:vps-5b1d.example" }]
permissions: { allow: [{ action: "vps:apisvc:snapshot/*" }] }`,
      `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:snapshot/create" }] }
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const exposure = exposureOf(policy, context, ['exfiltration'], unbounded)
      if (exposure) yield exposureFinding(exposure, 'name the resources, or bind the grant to an address')
    },
  },
}
