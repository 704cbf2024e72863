import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

export const accessPathStart: Rule = {
  code: 'access-path-start',
  section: 'access rules',
  severity: 'warning',
  summary: 'An access rule whose path does not start with a slash.',
  why:
    'Paths of API calls start with `/`, and paths are compared as strings, so the rule grants nothing. A URL with host and version is ' +
    'not a path either.',
  *credential(request) {
    for (const { path } of request.rules) {
      if (path.value.startsWith('/') || path.value.startsWith('*')) continue
      const meant = path.value.includes('://')
        ? path.value.replace(/^[^:]*:\/\/[^/]*/, '').replace(/^\/(1\.0|v1)(?=\/)/, '')
        : `/${path.value}`
      yield {
        span: path.span,
        message:
          path.value === '' ? 'the path is empty: the rule grants nothing' : 'the path does not start with `/`: the rule grants nothing',
        ...(path.value !== '' && meant.startsWith('/') && { help: `did you mean ${quote(meant)}?` }),
      }
    }
  },
}
