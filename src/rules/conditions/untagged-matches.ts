import type { Condition, Policy, World } from '../../policy.ts'
import type { Located } from '../../source.ts'
import type { Formula } from '../../symbolic/formula.ts'
import type { Rule } from '../rule.ts'
import { mayGrant } from '../support/grants.ts'
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
  summary: 'A grant under `NOT` of a tag, which a resource without the tag meets too.',
  why:
    '`NOT` holds wherever none of its conditions does, and a comparison with a tag does not hold for a resource that lacks it. So "not in production" ' +
    'grants access to whatever nobody has tagged yet, new resources first of all. Name the values that are meant, or ask for the tag to be there ' +
    'with `resource.Tag(…).STARTS_WITH` and an empty text. In a policy that denies, the same is the careful way to write it.',
  examples: {
    bad: [
      `
conditions:
  operator: NOT
  conditions:
    - { operator: MATCH, values: { resource.Tag(env): prod } }
#                                  ^^^^^^^^^^^^^^^^^ untagged-matches`,
    ],
    good: [
      `
conditions:
  operator: AND
  conditions:
    - { operator: NOT, conditions: [{ operator: MATCH, values: { resource.Tag(env): prod } }] }
    - { operator: MATCH, values: { resource.Tag(env).STARTS_WITH: "" } }`,
      `
conditions:
  operator: NOT
  conditions: [{ operator: MATCH, values: { resource.Tag(reviewed): "yes" } }]
permissions: { deny: [{ action: "vps:*" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const { condition } = policy
      if (!condition || !isSettled(policy) || !mayGrant(policy, context.world)) return
      const negated = negatedTags(condition)
      if (negated.size === 0) return
      const statements = statementsOfVariant({ ...anything(policy), resources: policy.resources }, context) ?? []
      for (const [key, place] of negated) {
        if (areAllTagged(policy, key, context.world)) continue
        if (!statements.some(({ formula }) => satisfiable(context, [formula, absent(key)]) === true)) continue
        yield {
          span: place.span,
          message: `a resource that has no tag ${quote(key)} at all meets this condition too`,
          help: `name the values that are meant, or ask for the tag as well: \`resource.Tag(${key}).STARTS_WITH\` with an empty text`,
        }
      }
    },
  },
}

/** The tags that are compared under an odd number of `NOT`s, each where it is first. */
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

/** There is no such tag: no text starts like it. */
function absent(key: string): Formula {
  return {
    kind: 'not',
    operands: [{ kind: 'test', test: { subject: { kind: 'tag', parameter: key }, operator: 'STARTS_WITH', values: [''] } }],
  }
}

/** Whether every resource of the policy is known by name, and known to carry the tag. */
function areAllTagged({ resources }: Policy, key: string, world: World): boolean {
  return resources.every(({ value }) => value.kind === 'resource' && world.resources.get(value.text)?.tags?.has(key) === true)
}
