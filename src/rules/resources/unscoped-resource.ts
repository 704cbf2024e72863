import { covers, glob } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { productOf } from '../support/scopes.ts'
import { quote, some } from '../support/text.ts'

export const unscopedResource: Rule = {
  code: 'unscoped-resource',
  section: 'resources',
  severity: 'warning',
  preset: 'strict',
  security: 5,
  summary: 'Every resource of a region, although the actions only apply to a few types.',
  why:
    'The actions of the policy belong to a few products, whose resources can be named. With every resource in scope, the next action ' +
    'added to the policy is granted everywhere. Name the types or the resources. Not reported for actions of any product, such as ' +
    '`*/get`, and for policies that only deny.',
  *policy({ resources, permissions, permissionsGroups, readOnly }, context) {
    const { allow } = permissions
    if (readOnly || allow.length === 0 || permissionsGroups.length > 0) return
    const types = new Set<string>()
    for (const { value } of allow) {
      const product = productOf(value, context)
      // Actions on the account or on unknown types cannot be scoped by type.
      const served = product === undefined || product === 'account' ? [] : context.catalogue.typesOf(product)
      if (served.length === 0) return
      for (const type of served) types.add(type)
    }
    for (const { value, span } of resources) {
      const head = `urn:v1:${value.region}:resource:`
      if (value.kind === 'group' || !covers(value.glob, glob(`${head}*:*`))) continue
      const named = [...types].map((type) => `${head}${type}:*`)
      yield {
        span,
        message: `this is every resource of ${quote(value.region)}, but the actions only apply to ${some([...types], 3)}`,
        help: `write ${some(named, 3)}, or name the resources`,
      }
    }
  },
}
