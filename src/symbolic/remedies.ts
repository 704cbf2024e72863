import type { Test } from '../conditions/test.ts'
import type { Policy, World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import { nothingAssumed, testHolds } from '../simulate/facts.ts'
import { allOf, always, type Formula, formulaOf, settled, until } from './formula.ts'

type Kind = Test['subject']['kind']

/** Facts that can differ from one request to the next, the most likely first; and all of them. */
const changeable: readonly (readonly Kind[] | undefined)[] = [['date', 'hour', 'weekday'], ['ip'], ['tag'], ['name', 'type'], undefined]

/** The differences that would make policies apply, in words. */
export type Remedies = ReadonlyMap<Policy, string>

/** The conditions under which a failing condition of a policy would hold: by the facts that would have to differ, of one kind or of all. */
export function remediesOfCondition({ condition, expiresAt }: Policy, world: World, question: Question) {
  if (!condition) return []
  const formula = formulaOf(condition)
  const expiry = expiresAt ? until(expiresAt.value) : always
  return changeable.map((kinds): { readonly kinds: readonly Kind[] | undefined; readonly rest: Formula } => {
    const rest = settled(formula, (test) =>
      kinds === undefined || kinds.includes(test.subject.kind) ? undefined : testHolds(test, world, question, nothingAssumed),
    )
    // At other times it may have expired.
    return { kinds, rest: kinds === undefined || kinds.includes('date') ? allOf([rest, expiry]) : rest }
  })
}
