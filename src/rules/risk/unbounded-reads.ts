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
  ...exposes(['exfiltration'], 'name the resources, or require an address', unbounded),
}
