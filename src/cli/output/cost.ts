import type { Budget } from '../../budget.ts'
import { type Io, ioWith } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'

/** A run whose steps are printed, and what prints them. */
export interface CostedRun {
  readonly io: Io
  readonly end: () => void
}

/** Print the steps of a run behind its answer, on standard error: what is on standard output stays as it is. */
export function costed(io: Io): CostedRun {
  const { counter } = io
  if (!counter)
    throw new Refusal(
      'steps cannot be counted in this process: `--cost` needs code that is compiled to count them',
      'use the program of the npm package, without NODE_COMPILE_CACHE and --permission',
    )
  const budgets: Budget[] = []
  return {
    // All in this thread: threads share work as it comes, and each would have its own count.
    io: ioWith(io, { budgets, isSingleThread: true }),
    end() {
      const { calls, turns } = counter.steps()
      const whole = (count: number) => count.toLocaleString('en-US')
      io.stderr.write(`grantwise: cost: ${whole(calls + turns)} steps (${whole(calls)} calls, ${whole(turns)} further turns of loops)\n`)
      if (budgets.length === 0) return
      const of = budgets.reduce((sum, budget) => sum + budget.of, 0)
      const spent = budgets.reduce((sum, budget) => sum + Math.min(budget.of, budget.of - budget.left), 0)
      io.stderr.write(`grantwise: cost: ${whole(spent)} of ${whole(of)} spent of the budget of the analysis\n`)
    },
  }
}
