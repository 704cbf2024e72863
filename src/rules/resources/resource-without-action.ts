import type { Rule } from '../rule.ts'
import { cannotServe, productOf, typesOfEntry } from '../support/scopes.ts'
import { quote, some } from '../support/text.ts'
import { countWritten } from '../support/written.ts'

export const resourceWithoutAction: Rule = {
  code: 'resource-without-action',
  section: 'resources',
  severity: 'warning',
  preset: 'strict',
  precision: 'medium',
  summary: 'A resource that no action of the policy applies to.',
  why:
    'All actions of the policy apply to other types of resources: no known call asks for one of them on this one. The entry decides ' +
    'something as soon as someone adds an action to the policy, without a review of the resource.',
  *policy({ resources, permissions, permissionsGroups, node }, context) {
    const { world } = context
    const sets = permissionsGroups.map(({ value }) => world.permissionsGroups.get(value.text)?.permissions)
    if (sets.includes(undefined) || permissionsGroups.length !== countWritten(node, 'permissionsGroups')) return
    const entries = [permissions, ...sets].flatMap((set) => (set ? [...set.allow, ...set.deny] : []))
    if (entries.length === 0 || permissions.allow.length !== countWritten(node, 'permissions', 'allow')) return
    const products = [...new Set(entries.map((entry) => productOf(entry.value, context)))]
    const reached = (resource: (typeof resources)[number]) =>
      typesOfEntry(resource, context).some((type) =>
        products.some((product) => product === undefined || !cannotServe(product, type, context)),
      )
    // If nothing is reached, another rule reports the actions.
    if (!resources.some(reached)) return
    for (const resource of resources) {
      if (reached(resource)) continue
      yield {
        span: resource.span,
        message: `no action of this policy applies to ${quote(resource.value.text)}: they belong to ${some(
          products.flatMap((product) => product ?? []),
          3,
        )}`,
        help: 'remove it, or add the missing action',
      }
    }
  },
}
