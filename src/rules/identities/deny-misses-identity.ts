import { isSlip, nearest } from '../../nearest.ts'
import type { Rule } from '../rule.ts'
import { mostSuggestions, spend } from '../support/budget.ts'
import { isKnownToDeny } from '../support/grants.ts'
import { kinOf, kinOfMissing, nameOf } from '../support/inventory.ts'
import { didYouMean, quote } from '../support/text.ts'

const code = 'deny-misses-identity'

export const denyMissesIdentity: Rule = {
  code,
  section: 'identities',
  severity: 'warning',
  security: 5,
  looksAround: true,
  summary: 'A deny for an identity that is one typo away from one of the inventory.',
  why:
    'A deny for a misspelt user or group denies nobody, and nothing shows it: the one that was meant keeps what others grant. Only ' +
    'reported if the inventory lacks the name, has one like it, and no other policy names it.',
  *policy(policy, context) {
    if (policy.readOnly || !isKnownToDeny(policy, context.world)) return
    for (const { value, span } of policy.identities) {
      const kin = kinOfMissing(value, context)
      if (!kin || kin.size > 2000 || !spend(context, code, 1, mostSuggestions)) continue
      const near = nearest(value.name, [...kin].map(nameOf))
      if (near === undefined || !isSlip(value.name, near)) continue
      const isNamed = context.world.policies.some(
        (other) => other !== policy && other.identities.some((each) => each.value.text === value.text),
      )
      if (isNamed) continue
      const kind = value.kind === 'credential' ? 'service account' : value.kind
      yield {
        span,
        message: `the inventory has no ${kind} ${quote(value.name)}: this deny does not reach ${quote(near)}`,
        help: didYouMean(`${kinOf(value.text)}${near}`),
      }
    }
  },
}
