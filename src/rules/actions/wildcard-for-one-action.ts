import type { Rule } from '../rule.ts'
import { isFaulty, judge } from '../support/entries.ts'
import { replacement } from '../support/fixes.ts'
import { everyEntry } from '../support/sets.ts'
import { quote } from '../support/text.ts'

export const wildcardForOneAction: Rule = {
  code: 'wildcard-for-one-action',
  section: 'actions',
  severity: 'info',
  fixes: ['suggested'],
  summary: 'An `allow` pattern that matches a single known action.',
  why:
    'The wildcard grants one action today, and any later action with a matching name. Write the action out if only that one is ' +
    'intended. A `*` as the product that matches a single action is a warning, because many products are intended. Patterns for a whole ' +
    'product, and entries in `deny` or `except`, are not reported.',
  needs: 'unlistedAction',
  ...everyEntry(
    function* (entry, _, context) {
      const fault = judge(entry, context)
      if (fault?.kind !== 'wildcard-for-one-action') return
      yield {
        span: entry.span,
        // A `*` as the product is intended for many products.
        ...(entry.value.text.startsWith('*') && { severity: 'warning' }),
        message: `${quote(entry.value.text)} matches one known action, and any future one with a matching name`,
        help: `write ${quote(fault.action)} if only that action is intended`,
        ...replacement(entry.span, fault.action, false),
      }
    },
    ['allow'],
    isFaulty,
  ),
}
