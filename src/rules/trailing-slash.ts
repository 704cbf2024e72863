import type { Rule } from './rule.ts'
import { quote } from './support/text.ts'

export const trailingSlash: Rule = {
  code: 'trailing-slash',
  section: 'access rules',
  severity: 'warning',
  summary: 'An access rule whose path ends with a slash or holds an empty word.',
  why:
    'Paths are compared as texts, and no operation of the API has such a path: the rule grants nothing. Leave the slash out, or end the path with `/*` ' +
    'for what lies below.',
  examples: {
    bad: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/vps/" }
#                            ^^^^^^^ trailing-slash
] }`,
      `
{ "accessRules": [
  { "method": "GET", "path": "/vps//ips" }
#                            ^^^^^^^^^^^ trailing-slash
] }`,
    ],
    good: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/vps" },
  { "method": "GET", "path": "/vps/*" }
] }`,
    ],
  },
  check: {
    *credential(request) {
      for (const { path } of request.rules) {
        const { value } = path
        if (!value.startsWith('/') || value === '/') continue
        if (!value.endsWith('/') && !value.includes('//')) continue
        const meant = value.replace(/\/+/g, '/').replace(/(.)\/$/, '$1')
        yield {
          span: path.span,
          message: `no operation has the path ${quote(value)}: the rule grants nothing`,
          help: value.endsWith('/')
            ? `write ${quote(meant)}, or ${quote(`${meant}/*`)} for what lies below`
            : `did you mean ${quote(meant)}?`,
        }
      }
    },
  },
}
