import { inside } from '../../source.ts'
import type { Rule } from '../rule.ts'
import { isFaulty, judge } from '../support/entries.ts'
import { everyEntry } from '../support/sets.ts'
import { quote, some } from '../support/text.ts'

export const wildcardInProduct: Rule = {
  code: 'wildcard-in-product',
  section: 'actions',
  severity: 'warning',
  summary: 'An `allow` pattern with a wildcard inside the product, so that it matches other products.',
  why:
    'A `*` matches any characters, including `:`. `ip*` is not "everything of ip", but everything of every product whose name starts ' +
    'with `ip`, including future ones. Write the product out, followed by `:` and the wildcard.',
  needs: 'unlistedAction',
  ...everyEntry(
    function* (entry, _, context) {
      const fault = judge(entry, context)
      if (fault?.kind !== 'wildcard-in-product') return
      const { start, products } = fault
      const { text } = entry.value
      // `vps*` is probably intended for one product.
      const [one] = text !== `${start}*` ? [] : products.includes(start) ? [start] : products.length === 1 ? products : []
      yield {
        span: inside({ value: text, span: entry.span }, 0, start.length + 1),
        message: `a \`*\` inside the product matches ${some(products)}, and future products`,
        help: one !== undefined ? `write ${quote(`${one}:*`)} for this product only` : 'write one entry for each intended product',
      }
    },
    ['allow'],
    isFaulty,
  ),
}
