import type { ListName } from '../../policy.ts'
import type { Check, Rule } from '../rule.ts'
import { isFaulty, judge } from '../support/entries.ts'
import { replacement } from '../support/fixes.ts'
import { namespaceFinding } from '../support/namespace.ts'
import { everyEntry } from '../support/sets.ts'
import { didYouMean, quote } from '../support/text.ts'
import { unknownActionFinding } from '../support/unknown.ts'

export const unknownAction: Rule = {
  code: 'unknown-action',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An allowed action that is not in the catalogue.',
  why:
    'An action that does not exist grants nothing, and the identity is refused later without a hint. The service may have newer actions ' +
    'than the catalogue: a name one typo away from a known one is a warning, any other name is info. Actions in other namespaces than ' +
    "the API's are not checked, unless the namespace itself looks like a typo or belongs to another brand.",
  needs: 'unlistedAction',
  ...unknownActions(['allow'], 'this may grant nothing'),
}

/** A check of lists for actions and namespaces that are not in the catalogue. */
export function unknownActions(lists: readonly ListName[], so: string): Check {
  return everyEntry(
    function* (entry, list, context) {
      const fault = judge(entry, context)
      if (fault?.kind === 'odd-namespace') yield namespaceFinding(entry, fault, context.catalogue, so)
      if (fault?.kind === 'colon-in-path')
        yield {
          span: entry.span,
          message: `${quote(entry.value.text)} matches no action, because action paths have no \`:\`: it ${list === 'allow' ? 'grants' : 'protects'} nothing`,
          help: fault.nearest === undefined ? 'write the words of the path with `/` between them' : didYouMean(fault.nearest),
          ...replacement(entry.span, fault.nearest, false),
        }
      if (fault?.kind === 'unknown-action') yield unknownActionFinding({ value: fault.action, span: entry.span }, context, so)
    },
    lists,
    isFaulty,
  )
}
