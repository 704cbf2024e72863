import type { Rule } from '../rule.ts'
import { exposes, unbounded } from '../support/residual.ts'

export const unboundedDestruction: Rule = {
  code: 'unbounded-destruction',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'An unconditional grant to delete or reset every resource of a type.',
  why:
    'Terminated, deleted or reinstalled resources lose their data, and one mistake or stolen credential affects all of them. Name the ' +
    'resources, add a condition, or remove the final step with `except`.',
  ...exposes(['destruction'], 'name the resources, add a condition, or remove the actions with `except`', unbounded),
}
