import { isSlip } from '../../nearest.ts'
import { inside } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { isFaulty, judge } from '../support/entries.ts'
import { withPart } from '../support/fixes.ts'
import { everyEntry } from '../support/sets.ts'
import { unknownFinding } from '../support/unknown.ts'

export const unknownProduct: Rule = {
  code: 'unknown-product',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An action of a product that is not in the catalogue.',
  why:
    'An action pattern only matches actions of its product. With a misspelt product it matches nothing: an `allow` grants nothing, and ' +
    'a `deny` or `except` has no effect. The service may have newer products than the catalogue: a name one typo away from a known one ' +
    'is a warning, any other name is info. Products that are only known as a resource type are not reported.',
  needs: 'unlistedAction',
  ...everyEntry(
    function* (entry, list, context) {
      const fault = judge(entry, context)
      if (fault?.kind !== 'unknown-product') return
      const { product, nearest } = fault
      const name = { value: product, span: inside({ value: entry.value.text, span: entry.span }, 0, product.length) }
      yield unknownFinding(name, {
        subject: 'product',
        suggested: nearest,
        isSlip: nearest !== undefined && (isSlip(product, nearest) || context.catalogue.types.includes(product)),
        so: list === 'allow' ? 'this may grant nothing' : `this \`${list}\` may have no effect`,
        seen: context.catalogue.seen,
        whole: { span: entry.span, text: withPart(entry.value.text, 0, product.length, nearest) },
      })
    },
    undefined,
    isFaulty,
  ),
}
