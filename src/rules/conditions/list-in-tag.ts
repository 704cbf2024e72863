import type { Rule } from '../rule.ts'
import { leavesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const listInTag: Rule = {
  code: 'list-in-tag',
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  precision: 'medium',
  summary: 'A tag compared with what looks like a list.',
  why:
    'Tags have no `IN` operator: the value is one string, including commas. If several values are intended, the condition never holds; ' +
    'write an `OR` with one `MATCH` for each value.',
  needs: 'condition',
  *policy({ condition }) {
    for (const leaf of leavesOf(condition)) {
      const { test, value } = leaf
      if (test.operator !== 'EQ' || test.subject.kind !== 'tag' || !value.value.includes(',')) continue
      yield {
        span: value.span,
        message: `${quote(value.value)} is compared as one string: tags cannot be compared with a list`,
        help: 'if several values are intended, write an `OR` with one `MATCH` for each',
      }
    }
  },
}
