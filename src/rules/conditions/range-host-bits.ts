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
  summary: 'A block of addresses that is written with an address in the middle of it.',
  why:
    'A block is named by its first address. With another one it is read as the whole block all the same, so that `203.0.113.7/24` stands for 256 ' +
    'addresses and not for one. Write the first address, or a longer prefix if a smaller block, or the single address, is meant.',
  examples: {
    bad: [
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.7/24 } }
#                                                             ^^^^^^^^^^^^^^ range-host-bits`,
    ],
    good: [
      `
conditions: { operator: MATCH, values: { request.IP.IN_RANGE: 203.0.113.0/24 } }`,
    ],
  },
  check: {
    *policy({ condition }) {
      for (const leaf of leavesOf(condition)) {
        if (leaf.test.subject.kind !== 'ip') continue
        for (const { range, text, span } of rangesOf(leaf)) {
          if (!range.hostBits) continue
          const size = range.last - range.first + 1n
          yield {
            span,
            message: `${quote(text)} stands for all ${size > 1_000_000n ? 'addresses' : `${size} addresses`} of the block ${quote(printRange(range))}`,
            help: didYouMean(printRange(range)),
            ...replacement(leaf.value.span, text === leaf.value.value ? printRange(range) : undefined, true),
          }
        }
      }
    },
  },
}
