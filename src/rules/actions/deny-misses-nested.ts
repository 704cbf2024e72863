import { glob, matches } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { quote, some } from '../support/text.ts'
import { expansion } from '../support/verbs.ts'

export const denyMissesNested: Rule = {
  code: 'deny-misses-nested',
  section: 'actions',
  severity: 'warning',
  preset: 'strict',
  summary: 'A deny of an action of every product that leaves nested actions of the same name open.',
  why:
    'The `:` in `*:terminate` stands before the path, so that the pattern matches `vps:apisvc:terminate` and no action whose path only ' +
    'ends in `/terminate`. Whoever wants no termination at all denies both. Actions that any policy denies with another entry are not counted.',
  looksAround: true,
  *policy(policy, context) {
    for (const { value, span } of policy.permissions.deny) {
      const [, start, verb] = /^(.*\*.*):([\w.-]+)$/.exec(value.text) ?? []
      if (start === undefined || verb === undefined) continue
      const nested = expansion(context, glob(`${start}:*/${verb}`))
      if (nested.length === 0) continue
      const denies = context.world.policies.flatMap(({ permissions }) => permissions.deny)
      const open = nested.filter((action) => !denies.some((entry) => matches(entry.value, action)))
      if (open.length === 0) continue
      yield {
        span,
        message: `${quote(value.text)} does not deny ${some(open, 3)}`,
        help: `deny ${quote(`${start}:*/${verb}`)} as well, if these are meant too`,
      }
    }
  },
}
