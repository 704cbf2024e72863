import type { Rule } from '../rule.ts'
import { placeholderIn, placeholders } from '../support/access.ts'
import { quote } from '../support/text.ts'

export const pathParameter: Rule = {
  code: 'path-parameter',
  section: 'access rules',
  severity: 'warning',
  summary: 'An access rule with a placeholder in its path.',
  why:
    'Paths are compared as strings, so `{serviceName}`, `:id` or `<name>` stands for itself and the rule grants nothing. Write the name of the service, or ' +
    '`*` for any.',
  *credential(request) {
    for (const { path } of request.rules) {
      const placeholder = placeholderIn(path.value)
      if (!placeholder) continue
      yield {
        span: path.span,
        message: `${quote(placeholder)} is not replaced in a path: the rule grants nothing`,
        help: `write the actual name, or ${quote(path.value.replaceAll(placeholders, '*'))}`,
      }
    }
  },
}
