import { matches } from '../../glob.ts'
import { literal } from '../../symbolic/patterns.ts'
import { leakOf } from '../actions/except-is-not-deny.ts'
import type { Rule } from '../rule.ts'
import { exceptedParts } from '../support/excepted.ts'
import { sensitiveIn } from '../support/residual.ts'
import { quote, some } from '../support/text.ts'
import { isJudged } from '../support/verdicts.ts'
import { coveredBy, wholeSet } from '../support/whole-set.ts'

export const exceptWithoutDeny: Rule = {
  code: 'except-without-deny',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'A sensitive action that is only withheld by `except`.',
  why:
    'The exception only holds until another policy grants the action, perhaps with a wildcard. If a dangerous action is excepted, it ' +
    'usually must not be possible at all; only a `deny` ensures that.',
  needs: 'except',
  *policy(policy, context) {
    if (policy.permissions.except.length === 0 || !isJudged(policy, context)) return
    const set = wholeSet(context)
    if (!set) return
    for (const entry of policy.permissions.except) {
      const sensitive = sensitiveIn(entry.value, context).filter(({ action }) =>
        policy.permissions.allow.some(({ value }) => matches(value, action)),
      )
      if (sensitive.length === 0 || leakOf(policy, entry, set)) continue
      // Each action on its own: a deny may only cover some of them.
      const parts = [...exceptedParts(policy, entry, set)]
      const open = sensitive.filter(({ action }) =>
        parts.some((part) => {
          if (!part.actions.some(({ value }) => matches(value, action))) return false
          const one = { ...part, actions: [{ value: literal(action), span: entry.span }] }
          return !coveredBy([one], { by: set.side.denies, skip: () => false }, set)
        }),
      )
      const [worst] = open
      if (!worst) continue
      yield {
        span: entry.span,
        message: `only \`except\` withholds ${some(
          open.map(({ action }) => action),
          3,
        )}, which another policy could grant: with ${quote(worst.action)}, ${worst.reason}`,
        help: 'use `deny` for actions that must not be possible',
      }
    }
  },
}
