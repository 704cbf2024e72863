import type { Operator } from '../conditions/test.ts'
import type { Rule } from './rule.ts'
import { domainOf, holds, joinsOf, type Leaf, sameSubject } from './support/tests.ts'
import { quote } from './support/text.ts'

const lower: readonly Operator[] = ['GT', 'GE', 'AFTER']
const upper: readonly Operator[] = ['LT', 'LE', 'BEFORE']

export const wrappingRange: Rule = {
  code: 'wrapping-range',
  section: 'conditions',
  severity: 'warning',
  precision: 'very-high',
  summary: 'Bounds on the hour or the weekday that no hour or weekday is between.',
  why:
    'From 22 to 6 is a night, but no hour is both at least 22 and less than 6: the bounds have to hold at once, and days do not run on into the ' +
    'next. The condition never holds, or, under `NOT`, always. Join the two bounds by `OR`. The first day of the week is Monday.',
  examples: {
    bad: [
      `
conditions:
  operator: MATCH
  values:
    date(Europe/Paris).Hour.GE: "22"
    date(Europe/Paris).Hour.LT: "6"
#                               ^^^ wrapping-range`,
    ],
    good: [
      `
conditions:
  operator: OR
  conditions:
    - { operator: MATCH, values: { date(Europe/Paris).Hour.GE: "22" } }
    - { operator: MATCH, values: { date(Europe/Paris).Hour.LT: "6" } }`,
      `
conditions: { operator: MATCH, values: { date(UTC).Hour.GE: "6", date(UTC).Hour.LT: "22", date(Asia/Tokyo).Hour.LT: "5" } }`,
    ],
  },
  check: {
    *policy({ condition }) {
      for (const { by, parts } of joinsOf(condition)) {
        if (by !== 'and') continue
        const leaves = parts.filter(
          (part): part is Leaf => part.kind === 'match' && (part.test.subject.kind === 'hour' || part.test.subject.kind === 'weekday'),
        )
        for (const low of leaves) {
          if (!lower.includes(low.test.operator)) continue
          const high = leaves.find(
            ({ test }) =>
              upper.includes(test.operator) &&
              sameSubject(test, low.test) &&
              domainOf([test]).every((value) => !(holds(test, value) && holds(low.test, value))) &&
              domainOf([test]).some((value) => holds(test, value)) &&
              domainOf([test]).some((value) => holds(low.test, value)),
          )
          if (!high) continue
          const what = low.test.subject.kind === 'hour' ? 'hour' : 'weekday'
          yield {
            span: high.value.span,
            message: `no ${what} passes both ${quote(`${low.test.operator} ${low.value.value}`)} and ${quote(`${high.test.operator} ${high.value.value}`)}`,
            help: `join the two by \`OR\` if the range is to run on into the next ${what === 'hour' ? 'day' : 'week'}`,
            related: [{ message: 'the other bound', span: low.value.span }],
          }
        }
      }
    },
  },
}
