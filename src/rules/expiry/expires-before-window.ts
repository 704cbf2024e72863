import { datesIn } from '../../conditions/sets.ts'
import type { Condition } from '../../policy.ts'
import { formulaOf, satisfy, tooMany, until } from '../../symbolic/formula.ts'
import { dayStart } from '../../zones.ts'
import type { Rule } from '../rule.ts'
import { spend } from '../support/budget.ts'

const day = 86_400_000

export const expiresBeforeWindow: Rule = {
  code: 'expires-before-window',
  section: 'expiry',
  severity: 'warning',
  summary: 'A policy that expires before its condition can hold.',
  why: 'The condition starts on a date at which the policy has already expired, so the policy never applies. One of the two dates is wrong.',
  needs: 'condition',
  *policy({ condition, expiresAt }, context) {
    if (!condition || !expiresAt) return
    // Only a date after the expiry can start too late; zones differ by at most a day.
    const dates = datesOf(condition)
    const late = dates.find((date) => date.at + day >= expiresAt.value)
    if (!late || !spend(context, 'expires-before-window', 1, 100)) return
    const formula = formulaOf(condition)
    if (satisfy([formula, until(expiresAt.value)]) !== undefined) return
    // Another rule reports a condition that never holds.
    const alone = satisfy([formula])
    if (alone === undefined || alone === tooMany) return
    yield {
      span: expiresAt.span,
      message: 'the policy expires before its condition can hold: it never applies',
      help: 'set a later expiry, or an earlier date in the condition',
      related: [{ message: 'the date in the condition', span: late.span }],
    }
  },
}

function datesOf(condition: Condition): readonly { readonly at: number; readonly span: Condition['span'] }[] {
  if (condition.kind === 'opaque') return []
  if (condition.kind !== 'match') return condition.operands.flatMap(datesOf)
  const { test, value } = condition
  return datesIn(test.set).map((date) => ({ at: dayStart(date), span: value.span }))
}
