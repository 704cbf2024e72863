import type { Rule } from '../rule.ts'
import { ownerOf } from '../support/grants.ts'
import { cannotServe, productOf, typesOf } from '../support/scopes.ts'
import { quote } from '../support/text.ts'
import { countWritten } from '../support/written.ts'

export const accountAction: Rule = {
  code: 'account-action',
  section: 'actions',
  severity: 'warning',
  summary: 'An account action in a policy without the account as a resource.',
  why:
    'Actions that start with `account:` (bills, users, policies, orders) apply to the account itself, ' +
    '`urn:v1:<region>:resource:account:<id>`, whatever their path is about: no known call asks for them on another resource. Without ' +
    'that resource, the entry decides nothing that is asked. Not reported for `account:api<brand>:iam/resource/...`, whose calls name ' +
    'a resource: whether they are asked on that resource is not documented.',
  needs: 'mayBeUnserved',
  *policy(policy, context) {
    const { resources, permissions, identities, node } = policy
    // Few policies have any: what comes first is what ends the look at all others.
    const aboutResources = `account:api${context.settings.brand}:iam/resource/`
    const entries = [...permissions.allow, ...permissions.deny].filter(
      ({ value }) => productOf(value, context) === 'account' && !value.text.startsWith(aboutResources),
    )
    if (entries.length === 0 || resources.length === 0 || resources.length !== countWritten(node, 'resources')) return
    const types = typesOf(resources, context)
    if (types.length === 0 || !types.every((type) => cannotServe('account', type, context))) return
    const account = ownerOf(policy, context.world) ?? identities.find(({ value }) => value.account !== undefined)?.value.account
    for (const { value, span } of entries)
      yield {
        span,
        message: `${quote(value.text)} applies to the account, which is not a resource of the policy: no known call asks for it on those`,
        help: `add the resource ${quote(`urn:v1:${resources[0]?.value.region}:resource:account:${account ?? '<account_id>'}`)}`,
      }
  },
}
