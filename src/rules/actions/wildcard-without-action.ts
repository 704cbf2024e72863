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
  summary: 'An action pattern that matches no known action.',
  why:
    'A pattern that matches nothing is nearly always a typo: in `allow` it grants nothing, and in `deny` or `except` the protection is ' +
    'missing. `grantwise expand` lists what a pattern matches. The service may have newer actions than the catalogue, so a pattern of a ' +
    'known product that is not a typo is only info.',
  needs: 'unlistedAction',
  ...everyEntry(
    function* (entry, list, context) {
      const fault = judge(entry, context)
      if (fault?.kind !== 'wildcard-without-action') return
      const effect = list === 'allow' ? 'this may grant nothing' : 'the protection may be missing'
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
            ? `${text} matches no action, because action paths have no \`:\`: ${effect}`
            : `${text} matches no action in the catalogue of ${seen}: ${effect}`,
        help:
          fault.nearest !== undefined
            ? didYouMean(fault.nearest)
            : 'compare it with the actions of the product, which `grantwise expand` lists',
        ...replacement(entry.span, fault.nearest, false),
      }
    },
    undefined,
    isFaulty,
  ),
}
