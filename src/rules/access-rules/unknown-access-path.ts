import type { Rule } from '../rule.ts'
import { accessMethods, isEverything, monthOfUnknown, nearestPath, operationsOf, placeholderIn } from '../support/access.ts'
import { didYouMean, quote, some } from '../support/text.ts'

export const unknownAccessPath: Rule = {
  code: 'unknown-access-path',
  section: 'access rules',
  severity: 'warning',
  summary: 'An access rule that matches no known operation.',
  why:
    'The API descriptions have no operation with this path, or none with this method, so the rule probably grants nothing. The service ' +
    'may have newer operations than the descriptions, so this is never more than a warning.',
  *credential(request, context) {
    if (context.operations().length === 0) return
    for (const rule of request.rules) {
      const { method, path } = rule
      const { value } = path
      // Other rules report these.
      if (!value.startsWith('/') || value.includes('//') || placeholderIn(value) !== undefined || value.includes('{') || isEverything(rule))
        continue
      const operations = operationsOf(value, context)
      if (!operations) return
      const methods = [...new Set(operations.map((operation) => operation.method))].sort()
      if (methods.includes(method.value as (typeof methods)[number])) continue
      if (methods.length > 0 && !(accessMethods as readonly string[]).includes(method.value)) continue
      const suggested = methods.length === 0 ? nearestPath(value, context) : undefined
      const withMethod = methods.length === 0 ? '' : ` with the method ${quote(method.value)}`
      yield {
        span: path.span,
        message: `no operation known in ${monthOfUnknown(value, context)} has the path ${quote(value)}${withMethod}`,
        ...(methods.length > 0 ? { help: `known with ${some(methods)}` } : suggested !== undefined && { help: didYouMean(suggested) }),
      }
    }
  },
}
