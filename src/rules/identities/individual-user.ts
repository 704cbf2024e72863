import { isPattern } from '../../glob.ts'
import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

export const individualUser: Rule = {
  code: 'individual-user',
  section: 'identities',
  severity: 'info',
  preset: 'auditor',
  summary: 'A grant to a single user instead of a group.',
  why:
    'Permissions given to individuals remain when people change teams, and are hard to review. A group documents the purpose, and its ' +
    'membership is managed in one place. Policies that only deny are not reported.',
  *policy(policy, { world }) {
    if (policy.readOnly || !mayGrant(policy, world)) return
    for (const { value, span } of policy.identities) {
      if (value.kind !== 'user' || isPattern(value.glob)) continue
      yield {
        span,
        message: `this grants to the single user ${quote(value.name)}`,
        help: 'grant to a group that contains the user',
      }
    }
  },
}
