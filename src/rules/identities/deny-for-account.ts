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
  summary: 'A denial that names only the account itself, and so forbids nobody anything.',
  why:
    'The URN of an account stands for its owner alone, not for the users, groups and service accounts in it; and the owner of a resource can do ' +
    'everything with it, whatever policies say. So a denial to the account that owns the resources protects against nobody. Name the users, groups ' +
    'or service accounts. Judged where the account that owns the policies is known (`owner`, `account`), or where the account itself is the resource.',
  examples: {
    bad: [
      `
identities: ["urn:v1:eu:identity:account:ab12-svc"]
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ deny-for-account
resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
permissions: { deny: [{ action: "account:apisvc:iam/policy/delete" }] }`,
      `
account: ab12-svc
policies:
  - name: keep servers
    identities: ["urn:v1:eu:identity:account:ab12-svc"]
#                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ deny-for-account
    resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
    permissions: { deny: [{ action: "vps:apisvc:terminate" }] }`,
    ],
    good: [
      `
account: ab12-svc
policies:
  - name: keep servers
    identities: ["urn:v1:eu:identity:account:ab12-svc", "urn:v1:eu:identity:group:ab12-svc/ops"]
    resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
    permissions: { deny: [{ action: "vps:apisvc:terminate" }] }`,
      `
account: ab12-svc
policies:
  - name: not the partner
    identities: ["urn:v1:eu:identity:account:cd34-svc"]
    resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
    permissions: { deny: [{ action: "vps:apisvc:terminate" }] }`,
      `
account: ab12-svc
policies:
  - name: leave the partner's servers alone
    identities: ["urn:v1:eu:identity:account:ab12-svc"]
    resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
    permissions: { deny: [{ action: "vps:apisvc:terminate" }] }
resources:
  - { urn: "urn:v1:eu:resource:vps:vps-3", owner: cd34-svc }`,
      `
identities: ["urn:v1:eu:identity:account:cd34-svc"]
permissions: { deny: [{ action: "vps:apisvc:terminate" }] }`,
    ],
  },
  check: {
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
        message: `${quote(first.value.text)} is the owner alone, whom no policy can restrict, and none of its users: this denies nobody anything`,
        help: 'name the users, groups or service accounts that it is meant for',
        ...(others.length > 0 && { related: others.slice(0, 6).map(({ span }) => ({ message: 'this too', span })) }),
      }
    },
  },
}
