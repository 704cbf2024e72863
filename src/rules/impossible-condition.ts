import type { Rule } from './rule.ts'
import { isImpossible } from './support/verdicts.ts'

export const impossibleCondition: Rule = {
  code: 'impossible-condition',
  section: 'conditions',
  severity: 'warning',
  precision: 'very-high',
  yieldsToInner: ['condition-shape', 'wrapping-range', 'wildcard-as-text'],
  summary: 'A condition that no request can ever meet.',
  why:
    'Its parts contradict each other, whoever asks, whatever for, and whenever: the policy never applies. A grant under it is missing, and ' +
    'worse, what it denies is open. All that is written of one tag, of the address, of the name and type of the resource and of the time is ' +
    'weighed together; dates, hours and weekdays of several time zones are one clock.',
  examples: {
    bad: [
      `
conditions: { operator: MATCH, values: { date(UTC).WeekDay.IN: "Monday, Tuesday", date(UTC).WeekDay: Friday } }
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ impossible-condition`,
      `
conditions:
  operator: AND
# ^^^^^^^^^^^^^ impossible-condition
  conditions:
    - { operator: MATCH, values: { resource.Tag(env): prod } }
    - { operator: MATCH, values: { resource.Tag(env): test } }`,
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 10.0.0.0/8, request.IP.IN: "192.0.2.1, 192.0.2.2" } }
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ impossible-condition`,
    ],
    good: [
      `
conditions:
  operator: OR
  conditions:
    - { operator: MATCH, values: { date(Europe/Paris).Hour.GE: "18" } }
    - { operator: MATCH, values: { date(Europe/Paris).Hour.LT: "8" } }`,
      `
conditions: { operator: MATCH, values: { resource.Tag(env).STARTS_WITH: prod, resource.Tag(env).ENDS_WITH: od-2 } }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const { condition } = policy
      if (!condition || isImpossible(policy, context) !== true) return
      yield {
        span: condition.span,
        message: 'no request can ever meet this condition: the policy never applies',
        help: 'combine what excludes each other with `OR`, or mend the values',
      }
    },
  },
}
