import type { Catalogue } from '../../actions/catalogue.ts'
import { hasString, type MatchType, matchTypes } from '../../conditions/sets.ts'
import type { Rule } from '../rule.ts'
import { replacement } from '../support/fixes.ts'
import { suggestion } from '../support/suggest.ts'
import { itemsOf, leavesOf } from '../support/tests.ts'
import { didYouMean, quote } from '../support/text.ts'

export const unknownConditionType: Rule = {
  code: 'unknown-condition-type',
  section: 'conditions',
  severity: 'warning',
  yieldsToInner: ['wildcard-as-text', 'list-under-equality'],
  fixes: ['suggested'],
  summary: 'A condition on a resource type that is not in the catalogue.',
  why:
    'Types are case-sensitive, so `Vps` is not `vps`. No resource has a misspelt type, so the condition never holds for it: a grant, a ' +
    'deny, or an exclusion with `NOT` is missing. The service may have newer types than the catalogue, so this is never more than a ' +
    'warning.',
  needs: 'condition',
  *policy({ condition }, context) {
    const { catalogue } = context
    for (const leaf of leavesOf(condition)) {
      const { subject, operator, set } = leaf.test
      if (subject.kind !== 'type' || set.kind !== 'strings') continue
      const { verb } = matchTypes[set.matchType]
      for (const { value, span } of itemsOf(leaf)) {
        if (value === '' || isKnown(value, set.matchType, catalogue)) continue
        const suggested = verb ? undefined : suggestion(context, 'type', value)
        yield {
          span,
          message: verb
            ? `no type in the catalogue of ${catalogue.seen} ${verb.does} ${quote(value)}: this may never hold`
            : `type ${quote(value)} is not in the catalogue of ${catalogue.seen}: this may match no resource`,
          ...(suggested !== undefined && { help: didYouMean(suggested) }),
          ...(operator === 'EQ' && replacement(span, suggested, false)),
        }
      }
    }
  },
}

/** Whether some type matches. A product without known types has the type of its name. */
function isKnown(value: string, matchType: MatchType, catalogue: Catalogue): boolean {
  if (matchType !== 'exact') return namesOf(catalogue).some((type) => hasString({ matchType, values: [value] }, type))
  return catalogue.types.includes(value) || (catalogue.products.includes(value) && catalogue.typesOf(value).length === 0)
}

function namesOf({ types, products }: Catalogue): readonly string[] {
  return [...types, ...products]
}
