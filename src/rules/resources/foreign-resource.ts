import { isPattern } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { ownerOf } from '../support/grants.ts'
import { quote } from '../support/text.ts'

export const foreignResource: Rule = {
  code: 'foreign-resource',
  section: 'resources',
  severity: 'warning',
  preset: 'strict',
  security: 3,
  summary: 'A resource that another account owns.',
  why:
    'A policy applies to the resources of its own account. The owner of another account is not bound by it, and can withdraw the ' +
    'resource at any time. The owner comes from the inventory, or from an account URN.',
  *policy(policy, { world }) {
    const owner = ownerOf(policy, world)
    if (owner === undefined) return
    for (const { value, span } of policy.resources) {
      if (value.kind === 'group' || isPattern(value.glob)) continue
      const theirs = value.type === 'account' ? value.name : world.resources.get(value.text)?.owner
      // Another rule reports different capitalisation.
      if (theirs === undefined || theirs.toLowerCase() === owner.toLowerCase()) continue
      yield {
        span,
        message: `${quote(value.text)} belongs to account ${quote(theirs)}, the policy to ${quote(owner)}`,
        help: 'write the policy in the account that owns the resource, or correct the resource',
      }
    }
  },
}
