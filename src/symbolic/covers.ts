import { type Budget, unlessUndecided } from '../budget.ts'
import { keyOf } from '../keys.ts'
import { boxText } from './boxes.ts'
import { type Formula, isAlways } from './formula.ts'
import { literal } from './patterns.ts'
import {
  type Caller,
  callerOf,
  callerText,
  callerWith,
  coversRegion,
  defaultBudget,
  excludes,
  legalActions,
  mayAssume,
  type NewAccess,
  type Requests,
  Search,
  withFormula,
} from './search.ts'
import { indexOf, type Side } from './side.ts'
import type { Statement } from './statements.ts'

/** Whether one side grants all that another does, or that some statements do (docs/analysis.md, Inclusion). */
export type Outcome =
  | { readonly kind: 'none' }
  /** Possible new access is given only where there is no certain one. */
  | { readonly kind: 'new'; readonly newAccess: NewAccess }
  | { readonly kind: 'undecided'; readonly culprits: readonly string[] }

/** Whether a side grants all that some statements do, where what it denies is denied to them as well. */
export function covers(side: Side, statements: readonly Statement[], budget: number = defaultBudget, run?: Budget): Outcome {
  return firstNewAccess({ ...side, allows: indexOf(statements) }, side, { of: statements, budget, ...(run && { run }) })
}

/**
 * Whether `a` grants something that `b` does not: nothing (a proof over all identities, actions, resources and
 * contexts), one example of it, or undecided within the budget. `of`: only what these statements of `a` grant.
 */
export function firstNewAccess(
  a: Side,
  b: Side,
  { of, budget = defaultBudget, run }: { readonly of?: readonly Statement[]; readonly budget?: number; readonly run?: Budget } = {},
): Outcome {
  const search = (): Outcome => {
    // Certain new access comes first; access that depends on facts that cannot be known only where there is none.
    for (const assume of mayAssume(a, b) ? [false, true] : [false]) {
      const search = new Search(a, b, budget, assume, undefined, run)
      for (const statement of of ?? a.allows.statements) {
        run?.spend(statement.identities.length, () => [statement.policy.name.value])
        for (const newAccess of newAccessIn(statement, search)) return { kind: 'new', newAccess }
      }
    }
    return { kind: 'none' }
  }
  return unlessUndecided(search, (culprits): Outcome => ({ kind: 'undecided', culprits }))
}

/** The access that one statement of the first side grants and the second side does not: one result for each starting region. */
function* newAccessIn(statement: Statement, search: Search): Iterable<NewAccess> {
  const { a, b } = search
  // A grant that both sides have is new only where the second side denies more, or sees other groups.
  const unchanged = b.allows.has(statement.key)
  if (unchanged && search.opening.length === 0 && search.changed.size === 0) return
  search.seen.clear()
  const formulas = withFormula([], statement.formula)
  const actions = statement.actions.flatMap(({ value }) => legalActions(value))
  const regions = (caller: Caller) =>
    actions.flatMap((action) => statement.boxes.map((box): Requests => ({ caller, box, action, formulas })))
  const whole = function* (caller: Caller) {
    for (const region of regions(caller)) {
      const wholeRegion = explore(region, statement, search, [])
      if (wholeRegion) yield wholeRegion
    }
  }
  const denied = function* (caller: Caller, denies: readonly Statement[]) {
    if (denies.length === 0) return
    for (const region of regions(caller)) {
      for (const deny of denies) {
        for (const part of search.partsDeniedBy(deny, region)) {
          const newAccess = explore(part, statement, search, [])
          if (newAccess) yield newAccess
        }
      }
    }
  }

  for (const { value } of statement.identities) {
    const caller = callerOf(value, a, b)
    if (unchanged) yield* denied(caller, search.opening)
    else yield* whole(caller)
  }
  for (const caller of search.changedOf.get(statement) ?? []) yield* whole(caller)
  for (const [urn, { brought }] of search.changed) {
    if (brought.length === 0) continue
    for (const { value } of statement.identities) {
      if (value.kind === 'group') yield* denied(callerWith(literal(urn), [value.glob], a, b), brought)
    }
  }
}

/** Look for a request of the region that the statement of the first side grants, and that the second side does not. */
function explore(region: Requests, statement: Statement, search: Search, path: readonly string[]): NewAccess | undefined {
  if (excludes(statement, region)) return undefined
  if (path.length > 0) {
    const { caller, action, box, formulas } = region
    const key = keyOf(callerText(caller), action.text, boxText(box), search.numbersOf(formulas))
    if (search.seen.has(key)) return undefined
    search.seen.add(key)
    search.step(path)
  }
  const { caller } = region
  const denies: Statement[] = []
  let formulas = region.formulas
  for (const deny of search.applying(search.a.denies, region, caller.here)) {
    // Denied always: only what this one leaves out may still be granted.
    if (isAlways(deny.formula)) return exploreExclusions([deny], region, statement, search, path)
    denies.push(deny)
    formulas = withFormula(formulas, search.negation(deny.formula))
  }
  const access = search.solve(formulas) && atPoint({ ...region, formulas }, statement, search, path)
  // Where a deny of the first side leaves something out, more may be granted than at the point.
  return access ?? exploreExclusions(denies, region, statement, search, path)
}

/** The same for a region whose point the first side grants, in the contexts that the formulas leave. */
function atPoint(region: Requests, statement: Statement, search: Search, path: readonly string[]): NewAccess | undefined {
  const { b } = search
  const members = region.caller.there
  for (const deny of search.applying(b.denies, region, members)) {
    const formulas = withFormula(region.formulas, deny.formula)
    const model = search.solve(formulas)
    if (model) return search.newAccess({ ...region, formulas }, statement, model)
  }

  // The statements that leave no context at the point: one without a condition, or as many with one as it takes.
  const grants: Statement[] = []
  let whole: Statement | undefined
  for (const allow of search.applying(b.allows, region, members)) {
    grants.push(allow)
    if (isAlways(allow.formula) && (!whole || allow.exclusions.length < whole.exclusions.length)) whole = allow
    if (whole?.exclusions.length === 0) break
  }
  const closing: { readonly grant: Statement; readonly formulas: readonly Formula[] }[] = []
  if (whole) closing.push({ grant: whole, formulas: region.formulas })
  else {
    let formulas = region.formulas
    let model = search.solve(formulas)
    for (const grant of grants) {
      if (!model) break
      closing.push({ grant, formulas })
      formulas = withFormula(formulas, search.negation(grant.formula))
      model = search.solve(formulas)
    }
    if (model) return search.newAccess({ ...region, formulas }, statement, model)
  }

  // Elsewhere in the region one of these must leave it out: the first that does, so that those before it fail to hold.
  for (const { grant, formulas } of closing) {
    const inExclusions = exploreExclusions([grant], { ...region, formulas }, statement, search, path)
    if (inExclusions) return inExclusions
  }
  // Or the second side denies it.
  for (const deny of search.openingFor(region.caller)) {
    if (coversRegion(deny, region, members, search.prepared)) continue
    for (const part of search.partsDeniedBy(deny, region)) {
      const newAccess = explore(part, statement, search, [...path, deny.policy.name.value])
      if (newAccess) return newAccess
    }
  }
  return undefined
}

/** The parts of a region that one of the statements leaves out. */
function exploreExclusions(
  statements: readonly Statement[],
  region: Requests,
  statement: Statement,
  search: Search,
  path: readonly string[],
): NewAccess | undefined {
  for (const each of statements) {
    for (const { part, by } of search.partsLeftOutBy(each, region)) {
      const newAccess = explore(part, statement, search, [...path, by])
      if (newAccess) return newAccess
    }
  }
  return undefined
}
