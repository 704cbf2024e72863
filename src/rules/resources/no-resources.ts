import type { Rule } from '../rule.ts'
import { writtenEmpty } from '../support/written.ts'

export const noResources: Rule = {
  code: 'no-resources',
  section: 'resources',
  severity: 'warning',
  summary: 'A policy without resources.',
  why:
    'A policy applies to the resources it lists. Without any, it neither grants nor denies. List the resources or resource groups it is ' +
    'for; `urn:v1:<region>:resource:*` is every resource of a region.',
  needs: 'mayBeOdd',
  *policy({ node }) {
    const list = writtenEmpty(node, 'resources')
    if (list) yield { span: list, message: 'no resources: the policy applies to nothing', help: 'list the resources it is for' }
  },
}
