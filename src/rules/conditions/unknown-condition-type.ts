import type { Catalogue } from '../../actions/catalogue.ts'
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
  *policy({ condition }, context) {
    const { catalogue } = context
    for (const leaf of leavesOf(condition)) {
      const { subject, operator } = leaf.test
      if (subject.kind !== 'type') continue
      const isPart = operator === 'STARTS_WITH' || operator === 'ENDS_WITH'
      for (const { value, span } of itemsOf(leaf)) {
        if (value === '' || isKnown(value, operator, catalogue)) continue
        const suggested = isPart ? undefined : suggestion(context, 'type', value)
        yield {
          span,
          message: isPart
            ? `no type in the catalogue of ${catalogue.seen} ${operator === 'STARTS_WITH' ? 'starts' : 'ends'} with ${quote(value)}: this may never hold`
            : `type ${quote(value)} is not in the catalogue of ${catalogue.seen}: this may match no resource`,
          ...(suggested !== undefined && { help: didYouMean(suggested) }),
          ...(operator === 'EQ' && replacement(span, suggested, false)),
        }
      }
    }
  },
}

/** Whether some type matches. A product without known types has the type of its name. */
function isKnown(value: string, operator: string, catalogue: Catalogue): boolean {
  if (operator === 'STARTS_WITH') return namesOf(catalogue).some((type) => type.startsWith(value))
  if (operator === 'ENDS_WITH') return namesOf(catalogue).some((type) => type.endsWith(value))
  return catalogue.types.includes(value) || (catalogue.products.includes(value) && catalogue.typesOf(value).length === 0)
}

function namesOf({ types, products }: Catalogue): readonly string[] {
  return [...types, ...products]
}
