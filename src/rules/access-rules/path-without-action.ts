import type { Rule } from '../rule.ts'
import { operationsOf } from '../support/access.ts'
import { quote } from '../support/text.ts'

export const pathWithoutAction: Rule = {
  code: 'path-without-action',
  section: 'access rules',
  severity: 'info',
  preset: 'auditor',
  summary: 'An access rule for calls without a known action.',
  why:
    'Delegated access requires both the rule and the permissions of the user. For these calls no action is known, so it is unknown ' +
    'which policy allows them, or whether every signed-in user may make them.',
  *credential(request, context) {
    for (const { method, path } of request.rules) {
      const operations = (operationsOf(path.value, context) ?? []).filter((operation) => operation.method === method.value)
      if (operations.length === 0 || operations.some(({ actions, noAuthentication }) => actions.length > 0 || noAuthentication)) continue
      yield {
        span: path.span,
        message: `no action is known for ${quote(`${method.value} ${path.value}`)}: it is unknown which policy allows it`,
      }
    }
  },
}
