import type { Rule } from '../rule.ts'
import { leavesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const mixedTimeZones: Rule = {
  code: 'mixed-time-zones',
  section: 'conditions',
  severity: 'info',
  preset: 'auditor',
  summary: 'A policy that reads the clock in two time zones.',
  why:
    'Hours and dates in different zones move against each other, twice a year as well when only one of them changes its clocks. Often one of them ' +
    'is `UTC` because the zone was left out. Write all of a policy in one zone, unless two places are meant.',
  examples: {
    bad: [
      `
conditions:
  operator: MATCH
  values:
    date(Europe/Paris).Hour.GE: "8"
    date().Hour.LT: "18"
#   ^^^^^^^^^^^^^^ mixed-time-zones`,
    ],
    good: [
      `
conditions:
  operator: MATCH
  values:
    date(Europe/Paris).Hour.GE: "8"
    date(Europe/Paris).Hour.LT: "18"`,
    ],
  },
  check: {
    *policy({ condition }) {
      const timed = leavesOf(condition).filter(({ test }) => ['date', 'hour', 'weekday'].includes(test.subject.kind))
      const [first] = timed
      const other = first && timed.find(({ test }) => test.subject.parameter !== first.test.subject.parameter)
      if (!first || !other) return
      yield {
        span: other.key.span,
        message: `this reads the clock in ${quote(other.test.subject.parameter)}, and ${quote(first.key.value)} in ${quote(first.test.subject.parameter)}`,
        help: 'write both in one time zone, unless two places are meant',
        related: [{ message: 'the other zone', span: first.key.span }],
      }
    },
  },
}
