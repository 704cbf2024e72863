import type { Rule } from '../rule.ts'
import { allUnreachable, unreachableKind } from '../support/addresses.ts'
import { rangesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const onlyPrivateAddresses: Rule = {
  code: 'only-private-addresses',
  section: 'conditions',
  severity: 'warning',
  security: 5,
  precision: 'very-high',
  yieldsToOuter: ['impossible-condition'],
  summary: 'A condition that only names addresses that no request over the internet comes from.',
  why:
    'The service sees the public address of a request, not an address inside a private network. For requests over the internet, a ' +
    'condition on a private address never holds, and under `NOT` it always does. `can --ip` answers for any address, also for these. ' +
    'Use the public address of the gateway.',
  needs: 'condition',
  *policy({ condition }, context) {
    for (const leaf of allUnreachable(condition, context)) {
      const [first] = rangesOf(leaf)
      if (!first) continue
      yield {
        span: leaf.value.span,
        message:
          first.text === leaf.value.value
            ? `no request over the internet comes from ${quote(first.text)}, which is ${unreachableKind(first.range, context)}: for those, this never holds`
            : `no request over the internet comes from ${quote(leaf.value.value)}, since ${quote(first.text)} is ${unreachableKind(first.range, context)}: for those, this never holds`,
        help: 'use the public address that requests are sent from',
      }
    }
  },
}
