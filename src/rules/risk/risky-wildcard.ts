import { riskCategories } from '../../actions/sensitive.ts'
import { isPattern } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { residuals } from '../support/residual.ts'
import { quote, some } from '../support/text.ts'
import { counted } from '../support/words.ts'

export const riskyWildcard: Rule = {
  code: 'risky-wildcard',
  section: 'risk',
  severity: 'info',
  preset: 'strict',
  security: 5.5,
  summary: 'A wildcard that includes sensitive actions.',
  why:
    'Reviewers do not see these actions in the entry, and the service adds more. The message counts them by kind and names the most ' +
    'severe; actions removed by `except`, denies, resources and conditions are not counted. Write the needed actions out, or remove the ' +
    'sensitive ones with `except`.',
  *policy(policy, context) {
    const seen = new Set<unknown>()
    for (const { entry, group, actions } of residuals(policy, context)) {
      if (group !== undefined || !isPattern(entry.value) || seen.has(entry)) continue
      seen.add(entry)
      const byCategory = riskCategories.flatMap((category) => {
        const of = actions.filter((action) => action.category === category)
        return of.length === 0 ? [] : [{ category, of }]
      })
      const worst = byCategory.flatMap(({ of }) => of.map(({ action }) => action))
      const counts = byCategory.map(({ category, of }) => `${of.length} ${words[category]}`).join(', ')
      yield {
        span: entry.span,
        message: `${quote(entry.value.text)} includes ${counted(actions.length, 'sensitive action')} (${counts}): ${some(worst, 3)}`,
        help: 'write out the needed actions, or remove these with `except`',
        actions: actions.map(({ action }) => action),
      }
    }
  },
}

const words = {
  escalation: 'to gain permissions',
  credentials: 'to obtain credentials',
  audit: 'to weaken protection',
  exposure: 'to open or hand over',
  exfiltration: 'to copy data out',
  tagging: 'to tag',
  spend: 'to spend',
  destruction: 'to destroy',
} as const
