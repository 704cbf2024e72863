import { covers, glob } from '../../glob.ts'
import type { PermissionSet } from '../../policy.ts'
import type { Finding, Rule, RuleContext } from '../rule.ts'
import { quote } from '../support/text.ts'

export const allowEverything: Rule = {
  code: 'allow-everything',
  section: 'actions',
  severity: 'warning',
  summary: 'An `allow` entry that grants every action of every product.',
  why:
    'This grants everything, including managing policies and users, and whatever the service adds. A `deny` or `except` beside it only ' +
    'removes what its author thought of. Grant the products that are needed, such as `webHosting:*`, or use a permissions group. ' +
    'Policies that the service manages are not reported.',
  // Policies of the service cannot be edited.
  needs: 'actionPattern',
  *policy({ permissions, readOnly }, context) {
    if (!readOnly) yield* everythingIn(permissions, context)
  },
  *group({ permissions, urn }, context) {
    if (urn.value.owner !== context.settings.brand) yield* everythingIn(permissions, context)
  },
}

function* everythingIn({ allow, except, deny }: PermissionSet, { settings }: RuleContext): Iterable<Finding> {
  // Only a wildcard at its start covers every product.
  if (!allow.some(({ value }) => value.text.startsWith('*'))) return
  const everything = glob(`*:api${settings.brand}:*`)
  // Other rules report an allow that is denied as a whole.
  if ([...except, ...deny].some((entry) => covers(entry.value, everything))) return
  for (const { value, span } of allow) {
    if (!covers(value, everything)) continue
    yield {
      span,
      message: `${quote(value.text)} allows every action of every product, including those added later`,
      help: 'allow the products that are needed, such as `webHosting:*`',
    }
  }
}
