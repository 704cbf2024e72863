import type { Policy } from '../../policy.ts'
import { always, conjunction, type Formula, hasOpenFacts, isAlways, negation, until } from '../../symbolic/formula.ts'
import type { Statement } from '../../symbolic/statements.ts'
import type { Rule } from '../rule.ts'
import { quote, some } from '../support/text.ts'
import { cite, isJudged } from '../support/verdicts.ts'
import { canApply, coveredBy, statementsOfVariant, wholeSet } from '../support/whole-set.ts'

export const conditionBypassed: Rule = {
  code: 'condition-bypassed',
  section: 'whole set',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  precision: 'very-high',
  summary: 'A conditional grant that other policies give without the condition.',
  why:
    'Grants add up: another policy gives the same access to the same identity without this condition, so the condition restricts ' +
    'nobody. Remove the wider grant, add the condition to it, or use a `deny`, which cannot be bypassed.',
  *policy(policy, context) {
    const { condition } = policy
    const set = condition && isJudged(policy, context) ? wholeSet(context) : undefined
    if (!condition || !set?.own.get(policy)?.allows.length) return
    const { expiresAt, ...lasting } = policy
    const life: Formula = expiresAt ? until(expiresAt.value) : always
    const statements = (statementsOfVariant(lasting, context) ?? []).filter(
      ({ effect, formula }) => effect === 'allow' && !isAlways(formula) && !hasOpenFacts(formula),
    )
    const bypassed = new Set<string>()
    const by = new Set<Policy>()
    for (const part of statements.flatMap(partsOf)) {
      const withheld = { ...part, formula: conjunction(negation(part.formula), life), key: '' }
      const covering = coveredBy([withheld], { by: set.allows, skip: (other) => other.policy === policy }, set)
      if (!covering || !canApply(withheld, context)) continue
      // Access that is denied anyway does not depend on the condition.
      if (
        [withheld, { ...part, formula: conjunction(part.formula, life), key: '' }].some((one) =>
          coveredBy([one], { by: set.side.denies, skip: () => false }, set),
        )
      )
        continue
      for (const { value } of part.actions) bypassed.add(value.text)
      for (const other of covering) by.add(other)
    }
    if (by.size === 0) return
    const names = [...by].map(({ name }) => name.value)
    yield {
      span: condition.span,
      message: `${some(names)} ${names.length === 1 ? 'grants' : 'grant'} ${some([...bypassed])} regardless of this condition`,
      help: `narrow ${names.length === 1 ? quote(names[0] as string) : 'those policies'}, or use a \`deny\` for the restriction`,
      related: cite([...by], () => 'this also grants it'),
    }
  },
}

/** A statement for each identity, resource and action. */
function partsOf(statement: Statement): readonly Statement[] {
  return statement.identities.flatMap((identity) =>
    statement.boxes.flatMap((box) =>
      statement.actions.map((action) => ({ ...statement, key: statement.key, identities: [identity], boxes: [box], actions: [action] })),
    ),
  )
}
