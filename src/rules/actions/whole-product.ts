import { covers, glob } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { isWholeProduct, productOf } from '../support/scopes.ts'
import { everySet } from '../support/sets.ts'
import { quote, some } from '../support/text.ts'
import { granted, isWriting, lastWord } from '../support/verbs.ts'
import { counted } from '../support/words.ts'

export const wholeProduct: Rule = {
  code: 'whole-product',
  section: 'actions',
  severity: 'warning',
  preset: 'strict',
  security: 5,
  summary: 'An `allow` entry that grants every action of a product.',
  why:
    'Reading, ordering, deleting and ending the contract are all in it, and so is whatever the service adds to the product later. Grant the parts ' +
    'that are needed, such as `vps:apisvc:snapshot/*`, or take out with `except` what nobody needs. The count is of what is left after `except` ' +
    'and `deny` of the same policy.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vps:*" }]
#                   ^^^^^^^ whole-product`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:apisvc:snapshot/*" }, { action: "vps:apisvc:get" }]`,
      `
permissions:
  allow: [{ action: "vps:*" }]
  deny: [{ action: "*" }]`,
    ],
  },
  check: everySet(function* ({ permissions: { allow, except, deny } }, context) {
    const taken = [...except, ...deny].map((entry) => entry.value)
    for (const { value, span } of allow) {
      const product = productOf(value, context)
      if (product === undefined || !isWholeProduct(value, product, context)) continue
      if (taken.some((pattern) => covers(pattern, glob(`${product}:api${context.settings.brand}:*`)))) continue
      const actions = granted(context, value, taken)
      const severe = [...new Set(actions.filter(isWriting).map(lastWord))].filter((verb) => telling.has(verb))
      yield {
        span,
        message:
          actions.length === 0
            ? `${quote(value.text)} allows every action of the product, those added later too`
            : `${quote(value.text)} allows ${counted(actions.length, 'action')}${severe.length > 0 ? ` (${some(severe, 3)} among them)` : ''}, and those added later`,
        help: 'allow the parts that are needed',
      }
    }
  }),
}

/** Words that tell most about what a whole product holds. */
const telling = new Set(['terminate', 'delete', 'reinstall', 'create'])
