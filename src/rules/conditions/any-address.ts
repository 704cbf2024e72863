import type { Rule } from '../rule.ts'
import { mayGrant } from '../support/grants.ts'
import { demanded, rangesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const anyAddress: Rule = {
  code: 'any-address',
  section: 'conditions',
  severity: 'warning',
  security: 5.5,
  precision: 'very-high',
  yieldsToOuter: ['vacuous-condition'],
  summary: 'A grant that is bound to the block of all addresses.',
  why:
    'Behind `0.0.0.0/0` is everybody: the condition looks like a limit and is none, and whoever reads the policy counts on it. Name the blocks of ' +
    'your own network, or take the condition out. Under `NOT`, and in policies that only deny, all addresses are the careful choice and are not ' +
    'reported. Blocks that are nearly as wide are the matter of `wide-range`.',
  examples: {
    bad: [
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 0.0.0.0/0 } }
#                                                             ^^^^^^^^^ any-address`,
    ],
    good: [
      `
permissions: { deny: [{ action: "vps:*" }] }
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: "::/0" } }`,
      `
conditions: { operator: NOT, conditions: [{ operator: MATCH, values: { request.IP.IN_RANGE: "::/0" } }] }`,
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }`,
    ],
  },
  check: {
    *policy(policy, { world }) {
      if (!policy.condition || !mayGrant(policy, world)) return
      for (const leaf of demanded(policy.condition)) {
        if (leaf.test.operator !== 'IN_RANGE') continue
        for (const { range, text, span } of rangesOf(leaf)) {
          if (range.last - range.first + 1n !== 1n << (range.family === 4 ? 32n : 128n)) continue
          yield {
            span,
            message: `${quote(text)} is every IPv${range.family} address: this limits nothing`,
            help: 'name the blocks of your own network, or ask for no address',
          }
        }
      }
    },
  },
}
