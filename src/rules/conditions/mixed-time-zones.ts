import { isOfTime } from '../../conditions/test.ts'
import type { Rule } from '../rule.ts'
import { leavesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const mixedTimeZones: Rule = {
  code: 'mixed-time-zones',
  section: 'conditions',
  severity: 'info',
  preset: 'auditor',
  summary: 'A policy whose conditions use two time zones.',
  why:
    'Hours and dates in different zones are shifted against each other, and twice a year differently if only one zone changes its ' +
    'clocks. Often one of them is `UTC` because the zone was omitted. Use one zone per policy, unless two places are intended.',
  needs: 'condition',
  *policy({ condition }) {
    const timed = leavesOf(condition).filter(({ test }) => isOfTime(test))
    const [first] = timed
    const other = first && timed.find(({ test }) => test.subject.parameter !== first.test.subject.parameter)
    if (!first || !other) return
    yield {
      span: other.key.span,
      message: `this uses the time zone ${quote(other.test.subject.parameter)}, but ${quote(first.key.value)} uses ${quote(first.test.subject.parameter)}`,
      help: 'use one time zone for both, unless two places are intended',
      related: [{ message: 'the other zone', span: first.key.span }],
    }
  },
}
