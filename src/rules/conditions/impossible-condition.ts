import type { Condition } from '../../policy.ts'
import type { Rule } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { neverAppliesEffect } from '../support/grants.ts'
import { culprit } from '../support/reach.ts'
import { joinsOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'
import { isImpossible } from '../support/verdicts.ts'

export const impossibleCondition: Rule = {
  code: 'impossible-condition',
  section: 'conditions',
  severity: 'warning',
  precision: 'very-high',
  yieldsToInner: ['condition-shape', 'wrapping-range', 'wildcard-as-text', 'list-under-equality'],
  summary: 'A condition that no request can meet.',
  why:
    'Its parts contradict each other, so the policy never applies: its grants are missing and, worse, what it denies is open. All ' +
    'comparisons of a tag, the address, the resource name and type, and the time are evaluated together, across time zones.',
  needs: 'condition',
  *policy(policy, context) {
    const { condition } = policy
    if (!condition || isImpossible(policy, context) !== true) return
    const isNever = (part: Condition) =>
      part === condition ||
      (spend(context, 'contradictions', 1, mostParts) && isImpossible({ ...policy, condition: part }, context) === true)
    const part = culprit(condition, isNever)
    const pair = contradiction(part, isNever)
    const loss = neverAppliesEffect(policy, context.world)
    yield pair
      ? {
          span: pair.last.span,
          message: `${textOf(pair.last)} never holds together with ${textOf(pair.first)}: ${loss}`,
          help: 'combine alternatives with `OR`, or correct the values',
          related: [{ message: 'contradicts this', span: pair.first.span }],
        }
      : {
          span: part.span,
          message: `no request can meet this condition: ${loss}`,
          help: 'combine alternatives with `OR`, or correct the values',
        }
  },
}

/** How many parts of conditions are checked in one run to find a contradiction. */
const mostParts = 1_000

/** Two parts that must both hold and never do, in source order. */
function contradiction(
  condition: Condition,
  isNever: (part: Condition) => boolean,
): { readonly first: Condition; readonly last: Condition } | undefined {
  const [join] = joinsOf(condition)
  if (condition.kind !== 'and' || !join) return undefined
  const { parts } = join
  for (const [i, last] of parts.entries()) {
    for (const first of parts.slice(0, i)) {
      if (isNever({ kind: 'and', operands: [first, last], span: condition.span })) return { first, last }
    }
  }
  return undefined
}

function textOf(part: Condition): string {
  return part.kind === 'match' ? quote(`${part.key.value}: ${part.value.value}`) : `the \`${part.kind.toUpperCase()}\``
}
