import type { Rule } from '../rule.ts'
import { isKnownToDeny } from '../support/grants.ts'
import { nameOf, slipFor } from '../support/inventory.ts'
import { didYouMean, quote } from '../support/text.ts'

export const denyMissesIdentity: Rule = {
  code: 'deny-misses-identity',
  section: 'identities',
  severity: 'warning',
  security: 5,
  looksAround: true,
  summary: 'A deny for an identity that is one typo away from one of the inventory.',
  why:
    'A deny for a misspelt user or group denies nobody, and nothing shows it: the one that was meant keeps what others grant. Only ' +
    'reported if the inventory lacks the name, has one like it, and no other policy names it.',
  needs: 'denyOrGroup',
  *policy(policy, context) {
    if (policy.readOnly || !isKnownToDeny(policy, context.world)) return
    for (const { value, span } of policy.identities) {
      const suggested = slipFor(value, policy, context)
      if (suggested === undefined) continue
      const kind = value.kind === 'credential' ? 'service account' : value.kind
      yield {
        span,
        message: `the inventory has no ${kind} ${quote(value.name)}: this deny does not reach ${quote(nameOf(suggested))}`,
        help: didYouMean(suggested),
      }
    }
  },
}
