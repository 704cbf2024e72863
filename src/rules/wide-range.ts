import type { Condition } from '../policy.ts'
import type { Rule } from './rule.ts'
import { mayGrant } from './support/grants.ts'
import { numberOption } from './support/options.ts'
import { type Leaf, rangesOf } from './support/tests.ts'
import { quote } from './support/text.ts'

const code = 'wide-range'
/** The shortest prefixes that are taken for a limit: about the largest blocks that one company is given. */
const shortest = { four: 8, six: 19 } as const

export const wideRange: Rule = {
  code,
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  security: 5,
  summary: 'A grant that is bound to a block of addresses so wide that it binds nothing.',
  why:
    'Behind `0.0.0.0/0` is everybody, and behind half of all addresses nearly so: the condition looks like a limit and is none. Name the blocks ' +
    'of your own network. Under `NOT`, and in policies that only deny, a wide block is the careful choice and is not reported.',
  options: [
    { name: 'four', type: 'number', text: `the shortest prefix of an IPv4 block that is fine; ${shortest.four} when not given` },
    { name: 'six', type: 'number', text: `the shortest prefix of an IPv6 block that is fine; ${shortest.six} when not given` },
  ],
  examples: {
    bad: [
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/0 } }
#                                                             ^^^^^^^^^ wide-range`,
      {
        options: { four: 24 },
        text: `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.112.0/20 } }
#                                                             ^^^^^^^^^^^^^^ wide-range`,
      },
    ],
    good: [
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }`,
      `
permissions: { deny: [{ action: "vps:*" }] }
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/0 } }`,
    ],
  },
  check: {
    *policy(policy, context) {
      if (!policy.condition || !mayGrant(policy, context.world)) return
      const least = { 4: numberOption(context, code, 'four') ?? shortest.four, 6: numberOption(context, code, 'six') ?? shortest.six }
      for (const leaf of demanded(policy.condition)) {
        if (leaf.test.operator !== 'IN_RANGE') continue
        for (const { range, text, span } of rangesOf(leaf)) {
          const bits = (range.family === 4 ? 32 : 128) - ((range.last - range.first + 1n).toString(2).length - 1)
          if (bits >= least[range.family]) continue
          yield {
            span,
            message:
              bits === 0
                ? `${quote(text)} is every IPv${range.family} address: the condition limits nothing`
                : `${quote(text)} is a block of /${bits}: the widest that counts as a limit is /${least[range.family]}`,
            help: 'name the blocks of your own network',
          }
        }
      }
    },
  },
}

/** The comparisons of which the condition asks that they hold: those under an even number of `NOT`. */
function demanded(condition: Condition, negated = false): readonly Leaf[] {
  if (condition.kind === 'opaque') return []
  if (condition.kind === 'match') return negated ? [] : [condition]
  return condition.operands.flatMap((operand) => demanded(operand, condition.kind === 'not' ? !negated : negated))
}
