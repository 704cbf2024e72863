import type { Rule } from '../rule.ts'
import { mayGrant } from '../support/grants.ts'
import { numberOption } from '../support/options.ts'
import { demanded, rangesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

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
    'Behind half of all addresses is nearly everybody: the condition looks like a limit and is none. Name the blocks of your own network. Under ' +
    '`NOT`, and in policies that only deny, a wide block is the careful choice and is not reported. All addresses at once are reported by ' +
    '`any-address`.',
  options: [
    { name: 'four', type: 'number', text: `the shortest prefix of an IPv4 block that is fine; ${shortest.four} when not given` },
    { name: 'six', type: 'number', text: `the shortest prefix of an IPv6 block that is fine; ${shortest.six} when not given` },
  ],
  examples: {
    bad: [
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/1 } }
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
          // All addresses are the matter of a rule of its own.
          if (bits === 0 || bits >= least[range.family]) continue
          yield {
            span,
            message: `${quote(text)} is a block of /${bits}: the widest that counts as a limit is /${least[range.family]}`,
            help: 'name the blocks of your own network',
          }
        }
      }
    },
  },
}
