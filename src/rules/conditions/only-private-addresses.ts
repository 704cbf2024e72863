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
  summary: 'A condition that only names addresses that no request comes from.',
  why:
    'The service sees the public address of a request, never an address inside a private network. A condition on a private address ' +
    'never holds: the grant or deny has no effect. Under `NOT` it always holds, so it limits nothing. Use the public address of the ' +
    'gateway.',
  *policy({ condition }) {
    for (const leaf of allUnreachable(condition)) {
      const [first] = rangesOf(leaf)
      if (!first) continue
      yield {
        span: leaf.value.span,
        message:
          first.text === leaf.value.value
            ? `no request comes from ${quote(first.text)}, which is ${unreachableKind(first.range)}: this never holds`
            : `no request comes from ${quote(leaf.value.value)}, since ${quote(first.text)} is ${unreachableKind(first.range)}: this never holds`,
        help: 'use the public address that requests are sent from',
      }
    }
  },
}
