import type { Rule } from '../rule.ts'
import { keyFindings } from '../support/conditions.ts'

export const conditionOperator: Rule = {
  code: 'condition-operator',
  section: 'conditions',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'An operator that does not exist, or not for this key.',
  why:
    'Each key has its own operators, which the message lists: only an address has `IN_RANGE`, for example. With any other operator, ' +
    'the condition cannot be evaluated, and decisions based on it are unknown.',
  needs: 'condition',
  policy: keyFindings('operator'),
}
