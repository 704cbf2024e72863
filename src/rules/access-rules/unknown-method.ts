import { nearest } from '../../nearest.ts'
import type { Rule } from '../rule.ts'
import { accessMethods } from '../support/access.ts'
import { didYouMean, quote } from '../support/text.ts'

export const unknownMethod: Rule = {
  code: 'unknown-method',
  section: 'access rules',
  severity: 'warning',
  summary: 'An access rule with an invalid HTTP method.',
  why:
    'Calls use `GET`, `POST`, `PUT`, `DELETE` or `PATCH`, in capitals. Anything else, including `*`, has no documented meaning and ' +
    'probably grants nothing. Write one rule for each method.',
  *credential(request) {
    for (const { method } of request.rules) {
      const { value } = method
      if ((accessMethods as readonly string[]).includes(value)) continue
      const suggested = nearest(value.toUpperCase(), accessMethods)
      yield {
        span: method.span,
        message: `${quote(value)} is not a valid method: expected ${accessMethods.map((known) => quote(known)).join(', ')}`,
        help: suggested === undefined ? 'write one rule for each method' : didYouMean(suggested),
      }
    }
  },
}
