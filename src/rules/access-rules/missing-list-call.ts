import { withoutSlash } from '../../actions/paths.ts'
import { glob } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { operationsOf, rulesByMethod } from '../support/access.ts'
import { coverers } from '../support/cover.ts'
import { quote } from '../support/text.ts'

export const missingListCall: Rule = {
  code: 'missing-list-call',
  section: 'access rules',
  severity: 'info',
  preset: 'strict',
  summary: 'Access to everything below a path, but not to the path itself.',
  why:
    '`/vps/*` does not include `/vps`, which lists the services: an application that starts with the list gets a 403. Add the path ' +
    'itself, unless the application knows the names. Only reported if the path is a known operation with the same method.',
  *credential(request, context) {
    for (const rules of rulesByMethod(request).values()) {
      const lists = rules.flatMap(({ path }) => {
        const { value } = path
        const list = value.slice(0, -2)
        return value.endsWith('/*') && value.indexOf('*') === value.length - 1 && list !== '' ? [{ path, list }] : []
      })
      const by = coverers(
        lists.map(({ list }) => glob(list)),
        // A rule for the list with a slash at its end is for applications that call it so.
        rules.map(({ path }) => glob(withoutSlash(path.value))),
      )
      for (const [i, { path, list }] of lists.entries()) {
        if (by[i] !== undefined) continue
        const method = rules[0]?.method.value
        if (!operationsOf(list, context)?.some((operation) => operation.method === method)) continue
        yield {
          span: path.span,
          message: `this does not include ${quote(list)} itself, which lists what exists`,
          help: `add a rule for ${quote(list)}, unless the application knows the names`,
        }
      }
    }
  },
}
