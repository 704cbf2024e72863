import { printSubject } from '../../conditions/test.ts'
import type { Rule } from '../rule.ts'
import { replacement } from '../support/fixes.ts'
import { leavesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const listUnderEquality: Rule = {
  code: 'list-under-equality',
  section: 'conditions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'A list of names or types compared as one string.',
  why:
    'Without an operator, the whole value is one name, including commas, and no resource has such a name. The condition never holds or, ' +
    'under `NOT`, always. Use `IN` for lists.',
  needs: 'condition',
  *policy({ condition }) {
    for (const leaf of leavesOf(condition)) {
      const { test, key, value } = leaf
      if (test.operator !== 'EQ' || (test.subject.kind !== 'name' && test.subject.kind !== 'type') || !value.value.includes(',')) continue
      const meant = `${printSubject(test.subject)}.IN`
      yield {
        span: value.span,
        message: `${quote(value.value)} is compared as one string, not as a list`,
        help: `write ${quote(meant)} for a list`,
        ...replacement(key.span, meant, false),
      }
    }
  },
}
