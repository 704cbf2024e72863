import { isEnumerated } from '../../conditions/sets.ts'
import type { Glob } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { cannotServe, productOf } from '../support/scopes.ts'
import { demanded, itemsOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'
import { isSettled } from '../support/whole-set.ts'

export const conditionTypeWithoutAction: Rule = {
  code: 'condition-type-without-action',
  section: 'conditions',
  severity: 'warning',
  yieldsToOuter: ['deny-fails-open', 'allow-never-applies', 'impossible-condition'],
  summary: 'A condition on a resource type that no action of the policy applies to.',
  why:
    'The actions of a product apply to its own resources: those of `vps` to servers, not to zones. No known call asks for an action of ' +
    'the policy on resources of the type in the condition. Not reported if the catalogue does not know which resources a product has.',
  needs: 'condition',
  *policy(policy, context) {
    if (!policy.condition || !isSettled(policy, context)) return
    const leaves = demanded(policy.condition).filter(({ test }) => test.subject.kind === 'type')
    if (leaves.length === 0) return
    const products = productsOf(policy, context)
    if (!products || products.length === 0) return
    for (const leaf of leaves) {
      if (!isEnumerated(leaf.test.set)) continue
      for (const { value, span } of itemsOf(leaf)) {
        if (!products.every((product) => cannotServe(product, value, context))) continue
        yield {
          span,
          message: `no action of the policy applies to resources of type ${quote(value)}`,
          help: 'correct the type, or add actions that apply to it',
        }
      }
    }
  },
}

/** The products of the actions of a policy; undefined if there may be others. */
function productsOf({ permissions, permissionsGroups }: Policy, context: RuleContext): readonly string[] | undefined {
  const entries: Glob[] = [...permissions.allow, ...permissions.deny].map(({ value }) => value)
  for (const { value } of permissionsGroups) {
    const group = context.world.permissionsGroups.get(value.text)
    if (!group) return undefined
    entries.push(...[...group.permissions.allow, ...group.permissions.deny].map((entry) => entry.value))
  }
  const products = new Set<string>()
  for (const entry of entries) {
    const product = productOf(entry, context)
    if (product === undefined) return undefined
    products.add(product)
  }
  return [...products]
}
