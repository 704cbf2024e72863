import type { Rule } from '../rule.ts'
import { isKnownToDeny } from '../support/grants.ts'
import { isOwnedBy } from '../support/owners.ts'
import { quote } from '../support/text.ts'
import { isJudged } from '../support/verdicts.ts'

export const denyForAccount: Rule = {
  code: 'deny-for-account',
  section: 'identities',
  severity: 'warning',
  security: 7,
  looksAround: true,
  summary: 'A deny that only names the account itself, which reaches none of its users.',
  why:
    'An account URN stands for the owner only, not for the users, groups and service accounts in the account. Policies cannot restrict ' +
    'the owner of a resource, so that the deny has no effect on what the account owns. Name the users, groups or service accounts. Reported if the account that owns ' +
    'the policies is known (`owner`, `account`), or if the account itself is the resource.',
  needs: 'denyOrGroup',
  *policy(policy, context) {
    const { identities } = policy
    const [first, ...others] = identities
    if (!first || !isJudged(policy, context) || !isKnownToDeny(policy, context.world)) return
    const account = first.value.account
    if (
      account === undefined ||
      !identities.every(({ value }) => value.kind === 'account' && value.account === account && !value.text.includes('*'))
    )
      return
    if (!isOwnedBy(account, policy, context)) return
    yield {
      span: first.span,
      message: `${quote(first.value.text)} only stands for the owner, whom policies cannot restrict on what it owns: this deny reaches none of its users`,
      help: 'name the users, groups or service accounts to deny',
      ...(others.length > 0 && { related: others.slice(0, 6).map(({ span }) => ({ message: 'this too', span })) }),
    }
  },
}
