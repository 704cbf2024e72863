import { withoutBranch, withoutSlash } from '../../actions/paths.ts'
import { glob } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { operationsOf, rulesByMethod } from '../support/access.ts'
import { coverers } from '../support/cover.ts'
import { quote } from '../support/text.ts'

export const trailingSlash: Rule = {
  code: 'trailing-slash',
  section: 'access rules',
  severity: 'warning',
  summary: 'An access rule whose path holds an empty word, or ends with a slash and stands alone.',
  why:
    'Paths are compared as texts. No operation of the API has an empty word in its path: such a rule grants nothing, and is a warning. Some clients ' +
    'call lists with a slash at the end (`/domain/zone/`), and a rule that ends with one is for them; what the service makes of the slash is not ' +
    'published, and calls without it may be refused. That is for information, and not said where another rule has the path without the slash.',
  examples: {
    bad: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/vps//ips" }
#                            ^^^^^^^^^^^ trailing-slash
] }`,
      `
{ "accessRules": [
  { "method": "GET", "path": "/domain/zone/" }
#                            ^^^^^^^^^^^^^^^ trailing-slash
] }`,
    ],
    good: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/vps" },
  { "method": "GET", "path": "/vps/*" }
] }`,
      `
{ "accessRules": [
  { "method": "GET", "path": "/domain/zone" },
  { "method": "GET", "path": "/domain/zone/" }
] }`,
    ],
  },
  check: {
    *credential(request, context) {
      for (const rules of rulesByMethod(request).values()) {
        const patterns = rules.map(({ path }) => glob(path.value))
        const bare = rules.map(({ path }) => withoutSlash(path.value))
        const isEnding = rules.some(({ path }, i) => path.value !== bare[i])
        const by = isEnding ? coverers(bare.map(glob), patterns) : []
        const redundant = isEnding ? coverers(patterns) : []
        for (const { path } of rules) {
          const { value } = path
          if (!value.startsWith('/') || !withoutBranch(value).rest.includes('//')) continue
          const meant = value.replace(/\/+/g, '/')
          yield {
            span: path.span,
            message: `no operation has the path ${quote(value)}, with an empty word: the rule grants nothing`,
            help: `did you mean ${quote(meant)}?`,
          }
        }
        for (const [i, { method, path }] of rules.entries()) {
          const { value } = path
          const meant = bare[i] as string
          if (value === meant || value.includes('//') || by[i] !== undefined || redundant[i] !== undefined) continue
          if (!operationsOf(value, context)?.some((operation) => operation.method === method.value)) continue
          yield {
            span: path.span,
            severity: 'info',
            message: `this is for calls whose path ends with a slash: those of ${quote(meant)} may be refused`,
            help: `add a rule for ${quote(meant)}, unless the application calls it with the slash only`,
          }
        }
      }
    },
  },
}
