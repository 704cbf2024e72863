import type { Rule } from '../rule.ts'
import { otherWords } from '../support/access.ts'
import { quote, some } from '../support/text.ts'

export const partialSegment: Rule = {
  code: 'partial-segment',
  section: 'access rules',
  severity: 'warning',
  security: 5.5,
  summary: 'A wildcard inside a path segment, which also matches other segments.',
  why:
    'A `*` matches any characters of the whole path, so `/me*` is not only `/me` and everything below it, but every path that starts ' +
    'with these characters. Write two rules, one for the path and one with `/*`.',
  *credential(request, context) {
    for (const { path } of request.rules) {
      const others = otherWords(path.value, context)
      if (others.length === 0) continue
      const meant = path.value.slice(0, -1)
      const folder = meant.slice(0, meant.lastIndexOf('/') + 1)
      yield {
        span: path.span,
        message: `this also matches ${some(others.map((word) => folder + word))}`,
        help: `write two rules, for ${quote(meant)} and for ${quote(`${meant}/*`)}`,
      }
    }
  },
}
