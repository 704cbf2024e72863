import type { Rule } from '../rule.ts'
import { keyFindings } from '../support/conditions.ts'

export const conditionKey: Rule = {
  code: 'condition-key',
  section: 'conditions',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'A condition about something the service does not know.',
  why:
    'A key that is not understood makes the condition impossible to evaluate: decisions that rest on it are unknown. Keys are written exactly, ' +
    'in this order and case: `resource.Tag(<key>)`, `resource.Name`, `resource.Type`, `request.IP`, `date(<zone>).Date`, `date(<zone>).Hour`, ' +
    '`date(<zone>).WeekDay`, each with an operator behind it where it is not `EQ`.',
  examples: {
    bad: [
      `
conditions:
  operator: MATCH
  values: { "date.Hour(Europe/Paris)": "8" }
#            ^^^^^^^^^^^^^^^^^^^^^^^ condition-key`,
      `
conditions:
  operator: NOT
  conditions:
    - operator: MATCH
      values:
        request.ip: 192.0.2.1
#       ^^^^^^^^^^ condition-key
        resource.Tag(env): prod`,
    ],
    good: [
      `
conditions:
  operator: MATCH
  values:
    date(Europe/Paris).Hour: "8"
    resource.Tag(env): prod`,
    ],
  },
  check: { policy: keyFindings('key') },
}
