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
  summary: 'An access rule whose path has an empty segment, or only matches with a trailing slash.',
  why:
    'Paths are compared as strings. No API operation has an empty segment, so such a rule grants nothing and is a warning. Some clients ' +
    'call lists with a trailing slash (`/domain/zone/`), and a rule with one is for them; calls without the slash may be refused. That ' +
    'is info, and not reported if another rule has the path without the slash.',
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
          message: `${quote(value)} has an empty segment, which no operation has: the rule grants nothing`,
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
          message: `this only matches with the trailing slash: calls of ${quote(meant)} may be refused`,
          help: `add a rule for ${quote(meant)}, unless the application always sends the slash`,
        }
      }
    }
  },
}
