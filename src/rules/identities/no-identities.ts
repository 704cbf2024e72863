import type { Rule } from '../rule.ts'
import { writtenEmpty } from '../support/written.ts'

export const noIdentities: Rule = {
  code: 'no-identities',
  section: 'identities',
  severity: 'warning',
  summary: 'A policy without identities.',
  why:
    'A policy applies to the identities it lists. Without any, it neither grants nor denies. List the users, groups or service accounts ' +
    'it is for, or delete it.',
  needs: 'mayBeOdd',
  *policy({ node }) {
    const list = writtenEmpty(node, 'identities')
    if (list) yield { span: list, message: 'no identities: the policy applies to nobody', help: 'list the identities it is for' }
  },
}
