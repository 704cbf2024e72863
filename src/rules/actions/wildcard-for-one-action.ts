import type { Rule } from '../rule.ts'
import { isFaulty, judge } from '../support/entries.ts'
import { replacement } from '../support/fixes.ts'
import { everyEntry } from '../support/sets.ts'
import { quote } from '../support/text.ts'

export const wildcardForOneAction: Rule = {
  code: 'wildcard-for-one-action',
  section: 'actions',
  severity: 'info',
  fixes: ['suggested'],
  summary: 'An `allow` pattern that matches a single action of the catalogue.',
  why:
    'The wildcard grants one action today and whatever gets a matching name tomorrow. If the one action is what is meant, write it out. ' +
    'A `*` for the product that matches a single action is a warning, since it is meant for many products. ' +
    'Patterns for a whole product are not reported, and neither is `deny` or `except`, where a wildcard takes in what comes later on purpose.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vps:apisvc:reinst*" }]
#                   ^^^^^^^^^^^^^^^^^^^^ wildcard-for-one-action`,
      `
permissions:
  allow: [{ action: "*:apisvc:openConsoleAccess" }]
#                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-for-one-action`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:apisvc:reinstall" }, { action: "billingAccount:*" }]
  deny: [{ action: "vps:apisvc:termin*" }]`,
    ],
  },
  check: everyEntry(
    function* (entry, _, context) {
      const fault = judge(entry, context)
      if (fault?.kind !== 'wildcard-for-one-action') return
      yield {
        span: entry.span,
        // A `*` for the product is meant for many products.
        ...(entry.value.text.startsWith('*') && { severity: 'warning' }),
        message: `${quote(entry.value.text)} matches one known action, and any later one with such a name`,
        help: `write ${quote(fault.action)} if that is what is meant`,
        ...replacement(entry.span, fault.action, false),
      }
    },
    ['allow'],
    isFaulty,
  ),
}
