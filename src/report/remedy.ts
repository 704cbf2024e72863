import type { Test } from '../conditions/test.ts'
import type { Policy, World } from '../policy.ts'
import type { Question, Trace } from '../simulate/decision.ts'
import { nothingAssumed, testHolds } from '../simulate/facts.ts'
import { allOf, always, type Formula, formulaOf, isNever, settled, until } from '../symbolic/formula.ts'
import { Windows } from '../symbolic/windows.ts'
import { conditionWords } from './conditions.ts'

/** The differences that would make policies apply, for those of the nearest that stop at their condition. */
export type Remedies = ReadonlyMap<Policy, string>

export function remediesOf(nearest: readonly Trace[], world: World, question: Question): Remedies {
  const stopped = nearest.filter(({ stoppedAt }) => stoppedAt === 'condition')
  const remedies = stopped.map(({ policy }) => [policy, remedyWords(policy, world, question)] as const)
  return new Map(remedies.flatMap(([policy, words]) => (words === undefined ? [] : [[policy, words]])))
}

/** Facts that can differ from one request to the next, the most likely first; and all of them. */
const changeable: readonly (readonly [kinds: readonly Test['subject']['kind'][] | undefined, verb: string])[] = [
  [['date', 'hour', 'weekday'], 'applies'],
  [['ip'], 'applies'],
  [['tag'], 'would apply where'],
  [['name', 'type'], 'would apply where'],
  [undefined, 'would apply where'],
]

/** The difference that would make a failing condition hold: of one thing if that is enough. */
function remedyWords({ condition, expiresAt }: Policy, world: World, question: Question): string | undefined {
  if (!condition) return undefined
  const formula = formulaOf(condition)
  const expiry = expiresAt ? until(expiresAt.value) : always
  const left = (kinds: readonly Test['subject']['kind'][] | undefined): Formula => {
    const rest = settled(formula, (test) =>
      kinds === undefined || kinds.includes(test.subject.kind) ? undefined : testHolds(test, world, question, nothingAssumed),
    )
    // At other times it may have expired.
    return kinds === undefined || kinds.includes('date') ? allOf([rest, expiry]) : rest
  }
  const windows = new Windows({ from: question.at })
  for (const [kinds, verb] of changeable) {
    const rest = left(kinds)
    const words = isNever(rest) ? undefined : conditionWords(rest, windows)
    if (words !== undefined && words !== 'never') return `${verb} ${words}`
  }
  return undefined
}
