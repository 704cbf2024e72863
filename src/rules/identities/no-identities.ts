import type { Rule } from '../rule.ts'
import { writtenEmpty } from '../support/written.ts'

export const noIdentities: Rule = {
  code: 'no-identities',
  section: 'identities',
  severity: 'warning',
  summary: 'A policy for nobody.',
  why:
    'A policy applies to the identities that it lists. With none it grants nothing and forbids nothing. List the users, groups or service ' +
    'accounts it is meant for, or delete it.',
  examples: {
    bad: [
      `
identities: []
#           ^^ no-identities`,
    ],
    good: [
      `
identities: ["urn:v1:eu:identity:group:ab12-svc/ops"]`,
    ],
  },
  check: {
    *policy({ node }) {
      const list = writtenEmpty(node, 'identities')
      if (list) yield { span: list, message: 'no identities: the policy applies to nobody', help: 'list the identities it is meant for' }
    },
  },
}
