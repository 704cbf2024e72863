import type { Rule } from '../rule.ts'
import { operationsOf } from '../support/access.ts'
import { quote } from '../support/text.ts'

export const pathWithoutAction: Rule = {
  code: 'path-without-action',
  section: 'access rules',
  severity: 'info',
  preset: 'auditor',
  summary: 'An access rule for calls of which no action is known.',
  why:
    'A call under delegated access needs the rule and the rights of the user as well. Of these calls no action is known, so that no policy can be named ' +
    'that gives or withholds them: whether they are open to every signed-in user cannot be told from here.',
  examples: {
    bad: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/auth/currentCredential" }
#                            ^^^^^^^^^^^^^^^^^^^^^^^^^ path-without-action
] }`,
    ],
    good: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/me" },
  { "method": "GET", "path": "/auth/time" }
] }`,
    ],
  },
  check: {
    *credential(request, context) {
      for (const { method, path } of request.rules) {
        const operations = (operationsOf(path.value, context) ?? []).filter((operation) => operation.method === method.value)
        if (operations.length === 0 || operations.some(({ actions, noAuthentication }) => actions.length > 0 || noAuthentication)) continue
        yield {
          span: path.span,
          message: `no action is known for ${quote(`${method.value} ${path.value}`)}: which policy opens it cannot be told`,
        }
      }
    },
  },
}
