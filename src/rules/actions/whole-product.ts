import { covers, glob } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { isWholeProduct, productOf } from '../support/scopes.ts'
import { everySet } from '../support/sets.ts'
import { quote, some } from '../support/text.ts'
import { grantedActions, isWriting, lastWord } from '../support/verbs.ts'
import { counted } from '../support/words.ts'

export const wholeProduct: Rule = {
  code: 'whole-product',
  section: 'actions',
  severity: 'warning',
  preset: 'strict',
  security: 5,
  summary: 'An `allow` entry that grants every action of a product.',
  why:
    'This includes reading, ordering, deleting and terminating the contract, and whatever the service adds later. Grant the parts that ' +
    'are needed, such as `vps:apisvc:snapshot/*`, or remove actions with `except`. Actions removed by `except` and `deny` of the policy ' +
    'are not counted.',
  ...everySet(function* ({ permissions: { allow, except, deny } }, context) {
    const taken = [...except, ...deny].map((entry) => entry.value)
    for (const { value, span } of allow) {
      const product = productOf(value, context)
      if (product === undefined || !isWholeProduct(value, product, context)) continue
      if (taken.some((pattern) => covers(pattern, glob(`${product}:api${context.settings.brand}:*`)))) continue
      const actions = grantedActions(context, value, taken)
      const severe = [...new Set(actions.filter(isWriting).map(lastWord))].filter((verb) => severest.has(verb))
      yield {
        span,
        message:
          actions.length === 0
            ? `${quote(value.text)} allows every action of the product, including those added later`
            : `${quote(value.text)} allows ${counted(actions.length, 'action')}${severe.length > 0 ? ` (including ${some(severe, 3)})` : ''}, and those added later`,
        help: 'allow the parts that are needed',
      }
    }
  }),
}

/** The words that best show what a whole product includes. */
const severest: ReadonlySet<string> = new Set(['terminate', 'delete', 'reinstall', 'create'])
