import type { Rule } from '../rule.ts'
import { isFaulty, judge } from '../support/entries.ts'
import { replacement } from '../support/fixes.ts'
import { everyEntry } from '../support/sets.ts'
import { didYouMean, quote } from '../support/text.ts'
import { mayBeNewer } from '../support/unknown.ts'

export const wildcardWithoutAction: Rule = {
  code: 'wildcard-without-action',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An action pattern that matches no action of the catalogue.',
  why:
    'A pattern that matches nothing is nearly always a slip: in `allow` it grants nothing, in `deny` or `except` the protection is not there. ' +
    'See what a pattern matches with `grantwise expand`. The catalogue is dated and the service has newer actions: a pattern of a known product ' +
    'that is no slip for one that matches is no more than information.',
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
      `
permissions:
  allow: [{ action: "vps:apisvc:*:get" }]
#                   ^^^^^^^^^^^^^^^^^^ wildcard-without-action`,
      `
permissions:
  allow: [{ action: "vps:apisvc:backup/plan/*" }]
#                   ^^^^^^^^^^^^^^^^^^^^^^^^^^ wildcard-without-action`,
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
      const text = quote(entry.value.text)
      const { seen } = context.catalogue
      if (fault.because === undefined) {
        const { message, help, severity } = mayBeNewer(`${text} matches no action in`, seen, effect, fault.nearest)
        yield { span: entry.span, severity, message, help }
        return
      }
      yield {
        span: entry.span,
        message:
          fault.because === 'colon'
            ? `${text} matches no action, since the path of one has no \`:\`: ${effect}`
            : `${text} matches no action in the catalogue of ${seen}: ${effect}`,
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
