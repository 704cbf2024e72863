import type { Budget } from '../budget.ts'
import { covers, type Glob } from '../glob.ts'
import { lazy, type Memoize } from '../memo.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type Box, coversBox } from './boxes.ts'
import { isAlways, printFormula, satisfy } from './formula.ts'
import { type Caller, entriesIn, excludes, hasMany, isAbout, legalActions } from './search.ts'
import type { Index } from './side.ts'
import type { Statement } from './statements.ts'

/** Results that questions about the same policies share, and the budget of the run. */
export interface Glances {
  readonly callerOf: (identity: IdentityUrn) => Caller
  readonly keep: Memoize
  readonly run: Budget
}

/**
 * Whether others grant all that a statement does, as far as it is plain to see (docs/analysis.md, The whole set): `none` where single ones
 * do, for each region of it; `new` where the point of one is in none of them, and in no deny. Undefined: that takes a search. `others`:
 * those that may be about some members, and about some of the resources. Throws `Undecided` where the run has no steps left.
 */
export function plainOutcome(
  statement: Statement,
  denies: Index,
  others: (members: Caller['there']) => Iterable<Statement>,
  { callerOf, keep, run }: Glances,
): 'new' | 'none' | undefined {
  const { boxes, formula } = statement
  const entriesOf = (of: Statement) => (hasMany(of) ? keep(entriesIn, of) : entriesIn(of))
  const isOver = (by: Statement, box: Box) => by.boxes.some((wide) => coversBox(wide, box))
  const has = (by: Statement, action: Glob, box: Box) => isOver(by, box) && entriesOf(by).actions.has(action)
  const actions = statement.actions.flatMap(({ value }) => keep(legalActions, value))
  const isPossible = lazy(() => isAlways(formula) || typeof satisfy([formula], { assume: false }) === 'object')
  let outcome: 'none' | undefined = 'none'
  for (const { value } of statement.identities) {
    const { here, there } = callerOf(value)
    const candidates = Array.from(others(there)).filter(
      (other) => boxes.some((box) => isOver(other, box)) && isAbout(other, there, entriesOf),
    )
    const guards = lazy(() => [...denies.about(here)].filter((deny) => isAbout(deny, here, entriesOf)))
    for (const action of actions) {
      run.spend(1 + candidates.length, () => [statement.policy.name.value])
      for (const box of boxes) {
        if (excludes(statement, { action, box })) continue
        const grants = candidates.filter((other) => has(other, action, box))
        if (grants.some((grant) => saysAsMuch(grant, statement))) continue
        if (grants.length === 0 && !guards().some((deny) => has(deny, action, box)) && isPossible()) return 'new'
        outcome = undefined
      }
    }
  }
  return outcome
}

/** Whether a statement grants, of what its entries are about, all that another one does. */
function saysAsMuch({ exclusions, formula }: Statement, narrow: Statement): boolean {
  const isExcluded = ({ dimension, pattern }: Statement['exclusions'][number]) =>
    narrow.exclusions.some((other) => other.dimension === dimension && covers(other.pattern, pattern))
  return (isAlways(formula) || printFormula(formula) === printFormula(narrow.formula)) && exclusions.every(isExcluded)
}
