import { stringTest } from '../../conditions/test.ts'
import type { Condition, Policy, World } from '../../policy.ts'
import type { Located } from '../../source.ts'
import { comparison, type Formula, negation } from '../../symbolic/formula.ts'
import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { satisfiable } from '../support/satisfiable.ts'
import { quote } from '../support/text.ts'
import { anything } from '../support/verdicts.ts'
import { isSettled, statementsOfVariant } from '../support/whole-set.ts'

export const untaggedMatches: Rule = {
  code: 'untagged-matches',
  section: 'conditions',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'A grant under `NOT` of a tag, which resources without the tag also meet.',
  why:
    'A comparison with a tag does not hold for a resource without it, so `NOT` holds: "not in production" also grants access to ' +
    'everything that is not tagged yet, such as new resources. Name the intended values, or also require the tag with ' +
    '`resource.Tag(…).STARTS_WITH` and an empty string. In a policy that denies, this is the safe choice and not reported.',
  needs: 'condition',
  *policy(policy, context) {
    const { condition } = policy
    if (!condition || !isSettled(policy, context) || !mayGrant(policy, context.world)) return
    const negated = negatedTags(condition)
    if (negated.size === 0) return
    const statements = statementsOfVariant({ ...anything(policy), resources: policy.resources }, context) ?? []
    for (const [key, place] of negated) {
      if (areAllTagged(policy, key, context.world)) continue
      if (!statements.some(({ formula }) => satisfiable(context, [formula, absent(key)]) === true)) continue
      yield {
        span: place.span,
        message: `resources without a tag ${quote(key)} also meet this condition`,
        help: `name the intended values, or also require the tag: \`resource.Tag(${key}).STARTS_WITH\` with an empty string`,
      }
    }
  },
}

/** The tags that are compared under an odd number of `NOT`s, with their first place. */
function negatedTags(condition: Condition): ReadonlyMap<string, Located<string>> {
  const out = new Map<string, Located<string>>()
  const visit = (part: Condition, negated: boolean): void => {
    if (part.kind === 'match') {
      const { kind, parameter } = part.test.subject
      if (negated && kind === 'tag' && !out.has(parameter)) out.set(parameter, part.key)
    } else if (part.kind !== 'opaque') for (const operand of part.operands) visit(operand, negated !== (part.kind === 'not'))
  }
  visit(condition, false)
  return out
}

/** The tag is absent: no value starts with the empty string. */
function absent(key: string): Formula {
  return negation(comparison(stringTest({ kind: 'tag', parameter: key }, 'STARTS_WITH', [''])))
}

/** Whether every resource of the policy is known by name, and known to have the tag. */
function areAllTagged({ resources }: Policy, key: string, world: World): boolean {
  return resources.every(({ value }) => value.kind === 'resource' && world.resources.get(value.text)?.tags?.has(key) === true)
}
