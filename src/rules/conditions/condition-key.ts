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
  needs: 'condition',
  policy: keyFindings('key'),
}
