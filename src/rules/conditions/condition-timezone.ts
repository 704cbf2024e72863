import type { Rule } from '../rule.ts'
import { keyFindings } from '../support/conditions.ts'

export const conditionTimezone: Rule = {
  code: 'condition-timezone',
  section: 'conditions',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'A time zone that does not exist.',
  why:
    'Dates, hours and weekdays are evaluated in the given time zone. Use a name of the IANA time zone database, such as `Europe/Paris` ' +
    'or `UTC`. Offsets such as `+02:00` are not supported, because they ignore daylight saving time. With an unknown zone, the ' +
    'condition cannot be evaluated.',
  needs: 'condition',
  policy: keyFindings('zone'),
}
