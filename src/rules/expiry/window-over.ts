import { datesIn } from '../../conditions/sets.ts'
import type { Condition } from '../../policy.ts'
import { type Formula, formulaOf, notBefore, until } from '../../symbolic/formula.ts'
import { dayStart } from '../../zones.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { neverAppliesEffect } from '../support/grants.ts'
import { culprit } from '../support/reach.ts'
import { satisfiable } from '../support/satisfiable.ts'
import { leavesOf } from '../support/tests.ts'

const day = 86_400_000

export const windowOver: Rule = {
  code: 'window-over',
  section: 'expiry',
  severity: 'warning',
  precision: 'very-high',
  yieldsToInner: ['condition-shape'],
  summary: 'A policy whose condition requires dates in the past.',
  why:
    'The condition never holds again: what the policy granted is gone, and what it denied is possible. Unlike with `expiredAt`, nothing ' +
    'showed when that happened. All dates, hours and weekdays of the condition are evaluated together. Delete the policy, or update its ' +
    'dates.',
  needs: 'condition',
  *policy(policy, context) {
    const { condition, expiresAt } = policy
    if (!condition || (expiresAt && context.clock.isAfter(expiresAt.value))) return
    // Only a date that has begun somewhere can be in the past.
    if (!leavesOf(condition).some(({ test }) => datesIn(test.set).some((date) => context.clock.isAfter(dayStart(date) - day - 1)))) return
    const end: Formula[] = expiresAt ? [until(expiresAt.value)] : []
    const isOver = (part: Condition) => {
      const formulas = [formulaOf(part), ...end]
      return isPast(formulas, context) && satisfiable(context, formulas) === true
    }
    if (!isOver(condition)) return
    const { span } = culprit(condition, isOver)
    yield {
      span,
      message: `this condition only held in the past and never will again: ${neverAppliesEffect(policy, context.world)}`,
      help: 'delete the policy, or update its dates',
    }
  },
}

/** Whether formulas hold at no time from now on. The instant itself is only looked at on the day on which they end. */
function isPast(formulas: readonly Formula[], context: RuleContext): boolean {
  const holdFrom = (at: number) => satisfiable(context, [...formulas, notBefore(at)])
  const today = context.clock.daysSince(0) * day
  const holdToday = holdFrom(today)
  if (holdToday === false) return true
  if (holdToday === true && holdFrom(today + day) === true) return false
  return holdFrom(context.now) === false
}
