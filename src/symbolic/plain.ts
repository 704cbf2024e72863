import type { Budget } from '../budget.ts'
import { covers, type Glob } from '../glob.ts'
import { lazy, type Memoize } from '../memo.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type Box, coversBox } from './boxes.ts'
import { isAlways, printFormula, satisfy } from './formula.ts'
import { type Caller, entriesIn, excludes, hasMany, legalActions } from './search.ts'
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
  const actions = statement.actions.flatMap(({ value }) => keep(legalActions, value))
  const isPossible = lazy(() => isAlways(formula) || typeof satisfy([formula], { assume: false }) === 'object')
  const culprits = () => [statement.policy.name.value]
  let outcome: 'none' | undefined = 'none'
  for (const { value } of statement.identities) {
    const { here, there } = callerOf(value)
    const candidates: Statement[] = []
    for (const other of others(there)) if (isOverSome(other, boxes) && isAboutOne(other, there, keep)) candidates.push(other)
    const guards = lazy(() => [...denies.about(here)].filter((deny) => isAboutOne(deny, here, keep)))
    for (const action of actions) {
      run.spend(1 + candidates.length, culprits)
      const able = candidates.filter((other) => hasAction(other, action, keep))
      for (const box of boxes) {
        if (statement.exclusions.length > 0 && excludes(statement, { action, box })) continue
        const by = sayingMost(able, box, statement)
        if (by === 'all') continue
        if (by === 'none' && !guards().some((deny) => isOver(deny, box) && hasAction(deny, action, keep)) && isPossible()) return 'new'
        outcome = undefined
      }
    }
  }
  return outcome
}

/** Whether one of some statements about an action is about a box, and whether it grants there all that a statement does. */
function sayingMost(able: readonly Statement[], box: Box, statement: Statement): 'all' | 'some' | 'none' {
  let most: 'some' | 'none' = 'none'
  for (const other of able) {
    if (!isOver(other, box)) continue
    if (saysAsMuch(other, statement)) return 'all'
    most = 'some'
  }
  return most
}

function isOver({ boxes }: Statement, box: Box): boolean {
  for (const wide of boxes) if (coversBox(wide, box)) return true
  return false
}

function isOverSome(by: Statement, boxes: readonly Box[]): boolean {
  for (const box of boxes) if (isOver(by, box)) return true
  return false
}

/** As `isAbout` of `search.ts`, for each pair of statements: without objects for the many that have few entries. */
function isAboutOne(by: Statement, members: readonly Glob[], keep: Memoize): boolean {
  for (const member of members) {
    if (hasMany(by)) {
      if (keep(entriesIn, by).identities.has(member)) return true
    } else for (const { value } of by.identities) if (covers(value.glob, member)) return true
  }
  return false
}

function hasAction(by: Statement, action: Glob, keep: Memoize): boolean {
  if (hasMany(by)) return keep(entriesIn, by).actions.has(action)
  for (const { value } of by.actions) if (covers(value, action)) return true
  return false
}

/** Whether a statement grants, of what its entries are about, all that another one does. */
function saysAsMuch({ exclusions, formula }: Statement, narrow: Statement): boolean {
  const isExcluded = ({ dimension, pattern }: Statement['exclusions'][number]) =>
    narrow.exclusions.some((other) => other.dimension === dimension && covers(other.pattern, pattern))
  return (isAlways(formula) || printFormula(formula) === printFormula(narrow.formula)) && exclusions.every(isExcluded)
}
