import type { Policy, World } from '../policy.ts'
import type { Question, Trace } from '../simulate/decision.ts'
import { isNever } from '../symbolic/formula.ts'
import { type Remedies, remediesOfCondition } from '../symbolic/remedies.ts'
import { Windows } from '../symbolic/windows.ts'
import { conditionWords } from './conditions.ts'

/** The differences that would make the policies apply that stop at their condition, in words. */
export function remediesOf(nearest: readonly Trace[], world: World, question: Question): Remedies {
  const windows = new Windows({ from: question.at })
  const stopped = nearest.filter(({ stoppedAt }) => stoppedAt === 'condition')
  const remedies = stopped.flatMap(({ policy }): readonly (readonly [Policy, string])[] => {
    for (const { kinds, rest } of remediesOfCondition(policy, world, question)) {
      const words = isNever(rest) ? undefined : conditionWords(rest, windows)
      const verb = kinds?.includes('date') || kinds?.includes('ip') ? 'applies' : 'would apply where'
      if (words !== undefined && words !== 'never') return [[policy, `${verb} ${words}`]]
    }
    return []
  })
  return new Map(remedies)
}
