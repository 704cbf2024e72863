import type { Policy } from '../../policy.ts'
import { joinKeys } from '../../symbolic/entries.ts'
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
    const policyVerdicts = verdicts(context)
    const partners = new Map<string, Policy>()
    for (const policy of context.world.policies) {
      if (!isJudged(policy, context) || policyVerdicts.has(policy)) continue
      for (const [list, key] of joinKeys(policy)) {
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

const words = {
  identities: 'identities',
  resources: 'resources',
  allow: '`allow` list',
  deny: '`deny` list',
  permissionsGroups: 'permissions groups',
} as const
