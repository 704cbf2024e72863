import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { ownerOf } from '../support/grants.ts'
import { textsOption } from '../support/options.ts'
import { quote } from '../support/text.ts'

const code = 'foreign-account'

export const foreignAccount: Rule = {
  code,
  section: 'identities',
  severity: 'warning',
  preset: 'strict',
  security: 7,
  summary: 'A grant to an identity of another account that is not trusted.',
  why:
    'The administrators of the other account decide who its users are, and no review on your side notices changes. List the accounts ' +
    'that policies may grant to as `trusted`; the owner of a policy is always trusted. Without that list and a known owner, nothing is ' +
    'reported.',
  options: [{ name: 'trusted', type: 'texts', text: 'ids of the accounts that policies may grant to' }],
  *policy(policy, context) {
    const { world } = context
    const owner = ownerOf(policy, world)
    const trusted = textsOption(context, code, 'trusted')
    if ((owner === undefined && !trusted) || policy.readOnly || !mayGrant(policy, world)) return
    const knownAccounts = new Set([...(trusted ?? []), ...(owner === undefined ? [] : [owner])].map((account) => account.toLowerCase()))
    for (const { value, span } of policy.identities) {
      // Other rules report patterns over accounts and different capitalisation.
      if (value.account === undefined || knownAccounts.has(value.account.toLowerCase())) continue
      yield {
        span,
        message: `this grants to account ${quote(value.account)}, which ${trusted ? 'is not trusted' : 'does not own the policy'}`,
        help: `grant to an identity of a trusted account, or add ${quote(value.account)} to the option \`trusted\``,
      }
    }
  },
}
