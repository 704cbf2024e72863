import { compareText } from '../../diagnostic.ts'
import type { Policy } from '../../policy.ts'
import { formulaOf, printFormula } from '../../symbolic/formula.ts'
import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'
import { isJudged, verdicts } from '../support/verdicts.ts'

export const mergeablePolicies: Rule = {
  code: 'mergeable-policies',
  section: 'whole set',
  severity: 'info',
  preset: 'auditor',
  precision: 'very-high',
  summary: 'Two policies that only differ in one list and could be merged.',
  why:
    'Merging that list leaves access unchanged, because all other lists are the same. Differences in `except` lists are not reported, ' +
    'because more entries there mean less access.',
  *world(context) {
    const found = verdicts(context)
    const partners = new Map<string, Policy>()
    for (const policy of context.world.policies) {
      if (!isJudged(policy, context) || found.has(policy)) continue
      const parts = partsOf(policy)
      for (const list of lists) {
        const key = JSON.stringify([list, parts.map(({ name, text }) => (name === list ? '' : text))])
        const other = partners.get(key)
        if (!other) {
          partners.set(key, policy)
          continue
        }
        yield {
          span: policy.name.span,
          message: `this policy only differs from ${quote(other.name.value)} in its ${words[list]}`,
          help: `merge the ${words[list]} into one policy: access does not change`,
          related: [{ message: 'the other one', span: other.name.span }],
        }
        break
      }
    }
  },
}

const lists = ['identities', 'resources', 'allow', 'deny', 'permissionsGroups'] as const
const words = {
  identities: 'identities',
  resources: 'resources',
  allow: '`allow` list',
  deny: '`deny` list',
  permissionsGroups: 'permissions groups',
} as const

/** The parts of a policy, each as a text that does not depend on the order of entries. */
function partsOf(policy: Policy): readonly { readonly name: string; readonly text: string }[] {
  const { identities, resources, permissions, permissionsGroups, condition, expiresAt, owner } = policy
  const texts = (list: readonly { readonly value: { readonly text: string } }[]) =>
    JSON.stringify([...new Set(list.map(({ value }) => value.text))].sort(compareText))
  return [
    { name: 'identities', text: texts(identities) },
    { name: 'resources', text: texts(resources) },
    { name: 'allow', text: texts(permissions.allow) },
    { name: 'except', text: texts(permissions.except) },
    { name: 'deny', text: texts(permissions.deny) },
    { name: 'permissionsGroups', text: texts(permissionsGroups) },
    { name: 'condition', text: condition ? printFormula(formulaOf(condition)) : '' },
    { name: 'expiry', text: String(expiresAt?.value ?? '') },
    { name: 'owner', text: owner ?? '' },
  ]
}
