import type { Rule } from '../rule.ts'
import { leavesOf, wrapsOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

const words = { date: 'that day itself', hour: 'that hour itself', weekday: 'that day itself' } as const

export const afterIsInclusive: Rule = {
  code: 'after-is-inclusive',
  section: 'conditions',
  severity: 'info',
  preset: 'strict',
  summary: 'An `AFTER`, which takes in the value itself.',
  why:
    '`BEFORE` is "less than", but `AFTER` is "at least": the two are not opposites in the way they read, and `AFTER` "Friday" holds on Friday. For ' +
    'hours and weekdays `GE` says the same without the trap, and `GT` says what most people mean. For dates there is only `AFTER`: check that the ' +
    'day itself is meant, then leave this finding out with a reason.',
  examples: {
    bad: [
      `
conditions: { operator: MATCH, values: { date(UTC).WeekDay.AFTER: Friday } }
#                                                                 ^^^^^^ after-is-inclusive`,
      `
conditions: { operator: MATCH, values: { date(UTC).Date.AFTER: "2026-03-01" } }
#                                                              ^^^^^^^^^^^^ after-is-inclusive`,
    ],
    good: [
      `
conditions: { operator: MATCH, values: { date(UTC).WeekDay.GE: Friday, date(UTC).Date.BEFORE: "2026-03-01" } }`,
    ],
  },
  check: {
    *policy({ condition }) {
      // Of bounds that nothing is between, another rule speaks.
      const wraps = new Set(wrapsOf(condition).map(({ low }) => low))
      for (const leaf of leavesOf(condition)) {
        const { test, value } = leaf
        const { kind } = test.subject
        if (wraps.has(leaf)) continue
        if (test.operator !== 'AFTER' || (kind !== 'date' && kind !== 'hour' && kind !== 'weekday')) continue
        yield {
          span: value.span,
          message: `\`AFTER\` ${quote(value.value)} takes in ${words[kind]}`,
          help: kind === 'date' ? 'write the day after it if the day itself is not meant' : 'write `GE` if that is meant, `GT` if not',
        }
      }
    },
  },
}
