import type { Rule } from '../rule.ts'

export const actionPattern: Rule = {
  code: 'action-pattern',
  section: 'actions',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'An action that is not well-formed.',
  why:
    'Actions have the form `<product>:<namespace>:<path>`, such as `vps:apisvc:ips/get`. `<product>:*` matches every action of a ' +
    'product. A product starts with a lower-case letter, and a path is words separated by `/`. The service refuses anything else.',
  reader: true,
}
