import { printRange } from '../../conditions/address.ts'
import type { Rule } from '../rule.ts'
import { replacement } from '../support/fixes.ts'
import { leavesOf, rangesOf } from '../support/tests.ts'
import { didYouMean, quote } from '../support/text.ts'

export const rangeHostBits: Rule = {
  code: 'range-host-bits',
  section: 'conditions',
  severity: 'info',
  precision: 'very-high',
  fixes: ['safe'],
  summary: 'An address range that does not start with its first address.',
  why:
    'A range is written with its first address. Any other address means the whole range all the same: `203.0.113.7/24` is 256 ' +
    'addresses, not one. Write the first address, or a longer prefix for a smaller range or a single address.',
  needs: 'condition',
  *policy({ condition }) {
    for (const leaf of leavesOf(condition)) {
      if (leaf.test.subject.kind !== 'ip') continue
      for (const { range, text, span } of rangesOf(leaf)) {
        if (!range.hostBits) continue
        const size = range.last - range.first + 1n
        yield {
          span,
          message: `${quote(text)} means all ${size > 1_000_000n ? 'addresses' : `${size} addresses`} of the range ${quote(printRange(range))}`,
          help: didYouMean(printRange(range)),
          ...replacement(leaf.value.span, text === leaf.value.value ? printRange(range) : undefined, true),
        }
      }
    }
  },
}
