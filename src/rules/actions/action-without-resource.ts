import type { Rule } from '../rule.ts'
import { cannotServe, productOf, typesOf } from '../support/scopes.ts'
import { quote, some } from '../support/text.ts'
import { countWritten } from '../support/written.ts'

export const actionWithoutResource: Rule = {
  code: 'action-without-resource',
  section: 'actions',
  severity: 'warning',
  summary: 'An action of a product without a resource of that product in the policy.',
  why:
    'The actions of a product apply to its own resources: those of `vps` to servers, not to websites. No known call asks for them on ' +
    'another resource, so the entry decides nothing that is asked. Add the resources, or move the entry to the policy that has them. ' +
    'Not reported if the catalogue does not know which resources a product has.',
  needs: 'mayBeUnserved',
  *policy(policy, context) {
    const { resources, permissions, node } = policy
    // An entry that could not be read may be the missing one.
    if (resources.length === 0 || resources.length !== countWritten(node, 'resources')) return
    const types = typesOf(resources, context)
    if (types.length === 0 || types.some((type) => type.includes('*'))) return
    let served: string | undefined
    for (const list of ['allow', 'deny'] as const) {
      for (const { value, span } of permissions[list]) {
        const product = productOf(value, context)
        if (product === undefined || product === 'account' || product === served) continue
        if (!types.every((type) => cannotServe(product, type, context))) {
          served = product
          continue
        }
        const others = context.catalogue.typesOf(product)
        yield {
          span,
          message: `${quote(value.text)} applies to ${some(others, 3)}, and the policy has no such resource: no known call asks for it on those`,
          help: `add a resource such as ${quote(`urn:v1:${resources[0]?.value.region}:resource:${others[0]}:*`)}, or move the entry to the policy that has them`,
        }
      }
    }
  },
}
