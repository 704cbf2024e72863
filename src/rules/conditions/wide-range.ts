import { operators } from '../../conditions/test.ts'
import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { numberOption } from '../support/options.ts'
import { demanded, includedRanges } from '../support/tests.ts'
import { quote } from '../support/text.ts'

const code = 'wide-range'
/** The shortest prefixes that count as a limit: about the largest ranges of a single company. */
const shortest = { four: 8, six: 19 } as const

export const wideRange: Rule = {
  code,
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  security: 5,
  summary: 'A grant limited to an address range that is too wide to be a limit.',
  why:
    'A range such as half of all addresses includes nearly everybody. Name the ranges of your own network. Under `NOT`, and in policies ' +
    'that only deny, a wide range is the safe choice and is not reported. For all addresses, see `any-address`.',
  options: [
    { name: 'four', type: 'number', text: `the shortest allowed prefix of an IPv4 range; default ${shortest.four}` },
    { name: 'six', type: 'number', text: `the shortest allowed prefix of an IPv6 range; default ${shortest.six}` },
  ],
  needs: 'condition',
  *policy(policy, context) {
    if (!policy.condition || !mayGrant(policy, context.world)) return
    const least = { 4: numberOption(context, code, 'four') ?? shortest.four, 6: numberOption(context, code, 'six') ?? shortest.six }
    for (const leaf of demanded(policy.condition)) {
      if (!operators[leaf.test.operator].isRange) continue
      for (const { range, text, span } of includedRanges(leaf)) {
        const bits = (range.family === 4 ? 32 : 128) - ((range.last - range.first + 1n).toString(2).length - 1)
        // Another rule reports all addresses.
        if (bits === 0 || bits >= least[range.family]) continue
        yield {
          span,
          message: `${quote(text)} is a /${bits} range: the widest allowed is /${least[range.family]}`,
          help: 'name the ranges of your own network',
        }
      }
    }
  },
}
