import { inside } from '../source.ts'
import type { Rule } from './rule.ts'
import { isFaulty, judge } from './support/entries.ts'
import { replacement, withPart } from './support/fixes.ts'
import { everyEntry } from './support/sets.ts'
import { didYouMean, quote } from './support/text.ts'

export const unknownProduct: Rule = {
  code: 'unknown-product',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An action of a product that is not in the catalogue.',
  why:
    'An action pattern only matches actions of the product it names. A misspelt product matches nothing: an `allow` is empty, and a `deny` ' +
    'or `except` takes nothing away. The catalogue is dated and the service may have newer products, so this is never more than a warning. ' +
    'Products that are known only as a resource type are not reported.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vpss:apisvc:get" }]
#                    ^^^^ unknown-product`,
      `
permissions:
  allow: [{ action: "webHosting:*" }]
  deny: [{ action: "webhosting:apisvc:delete" }]
#                   ^^^^^^^^^^ unknown-product`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:apisvc:get" }, { action: "okms:apisvc:resource/get" }]`,
    ],
  },
  check: everyEntry(
    function* (entry, list, context) {
      const fault = judge(entry, context)
      if (fault?.kind !== 'unknown-product') return
      const effect = list === 'allow' ? 'this may grant nothing' : `this ${list} may take nothing away`
      yield {
        span: inside({ value: entry.value.text, span: entry.span }, 0, fault.product.length),
        message: `product ${quote(fault.product)} is not in the catalogue of ${context.catalogue.seen}: ${effect}`,
        ...(fault.nearest !== undefined && { help: didYouMean(fault.nearest) }),
        ...replacement(entry.span, withPart(entry.value.text, 0, fault.product.length, fault.nearest), false),
      }
    },
    undefined,
    isFaulty,
  ),
}
