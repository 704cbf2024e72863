import { covers, glob } from '../glob.ts'
import type { Rule } from './rule.ts'
import { everySet } from './support/sets.ts'
import { quote } from './support/text.ts'

export const allowEverything: Rule = {
  code: 'allow-everything',
  section: 'actions',
  severity: 'warning',
  summary: 'An `allow` entry that grants every action of every product.',
  why:
    'It grants what can be done today, policies and users included, and whatever the service adds. A `deny` or `except` beside it removes only ' +
    'what somebody thought of. Grant the products that are needed, such as `webHosting:*`, or name a permissions group.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "*" }]
#                   ^^^ allow-everything`,
      `
permissions:
  allow: [{ action: "*:apisvc:*" }]
#                   ^^^^^^^^^^^^ allow-everything
  deny: [{ action: "account:*" }]`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "webHosting:*" }, { action: "*/get" }]`,
      `
permissions:
  deny: [{ action: "*" }]`,
    ],
  },
  check: everySet(function* ({ permissions: { allow, except, deny } }, { settings }) {
    // Only a wildcard at its start covers every product.
    if (!allow.some(({ value }) => value.text.startsWith('*'))) return
    const everything = glob(`*:api${settings.brand}:*`)
    // What is taken back whole is a matter of other rules.
    if ([...except, ...deny].some((entry) => covers(entry.value, everything))) return
    for (const { value, span } of allow) {
      if (!covers(value, everything)) continue
      yield {
        span,
        message: `${quote(value.text)} allows every action of every product, those added later too`,
        help: 'allow the products that are needed, such as `webHosting:*`',
      }
    }
  }),
}
