import { glob, matches } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import type { Span } from '../../source.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { quote, some } from '../support/text.ts'
import { expansion } from '../support/verbs.ts'
import { isLeftOpen, type WholeSet, wholeSet } from '../support/whole-set.ts'

const code = 'deny-misses-nested'

/** How many questions about single actions one run may take. */
const mostQuestions = 500

export const denyMissesNested: Rule = {
  code,
  section: 'actions',
  severity: 'warning',
  preset: 'strict',
  summary: 'A deny of an action of every product that leaves nested actions of the same name open.',
  why:
    'The `:` in `*:terminate` stands before the path, so that the pattern matches `vps:apisvc:terminate` and no action whose path only ' +
    'ends in `/terminate`. Whoever wants no termination at all denies both. Actions that other denies cover for the same identities, ' +
    'resources and conditions are not counted.',
  looksAround: true,
  needs: 'deny',
  *policy(policy, context) {
    for (const { value, span } of policy.permissions.deny) {
      const [, start, verb] = /^(.*\*.*):([\w.-]+)$/.exec(value.text) ?? []
      if (start === undefined || verb === undefined) continue
      const nested = expansion(context, glob(`${start}:*/${verb}`))
      const open = nested.length === 0 ? [] : openAmong(nested, policy, span, context)
      if (open.length === 0) continue
      yield {
        span,
        message: `${quote(value.text)} does not deny ${some(open, 3)}`,
        help: `deny ${quote(`${start}:*/${verb}`)} as well, if these are meant too`,
      }
    }
  },
}

/** The actions that no deny covers for all that a policy is about. */
function openAmong(actions: readonly string[], policy: Policy, span: Span, context: RuleContext): readonly string[] {
  const entries = context.world.policies.flatMap(({ permissions, permissionsGroups }) => [
    ...permissions.deny,
    ...permissionsGroups.flatMap(({ value }) => context.world.permissionsGroups.get(value.text)?.permissions.deny ?? []),
  ])
  const isNamed = (action: string) => entries.some(({ value }) => matches(value, action))
  const [named, others] = [actions.filter(isNamed), actions.filter((action) => !isNamed(action))]
  const set = named.length === 0 ? undefined : wholeSet(context)
  if (!set || !isOpen(named, policy, span, set, context)) return others
  const open = new Set(named.length === 1 ? named : named.filter((action) => isOpen([action], policy, span, set, context)))
  return actions.filter((action) => open.has(action) || others.includes(action))
}

/** Whether something of what the policy denies is open for one of the actions. */
function isOpen(actions: readonly string[], policy: Policy, span: Span, set: WholeSet, context: RuleContext): boolean {
  const values = actions.map((action) => ({ value: glob(action), span }))
  const own = set.own.get(policy)?.denies.filter(({ group }) => group === undefined) ?? []
  return own.some((statement) => spend(context, code, 1, mostQuestions) && isLeftOpen({ ...statement, actions: values, key: '' }, set))
}
