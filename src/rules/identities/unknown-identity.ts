import { nearest } from '../../nearest.ts'
import type { Rule } from '../rule.ts'
import { mostSuggestions, spend } from '../support/budget.ts'
import { nameOf, prefixOf, sameKindAs } from '../support/inventory.ts'
import { didYouMean, quote } from '../support/text.ts'

export const unknownIdentity: Rule = {
  code: 'unknown-identity',
  section: 'identities',
  severity: 'warning',
  preset: 'strict',
  precision: 'medium',
  yieldsToInner: ['deny-misses-identity'],
  summary: 'An identity that is missing in the inventory, which has others of its kind and account.',
  why:
    'A deleted or misspelt login gets nothing, and a deny for it protects nothing. Whoever gets that login later gets the permissions ' +
    'with it. Only reported if the inventory has an identity of the same kind and account.',
  *world(context) {
    for (const { identities } of context.world.policies) {
      for (const { value, span } of identities) {
        const sameKind = sameKindAs(value, context)
        if (!sameKind) continue
        const suggestion =
          sameKind.size <= 2000 && spend(context, 'unknown-identity', 1, mostSuggestions)
            ? nearest(value.name, [...sameKind].map(nameOf))
            : undefined
        yield {
          span,
          message: `the inventory has no ${value.kind === 'credential' ? 'service account' : value.kind} ${quote(value.name)} of account ${quote(value.account ?? '')}`,
          help:
            suggestion === undefined
              ? 'correct it, remove it, or add it to the inventory'
              : didYouMean(`${prefixOf(value.text)}${suggestion}`),
        }
      }
    }
  },
}
