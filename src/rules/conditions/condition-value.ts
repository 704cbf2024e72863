import { readTest } from '../../conditions/test.ts'
import type { Rule } from '../rule.ts'
import { faultFinding, writtenTests } from '../support/conditions.ts'

export const conditionValue: Rule = {
  code: 'condition-value',
  section: 'conditions',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'A value that the key cannot be compared with.',
  why:
    'Addresses are written in full (`192.0.2.1`; a range such as `192.0.2.0/24` only with `IN_RANGE`), dates as `YYYY-MM-DD`, hours as ' +
    '0 to 23, weekdays in English. With any other value, the condition cannot be evaluated, and decisions based on it are unknown.',
  needs: 'condition',
  *policy(policy, context) {
    for (const { value, read } of writtenTests(policy, context)) {
      if (!('value' in read)) continue
      for (const fault of readTest(read.value, value.value).faults ?? []) {
        const trimmed = value.value.trim()
        const isPadded = fault.suggestion === undefined && trimmed !== value.value && readTest(read.value, trimmed).value !== undefined
        yield faultFinding(value, isPadded ? { ...fault, suggestion: trimmed } : fault)
      }
    }
  },
}
