import type { Rule } from '../rule.ts'
import { leavesOf, wrapsOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

const words = { date: 'that day itself', hour: 'that hour itself', weekday: 'that day itself' } as const

export const afterIsInclusive: Rule = {
  code: 'after-is-inclusive',
  section: 'conditions',
  severity: 'info',
  preset: 'strict',
  summary: 'An `AFTER`, which includes the value itself.',
  why:
    '`BEFORE` means "less than", but `AFTER` means "at least", so `AFTER` "Friday" holds on Friday. For hours and weekdays, write `GE` ' +
    'or `GT`, which are unambiguous. Dates only have `AFTER`: check that the day itself is intended, then suppress this finding with a ' +
    'reason.',
  needs: 'condition',
  *policy({ condition }) {
    // Another rule reports bounds with nothing in between.
    const wraps = new Set(wrapsOf(condition).map(({ low }) => low))
    for (const leaf of leavesOf(condition)) {
      const { test, value } = leaf
      const { operator, set } = test
      if (operator !== 'AFTER' || set.kind !== 'numbers' || wraps.has(leaf)) continue
      yield {
        span: value.span,
        message: `\`AFTER\` ${quote(value.value)} includes ${words[set.part]}`,
        help:
          set.part === 'date' ? 'write the next day if the day itself is not intended' : 'write `GE` if that is intended, otherwise `GT`',
      }
    }
  },
}
