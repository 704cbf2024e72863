import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

export const pathParameter: Rule = {
  code: 'path-parameter',
  section: 'access rules',
  severity: 'warning',
  summary: 'An access rule with a placeholder in its path.',
  why:
    'Paths are compared as strings, so `{serviceName}` stands for itself and the rule grants nothing. Write the name of the service, or ' +
    '`*` for any.',
  *credential(request) {
    for (const { path } of request.rules) {
      const placeholder = /\{[A-Za-z][A-Za-z0-9]*\}/.exec(path.value)
      if (!placeholder) continue
      yield {
        span: path.span,
        message: `${quote(placeholder[0])} is not replaced in a path: the rule grants nothing`,
        help: `write the actual name, or ${quote(path.value.replace(/\{[A-Za-z][A-Za-z0-9]*\}/g, '*'))}`,
      }
    }
  },
}
