import { overlaps } from '../glob.ts'
import { type Formula, isAlways, type Model } from './formula.ts'
import { literal, meet, Undecided } from './patterns.ts'
import {
  type Caller,
  callerOf,
  callerWith,
  coversRegion,
  defaultBudget,
  excludes,
  type Gain,
  keyOf,
  legalActions,
  mayAssume,
  mostSplits,
  narrow,
  newSearch,
  partOf,
  partsDeniedBy,
  type Requests,
  type Search,
  solve,
  withFormula,
} from './search.ts'
import { indexOf, type Side } from './side.ts'
import type { Statement } from './statements.ts'

/** Whether one side grants all that another does, or that some statements do (docs/analysis.md, Inclusion). */
export type Outcome =
  | { readonly kind: 'none' }
  /** A possible gain is given only where no certain one exists. */
  | { readonly kind: 'new'; readonly gain: Gain }
  | { readonly kind: 'undecided'; readonly culprits: readonly string[] }

/** Whether a side grants all that some statements do, where what it denies is denied to them as well. */
export function covers(side: Side, statements: readonly Statement[], budget: number = defaultBudget): Outcome {
  return firstGain({ ...side, allows: indexOf(statements) }, side, { of: statements, budget })
}

/**
 * Whether `a` grants something that `b` does not: nothing (a proof over all identities, actions, resources and
 * contexts), one example of it, or undecided within the budget. `of`: only what these statements of `a` grant.
 */
export function firstGain(
  a: Side,
  b: Side,
  { of, budget = defaultBudget }: { readonly of?: readonly Statement[]; readonly budget?: number } = {},
): Outcome {
  try {
    // What is granted in any case comes first, and what hangs on facts that cannot be known only where there is none.
    for (const assume of mayAssume(a, b) ? [false, true] : [false]) {
      const search = newSearch(a, b, budget, assume)
      for (const statement of of ?? a.allows.statements) for (const gain of gainsOf(statement, search)) return { kind: 'new', gain }
    }
    return { kind: 'none' }
  } catch (error) {
    if (error instanceof Undecided) return { kind: 'undecided', culprits: error.culprits }
    throw error
  }
}

/** What one statement of the first side grants and the second side does not: one gain for each starting region. */
function* gainsOf(statement: Statement, search: Search): Iterable<Gain> {
  const { a, b } = search
  search.seen.clear()
  const formulas = withFormula([], statement.formula)
  const actions = statement.actions.flatMap(({ value }) => legalActions(value))
  const regions = (caller: Caller) =>
    actions.flatMap((action) => statement.boxes.map((box): Requests => ({ caller, box, action, formulas })))
  const gain = ({ region, model }: Found): Gain => ({
    region,
    statement,
    model,
    certain: model.assumed.size === 0,
    between: search.between,
  })
  const whole = function* (caller: Caller) {
    for (const region of regions(caller)) {
      const found = explore(region, statement, search, [])
      if (found) yield gain(found)
    }
  }
  const denied = function* (caller: Caller, denies: readonly Statement[]) {
    if (denies.length === 0) return
    for (const region of regions(caller)) {
      for (const deny of denies) {
        for (const part of partsDeniedBy(deny, region, search)) {
          const found = explore(part, statement, search, [])
          if (found) yield gain(found)
        }
      }
    }
  }

  // A grant that both sides have is new only where the second side denies more, or sees other groups.
  const unchanged = b.allows.has(statement.key)
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

interface Found {
  readonly region: Requests
  readonly model: Model
}

/** Look for a request of the region that the statement of the first side grants, and that the second side does not. */
function explore(region: Requests, statement: Statement, search: Search, path: readonly string[]): Found | undefined {
  if (excludes(statement, region)) return undefined
  if (path.length > 0) {
    const key = keyOf(region, search)
    if (search.seen.has(key)) return undefined
    search.seen.add(key)
    if (--search.steps.left < 0 || path.length > mostSplits) throw new Undecided([...new Set(path)].slice(-8))
  }
  const { caller } = region
  const denies: Statement[] = []
  let formulas = region.formulas
  for (const deny of search.a.denies.about(caller.here)) {
    if (!coversRegion(deny, region, caller.here) || excludes(deny, region)) continue
    // Denied always: only what this one leaves out may still be granted.
    if (isAlways(deny.formula)) return exploreExclusions([deny], region, statement, search, path)
    denies.push(deny)
    formulas = withFormula(formulas, search.negation(deny.formula))
  }
  const found = solve(formulas, search) && atPoint({ ...region, formulas }, statement, search, path)
  // Where a deny of the first side leaves something out, more may be granted than at the point.
  return found ?? exploreExclusions(denies, region, statement, search, path)
}

/** The same for a region whose point the first side grants, in the contexts that the formulas leave. */
function atPoint(region: Requests, statement: Statement, search: Search, path: readonly string[]): Found | undefined {
  const { b } = search
  const members = region.caller.there
  for (const deny of b.denies.about(members)) {
    if (!coversRegion(deny, region, members) || excludes(deny, region)) continue
    const formulas = withFormula(region.formulas, deny.formula)
    const model = solve(formulas, search)
    if (model) return { region: { ...region, formulas }, model }
  }

  // The statements that leave no context at the point: one without a condition, or as many with one as it takes.
  const grants: Statement[] = []
  let whole: Statement | undefined
  for (const allow of b.allows.about(members)) {
    if (!coversRegion(allow, region, members) || excludes(allow, region)) continue
    grants.push(allow)
    if (isAlways(allow.formula) && (!whole || allow.exclusions.length < whole.exclusions.length)) whole = allow
    if (whole?.exclusions.length === 0) break
  }
  const closing: { readonly grant: Statement; readonly formulas: readonly Formula[] }[] = []
  if (whole) closing.push({ grant: whole, formulas: region.formulas })
  else {
    let formulas = region.formulas
    let model = solve(formulas, search)
    for (const grant of grants) {
      if (!model) break
      closing.push({ grant, formulas })
      formulas = withFormula(formulas, search.negation(grant.formula))
      model = solve(formulas, search)
    }
    if (model) return { region: { ...region, formulas }, model }
  }

  // Elsewhere in the region one of these must leave it out: the first that does, so that those before it fail to hold.
  for (const { grant, formulas } of closing) {
    const found = exploreExclusions([grant], { ...region, formulas }, statement, search, path)
    if (found) return found
  }
  // Or the second side denies it.
  const self = region.caller.self?.text
  for (const deny of (self !== undefined && search.changed.get(self)?.opening) || search.opening) {
    if (coversRegion(deny, region, members)) continue
    for (const part of partsDeniedBy(deny, region, search)) {
      const found = explore(part, statement, search, [...path, deny.policy.name.value])
      if (found) return found
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
): Found | undefined {
  for (const { exclusions } of statements) {
    for (const { dimension, pattern } of exclusions) {
      if (!overlaps(partOf(region, dimension), pattern)) continue
      const parts = meet(partOf(region, dimension), pattern, search.steps)
      for (const part of dimension === 'action' ? parts.flatMap(legalActions) : parts) {
        const found = explore(narrow(region, dimension, part), statement, search, [...path, pattern.text])
        if (found) return found
      }
    }
  }
  return undefined
}
