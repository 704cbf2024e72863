import type { Rule } from '../rule.ts'
import { keyFindings } from '../support/conditions.ts'

export const conditionKey: Rule = {
  code: 'condition-key',
  section: 'conditions',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'A condition key that the service does not know.',
  why:
    'A condition with an unknown key cannot be evaluated, and decisions based on it are unknown. The keys, in this exact spelling, are ' +
    '`resource.Tag(<key>)`, `resource.Name`, `resource.Type`, `request.IP`, `date(<zone>).Date`, `date(<zone>).Hour` and ' +
    '`date(<zone>).WeekDay`, each followed by an operator unless it is `EQ`.',
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
    good: `
conditions:
  operator: MATCH
  values:
    date(Europe/Paris).Hour: "8"
    resource.Tag(env): prod`,
  },
  check: { policy: keyFindings('key') },
}
