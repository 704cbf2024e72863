import { type Glob, matches } from '../../glob.ts'
import type { PermissionSet, Policy } from '../../policy.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { cannotServe, productOf, typesOf } from '../support/scopes.ts'
import { some } from '../support/text.ts'
import { isSettled } from '../support/whole-set.ts'

const code = 'no-known-request'
/** How many entries may be held against the whole catalogue in one run. */
const mostExpansions = 500

export const noKnownRequest: Rule = {
  code,
  section: 'resources',
  severity: 'warning',
  whole: true,
  looksAround: true,
  summary: 'A policy whose actions and resources do not fit together.',
  why:
    'All that the entries of `allow` match, here and in the permissions groups that the policy names, applies to other types of ' +
    'resources than those it lists: no known call asks for it there, so nobody is helped. For a single entry of one product, see ' +
    '`action-without-resource`. Not reported if the catalogue does not know which resources a product has.',
  needs: 'mayBeUnserved',
  *policy(policy, context) {
    if (!isSettled(policy, context) || policy.readOnly) return
    const types = typesOf(policy.resources, context)
    if (types.length === 0 || types.some((type) => type.includes('*'))) return
    const sets = setsOf(policy, context)
    if (!sets || sets.every(({ allow }) => allow.length === 0)) return
    // Entries of one product in the policy itself have a finding each.
    const allowed = policy.permissions.allow
    if (sets.slice(1).every(({ allow }) => allow.length === 0) && allowed.every(({ value }) => productOf(value, context) !== undefined))
      return
    const products = new Set<string>()
    for (const set of sets) {
      for (const entry of set.allow) {
        const entryProducts = productsOf(entry.value, set, context)
        if (!entryProducts) return
        for (const product of entryProducts) products.add(product)
      }
    }
    if (products.size === 0 || ![...products].every((product) => types.every((type) => cannotServe(product, type, context)))) return
    yield {
      span: policy.name.span,
      message: `no known call asks for what this policy allows on its resources (${some(types, 3)}): its actions are those of ${some([...products].sort(), 3)}`,
      help: 'correct the actions or the resources',
    }
  },
}

/** The permission sets of a policy; undefined where not all are known. */
function setsOf({ permissions, permissionsGroups }: Policy, { world }: RuleContext): readonly PermissionSet[] | undefined {
  const groups = permissionsGroups.map(({ value }) => world.permissionsGroups.get(value.text)?.permissions)
  return groups.some((group) => group === undefined) ? undefined : [permissions, ...groups.flatMap((group) => group ?? [])]
}

/** The products of the known actions that an entry grants; undefined where there may be others. */
function productsOf(entry: Glob, { except }: PermissionSet, context: RuleContext): readonly string[] | undefined {
  const { catalogue, settings } = context
  const aboutResources = `account:api${settings.brand}:iam/resource/`
  const product = productOf(entry, context)
  if (product !== undefined) return entry.text.startsWith(aboutResources) ? undefined : [product]
  // Of another namespace than the API's own, nothing is known.
  if (!entry.text.startsWith('*') || !spend(context, code, 1, mostExpansions)) return undefined
  const actions = catalogue.expand(entry).filter((action) => !except.some(({ value }) => matches(value, action)))
  if (actions.length === 0 || actions.some((action) => action.startsWith(aboutResources))) return undefined
  return [...new Set(actions.map((action) => action.slice(0, action.indexOf(':'))))]
}
