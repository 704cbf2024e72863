import { glob } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { rulesByMethod } from '../support/access.ts'
import { coverers } from '../support/cover.ts'
import { quote } from '../support/text.ts'

export const redundantAccessRule: Rule = {
  code: 'redundant-access-rule',
  section: 'access rules',
  severity: 'info',
  precision: 'very-high',
  summary: 'An access rule that another rule of the same request covers.',
  why:
    'It changes nothing: a `*` stands for any run of characters, `/` included, over the whole path. Remove it, or narrow the wider rule if it is wider ' +
    'than meant.',
  examples: {
    bad: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/vps/*" },
  { "method": "GET", "path": "/vps/my-server/ips" }
#                            ^^^^^^^^^^^^^^^^^^^^ redundant-access-rule
] }`,
    ],
    good: [
      `
{ "accessRules": [
  { "method": "GET", "path": "/vps/*" },
  { "method": "POST", "path": "/vps/my-server/reboot" },
  { "method": "GET", "path": "/vps" }
] }`,
    ],
  },
  check: {
    *credential(request) {
      for (const rules of rulesByMethod(request).values()) {
        const by = coverers(rules.map(({ path }) => glob(path.value)))
        for (const [i, { path }] of rules.entries()) {
          const other = rules[by[i] ?? -1]
          if (!other) continue
          const same = other.path.value === path.value
          yield {
            span: path.span,
            message: same ? `${quote(path.value)} is listed twice` : `${quote(path.value)} is covered by ${quote(other.path.value)}`,
            help: 'remove it: it changes nothing',
            related: [{ message: same ? 'the first one' : 'the wider rule', span: other.path.span }],
          }
        }
      }
    },
  },
}
