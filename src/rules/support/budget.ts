import type { RuleContext } from '../rule.ts'

const nothingSpent = () => new Map<string, number>()

/**
 * Count steps of one kind of work in a run: false once there have been more than `most`. Past it a rule says nothing of
 * the rest, so that no file keeps lint busy for minutes; a number of steps, the same on every machine.
 */
export function spend(context: RuleContext, work: string, steps: number, most: number): boolean {
  const counts = context.once(nothingSpent)
  const total = (counts.get(work) ?? 0) + steps
  counts.set(work, total)
  return total <= most
}

/** How many names a rule may look for likely ones in one run. */
export const mostSuggestions = 200
