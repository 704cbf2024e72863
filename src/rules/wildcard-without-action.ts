import type { Rule } from './rule.ts'
import { isFaulty, judge } from './support/entries.ts'
import { replacement } from './support/fixes.ts'
import { everyEntry } from './support/sets.ts'
import { didYouMean, quote } from './support/text.ts'

export const wildcardWithoutAction: Rule = {
  code: 'wildcard-without-action',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An action pattern that matches no action of the catalogue.',
  why:
    'A pattern that matches nothing is nearly always a slip: in `allow` it grants nothing, in `deny` or `except` the protection is not there. ' +
    'See what a pattern matches with `grantwise expand`. The catalogue is dated and the service may have newer actions, so this is never more ' +
    'than a warning.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vps:apisvc:snapshots/*" }]
#                   ^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-without-action`,
      `
permissions:
  allow: [{ action: "vps:*" }]
  deny: [{ action: "vps:apisvc:reinstalls*" }, { action: "vps:reinstall*" }]
#                  ^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-without-action
#                                                        ^^^^^^^^^^^^^^^^ wildcard-without-action`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:apisvc:snapshot/*" }]`,
    ],
  },
  check: everyEntry(
    function* (entry, list, context) {
      const fault = judge(entry, context)
      if (fault?.kind !== 'wildcard-without-action') return
      const effect = list === 'allow' ? 'this may grant nothing' : 'the protection may be silently absent'
      yield {
        span: entry.span,
        message: `${quote(entry.value.text)} matches no action in the catalogue of ${context.catalogue.seen}: ${effect}`,
        help:
          fault.nearest !== undefined
            ? didYouMean(fault.nearest)
            : 'compare it with the actions of the product: `grantwise expand` lists them',
        ...replacement(entry.span, fault.nearest, false),
      }
    },
    undefined,
    isFaulty,
  ),
}
