import { covers, glob, isPattern } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { isOwnedBy } from '../support/owners.ts'
import { quote } from '../support/text.ts'

export const wholeAccountGrant: Rule = {
  code: 'whole-account-grant',
  section: 'identities',
  severity: 'warning',
  preset: 'strict',
  security: 6,
  looksAround: true,
  summary: 'A grant of whole products to an account.',
  why:
    'An account URN stands for the owner of the account, not for its users. Another account gets all of these actions, and decides who ' +
    'uses them. The account that owns the policy already has all permissions on what it owns, and its users gain nothing. Name the users, groups or ' +
    'service accounts, and the actions that they need.',
  *policy(policy, context) {
    const { allow, except, deny } = policy.permissions
    const wide = allow.find(({ value }) => {
      const product = value.text.split(/[:*]/, 1)[0] || 'a'
      const whole = glob(`${product}:api${context.settings.brand}:*`)
      return isPattern(value) && covers(value, whole) && ![...except, ...deny].some((taken) => covers(taken.value, whole))
    })
    if (!wide) return
    for (const { value, span } of policy.identities) {
      // Another rule reports patterns over accounts.
      if (value.kind !== 'account' || isPattern(value.glob)) continue
      const isOwnAccount = value.account !== undefined && isOwnedBy(value.account, policy, context)
      yield {
        span,
        message: isOwnAccount
          ? `the account is already the owner, and its URN does not include its users: ${quote(wide.value.text)} gives nobody more on what it owns`
          : `account ${quote(value.account ?? '')} gets all of ${quote(wide.value.text)}, and decides who uses it`,
        help: 'name the users, groups or service accounts that need it',
        related: [{ message: 'granted here', span: wide.span }],
      }
    }
  },
}
