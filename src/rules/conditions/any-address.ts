import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { demanded, includedRanges } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const anyAddress: Rule = {
  code: 'any-address',
  section: 'conditions',
  severity: 'warning',
  security: 5.5,
  precision: 'very-high',
  yieldsToOuter: ['vacuous-condition'],
  summary: 'A grant limited to the range of all IP addresses.',
  why:
    '`0.0.0.0/0` includes everybody, so the condition looks like a limit but is none. Name the ranges of your own network, or remove ' +
    'the condition. Under `NOT`, and in policies that only deny, all addresses are the safe choice and are not reported. For ranges ' +
    'that are nearly as wide, see `wide-range`.',
  needs: 'condition',
  *policy(policy, { world }) {
    if (!policy.condition || !mayGrant(policy, world)) return
    for (const leaf of demanded(policy.condition)) {
      for (const { range, text, span } of includedRanges(leaf)) {
        if (range.last - range.first + 1n !== 1n << (range.family === 4 ? 32n : 128n)) continue
        yield {
          span,
          message: `${quote(text)} is every IPv${range.family} address: it limits nothing`,
          help: 'name the ranges of your own network, or remove the condition',
        }
      }
    }
  },
}
