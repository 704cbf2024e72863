import { isOfTime } from '../../conditions/test.ts'
import { keyOf } from '../../keys.ts'
import { atomsOf, type Formula, isAlways, printFormula, satisfy, tooMany } from '../../symbolic/formula.ts'
import type { RuleContext } from '../rule.ts'

/** How many formulas about the clock may be found never to hold in one run: each of these searches looks at years. */
const mostClockSearches = 100
/** Formulas with more comparisons than this are not decided. */
const mostTests = 200

const memoryOf = () => ({ answers: new Map<string, boolean | undefined>(), searches: mostClockSearches })

/** Whether the formulas can all hold together; undefined when that would take too long to find out. */
export function satisfiable(context: RuleContext, formulas: readonly Formula[]): boolean | undefined {
  const parts = formulas.filter((formula) => !isAlways(formula))
  if (parts.length === 0) return true
  const memory = context.once(memoryOf)
  const key = keyOf(parts.map(printFormula))
  if (!memory.answers.has(key)) memory.answers.set(key, find(parts, memory))
  return memory.answers.get(key)
}

function find(parts: readonly Formula[], memory: ReturnType<typeof memoryOf>): boolean | undefined {
  const tests = parts.flatMap((part) => [...atomsOf(part)]).flatMap((atom) => (atom.kind === 'test' ? [atom.test] : []))
  const isTimed = tests.some(isOfTime)
  if (tests.length > mostTests || (isTimed && memory.searches <= 0)) return undefined
  const solution = satisfy(parts)
  if (isTimed && !solution) memory.searches--
  return solution === tooMany ? undefined : solution !== undefined
}
