import type { Rule } from '../rule.ts'
import { allUnreachable, unreachableKind } from '../support/addresses.ts'
import { leavesOf, rangesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

export const privateAddress: Rule = {
  code: 'private-address',
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  summary: 'An address that no request comes from.',
  why:
    'The service sees the public address of a request, never an address inside a private network. A private address listed with others ' +
    'has no effect, although the author relies on it. Use the public address of the gateway. If a policy has only such addresses, ' +
    '`only-private-addresses` reports it.',
  needs: 'condition',
  *policy({ condition }, context) {
    if (allUnreachable(condition, context).length > 0) return
    for (const leaf of leavesOf(condition)) {
      if (leaf.test.subject.kind !== 'ip') continue
      for (const { range, text, span } of rangesOf(leaf)) {
        const kind = unreachableKind(range, context)
        if (kind === undefined) continue
        yield {
          span,
          message: `${quote(text)} is ${kind}: no request over the internet comes from it`,
          help: 'use the public address that requests are sent from',
        }
      }
    }
  },
}
