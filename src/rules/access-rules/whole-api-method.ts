import type { Rule } from '../rule.ts'
import { isEverything, wholeApiRules } from '../support/access.ts'
import { quote } from '../support/text.ts'

export const wholeApiMethod: Rule = {
  code: 'whole-api-method',
  section: 'access rules',
  severity: 'info',
  preset: 'strict',
  security: 3.0,
  summary: 'An access rule for the whole API with one method.',
  why:
    '`GET` on everything includes invoices, contacts and tokens; `DELETE` on everything can end all of it. Request the paths that the ' +
    'application calls. For all methods together, see `whole-api`.',
  *credential(request) {
    if (wholeApiRules(request).length > 0) return
    for (const { method, path } of request.rules.filter(isEverything)) {
      yield {
        span: path.span,
        message: `this requests every ${quote(method.value)} call of the whole API`,
        help: 'request the paths that the application calls',
      }
    }
  },
}
