import type { Rule } from '../rule.ts'
import { keyFindings } from '../support/conditions.ts'

export const conditionTimezone: Rule = {
  code: 'condition-timezone',
  section: 'conditions',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'A time zone that does not exist.',
  why:
    'Dates, hours and weekdays are read off a clock in the named zone. The name is one of the IANA time zone database, such as `Europe/Paris` ' +
    'or `UTC`; an offset such as `+02:00` is none, since it would not follow summer time. With an unknown zone the condition cannot be evaluated.',
  examples: {
    bad: [
      `
conditions:
  operator: MATCH
  values: { "date(Europe/Pari).Hour.GE": "8" }
#                 ^^^^^^^^^^^ condition-timezone`,
    ],
    good: [
      `
conditions:
  operator: MATCH
  values: { "date(Europe/Paris).Hour.GE": "8", "date().Hour.LT": "18" }`,
    ],
  },
  check: { policy: keyFindings('zone') },
}
