import type { Rule } from '../rule.ts'
import { canHold, wrapsOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const wrappingRange: Rule = {
  code: 'wrapping-range',
  section: 'conditions',
  severity: 'warning',
  precision: 'very-high',
  summary: 'Bounds on hours or weekdays that no hour or weekday is between.',
  why:
    'No hour is both at least 22 and less than 6: both bounds must hold at once, and ranges do not continue into the next day or week. ' +
    'The condition never holds or, under `NOT`, always. Join the two bounds with `OR`. Weeks start on Monday.',
  needs: 'condition',
  *policy({ condition }) {
    for (const { low, high } of wrapsOf(condition)) {
      const what = low.test.subject.kind === 'hour' ? 'hour' : 'weekday'
      // A bound that nothing meets is the wrong one.
      const isHigh = low.value.span.start < high.value.span.start || !canHold(high.test)
      const [first, last] = isHigh ? [low, high] : [high, low]
      yield {
        span: last.value.span,
        message: `no ${what} is both ${quote(`${low.test.operator} ${low.value.value}`)} and ${quote(`${high.test.operator} ${high.value.value}`)}`,
        help: `join the two with \`OR\` if the range should continue into the next ${what === 'hour' ? 'day' : 'week'}`,
        related: [{ message: 'the other bound', span: first.value.span }],
      }
    }
  },
}
