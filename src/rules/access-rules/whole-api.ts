import type { Rule } from '../rule.ts'
import { wholeApiRules } from '../support/access.ts'

export const wholeApi: Rule = {
  code: 'whole-api',
  section: 'access rules',
  severity: 'warning',
  security: 8.0,
  summary: 'A request for delegated access to the whole API with every method.',
  why:
    'The holder of the consumer key can do everything the customer can, including orders, policies and credentials, as long as the ' +
    'credential lasts. Request the paths that the application calls.',
  *credential(request) {
    const whole = wholeApiRules(request)
    const [first] = whole
    if (!first) return
    yield {
      span: first.path.span,
      message: 'this requests every call of the whole API: the consumer key can do everything the customer can',
      help: 'request the paths that the application calls',
      related: whole.slice(1, 6).map(({ path }) => ({ message: 'together with this', span: path.span })),
    }
  },
}
