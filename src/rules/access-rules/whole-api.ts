import type { Rule } from '../rule.ts'
import { wholeApiRules } from '../support/access.ts'

export const wholeApi: Rule = {
  code: 'whole-api',
  section: 'access rules',
  severity: 'warning',
  security: 8.0,
  summary: 'A request for delegated access to the whole API with every method.',
  why:
    'Whoever holds the consumer key can then do all that the customer can, orders, policies and credentials included, for as long as the credential ' +
    'lasts. Ask for the paths that the application calls; a customer who reads the form will refuse the rest, and should.',
  examples: {
    bad: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/*" },
#                            ^^^^ whole-api
  { "method": "POST", "path": "/*" },
  { "method": "PUT", "path": "/*" },
  { "method": "DELETE", "path": "/*" }
] }`,
    ],
    good: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/*" },
  { "method": "POST", "path": "/*" },
  { "method": "PUT", "path": "/*" }
] }`,
      `
{ "accessRules": [
  { "method": "GET", "path": "/vps/*" },
  { "method": "POST", "path": "/vps/*" },
  { "method": "PUT", "path": "/vps/*" },
  { "method": "DELETE", "path": "/vps/*" }
] }`,
    ],
  },
  check: {
    *credential(request) {
      const whole = wholeApiRules(request)
      const [first] = whole
      if (!first) return
      yield {
        span: first.path.span,
        message: 'this asks for every call of the whole API: the consumer key can do all that the customer can',
        help: 'ask for the paths that the application calls',
        related: whole.slice(1, 6).map(({ path }) => ({ message: 'with this', span: path.span })),
      }
    },
  },
}
