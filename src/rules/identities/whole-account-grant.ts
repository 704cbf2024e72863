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
  summary: 'A grant of whole products to an account as such.',
  why:
    'An account URN stands for the account itself, its owner, and not for the users in it. Another account gets all of these actions and decides ' +
    'alone who uses them; the account that owns the policy has every right already, and its users gain nothing. Name the users, groups or service ' +
    'accounts, and the actions that they need.',
  examples: {
    bad: [
      `
identities: ["urn:v1:eu:identity:account:cd34-svc"]
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ whole-account-grant
permissions: { allow: [{ action: "vps:*" }] }`,
    ],
    good: [
      `
identities: ["urn:v1:eu:identity:account:cd34-svc"]
permissions: { allow: [{ action: "vps:apisvc:get" }, { action: "vps:apisvc:snapshot/*" }] }`,
      `
identities: ["urn:v1:eu:identity:account:cd34-svc"]
permissions: { deny: [{ action: "vps:*" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const { allow, except, deny } = policy.permissions
      const wide = allow.find(({ value }) => {
        const product = value.text.split(/[:*]/, 1)[0] || 'a'
        const whole = glob(`${product}:api${context.settings.brand}:*`)
        return isPattern(value) && covers(value, whole) && ![...except, ...deny].some((taken) => covers(taken.value, whole))
      })
      if (!wide) return
      for (const { value, span } of policy.identities) {
        // A pattern over accounts is the matter of another rule.
        if (value.kind !== 'account' || isPattern(value.glob)) continue
        const own = value.account !== undefined && isOwnedBy(value.account, policy, context)
        yield {
          span,
          message: own
            ? `the account owns this already, and its users are not meant by its URN: ${quote(wide.value.text)} reaches nobody`
            : `account ${quote(value.account ?? '')} gets ${quote(wide.value.text)} as a whole, and decides alone who uses it`,
          help: 'name the users, groups or service accounts that need it',
          related: [{ message: 'granted here', span: wide.span }],
        }
      }
    },
  },
}
