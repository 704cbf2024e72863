import type { Rule } from '../rule.ts'
import { exposes, unbounded } from '../support/residual.ts'

export const unboundedReads: Rule = {
  code: 'unbounded-reads',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'An unconditional grant to copy or read the data of every resource of a type.',
  why:
    'Snapshots, dumps, exports, recordings and logs move data out of the reach of these policies. For one service that may be needed; ' +
    'for all resources and from anywhere it exposes everything at once. Name the resources, or require an address.',
  examples: {
    bad: `
resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
permissions: { allow: [{ action: "vps:apisvc:snapshot/*" }] }
#                                ^^^^^^^^^^^^^^^^^^^^^^^ unbounded-reads`,
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
  check: exposes(['exfiltration'], 'name the resources, or require an address', unbounded),
}
