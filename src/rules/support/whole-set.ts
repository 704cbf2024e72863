import { unlessUndecided } from '../../budget.ts'
import { isOfTime } from '../../conditions/test.ts'
import { hasInnerWildcard, overlaps } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import { overlapsBox } from '../../symbolic/boxes.ts'
import { covers } from '../../symbolic/covers.ts'
import { atomsOf, type Formula, isAlways } from '../../symbolic/formula.ts'
import { isOddResource } from '../../symbolic/published.ts'
import { callerWith, coversRegion, excludes, type Requests } from '../../symbolic/search.ts'
import { type Index, indexOf, type Side } from '../../symbolic/side.ts'
import { isAllow, isDeny, meetStatements, type Statement, statementsOf } from '../../symbolic/statements.ts'
import type { IdentityUrn } from '../../urn/identity.ts'
import type { RuleContext } from '../rule.ts'
import { listNames } from './lists.ts'
import { satisfiable } from './satisfiable.ts'
import { countWritten } from './written.ts'

/**
 * All policies together, for rules about what one of them adds to the others. Inclusion is decided exactly by
 * `covers` (docs/analysis.md, The whole set); before it comes a cheap test that is necessary for it, so that it is asked only about the few policies
 * that may be included, and only with the statements that may include them.
 *
 * Only what is certain counts: a policy with an entry that could not be read, or with a wildcard whose meaning is not
 * published, neither is judged nor covers another.
 */
export interface WholeSet {
  readonly allows: Index
  readonly denies: Index
  /**
   * The statements of each policy that can apply at all. Not of policies that say
   * something of unpublished meaning: of these, what is certain counts for others, but they are not judged.
   */
  readonly own: ReadonlyMap<Policy, Own>
  readonly side: Side
  /** How many comparisons and searches are left; when they are spent, nothing more is said. */
  comparisons: number
  clockSearches: number
}

export interface Own {
  readonly allows: readonly Statement[]
  readonly denies: readonly Statement[]
}

const mostComparisons = 20_000_000
/** Searches with conditions about the clock, each of which takes a tenth of a second. */
const mostClockSearches = 40
/** How many regions one question about a policy may take. */
const mostRegions = 20_000

/** The whole set, made once; undefined when it takes too much to take apart. */
export function wholeSet(context: RuleContext): WholeSet | undefined {
  return context.once(make)
}

function make(context: RuleContext): WholeSet | undefined {
  const side = unlessUndecided(context.side, () => undefined)
  if (!side) return undefined
  const every = [...side.allows.statements, ...side.denies.statements]
  const usable = every.filter((statement) => isSettled(statement.policy, context) && isPublished(statement) && canApply(statement, context))
  const statementsByPolicy = new Map(
    context.world.policies.map((policy) => [policy, { allows: [] as Statement[], denies: [] as Statement[] }]),
  )
  for (const statement of usable) statementsByPolicy.get(statement.policy)?.[isAllow(statement) ? 'allows' : 'denies'].push(statement)
  for (const statement of every) if (!isPublished(statement)) statementsByPolicy.delete(statement.policy)
  return {
    allows: indexOf(usable.filter(isAllow)),
    denies: indexOf(usable.filter(isDeny)),
    own: statementsByPolicy,
    side,
    comparisons: mostComparisons,
    clockSearches: mostClockSearches,
  }
}

/** Whether every entry of a policy was understood, and no resource of it holds a wildcard of unpublished meaning. */
export function isSettled(policy: Policy, { keep }: Pick<RuleContext, 'keep'>): boolean {
  return keep(isUnderstood, policy)
}

function isUnderstood({ node, identities, resources, permissions, permissionsGroups }: Policy): boolean {
  return (
    identities.length === countWritten(node, 'identities') &&
    resources.length === countWritten(node, 'resources') &&
    permissionsGroups.length === countWritten(node, 'permissionsGroups') &&
    listNames.every((list) => permissions[list].length === countWritten(node, 'permissions', list)) &&
    !resources.some(isOddResource)
  )
}

function isPublished({ actions, exclusions }: Statement): boolean {
  return (
    actions.every(({ value }) => !hasInnerWildcard(value)) &&
    exclusions.every(({ dimension, pattern }) => dimension !== 'action' || !hasInnerWildcard(pattern))
  )
}

/** Whether there is a request that the statement is about. */
export function canApply(statement: Statement, context: RuleContext): boolean {
  const { identities, boxes, actions } = statement
  if (identities.length === 0) return false
  const isOpen = boxes.some((box) => actions.some(({ value }) => !excludes(statement, { box, action: value })))
  return isOpen && satisfiable(context, [statement.formula]) !== false
}

/** The statements of a policy with another condition, other resources or none, that can apply. */
export function statementsOfVariant(policy: Policy, context: RuleContext): readonly Statement[] | undefined {
  return unlessUndecided(
    () => statementsOf({ ...context.world, policies: [policy] }).filter((statement) => canApply(statement, context)),
    () => undefined,
  )
}

/** The members that a statement's identity matches: itself, and the groups that the world gives it. */
export function membersOf(identity: IdentityUrn, { side }: WholeSet): Requests['caller']['here'] {
  return callerWith(identity.glob, [], side, side).here
}

/** The requests of a statement: each of its identities on each resource for each action. */
function* regionsOf(statement: Statement, { side }: WholeSet): Iterable<Requests> {
  for (const { value } of statement.identities) {
    const caller = callerWith(value.glob, [], side, side)
    for (const box of statement.boxes) {
      for (const { value: action } of statement.actions)
        if (!excludes(statement, { box, action })) yield { caller, box, action, formulas: [] }
    }
  }
}

/** A statement of the index that covers the point of a region, its formula left aside. */
function coveringPoint(region: Requests, { by, skip }: Pick<Cover, 'by' | 'skip'>, set: WholeSet): Statement | undefined {
  const { here } = region.caller
  for (const statement of by.about(here)) {
    if (set.comparisons < 0) return undefined
    if (skip(statement)) continue
    set.comparisons--
    if (coversRegion(statement, region, here) && !excludes(statement, region)) return statement
  }
  return undefined
}

/** Statements that may cover others: grants, without those denied (where `denies` are given, what they deny need not be covered). */
export interface Cover {
  readonly by: Index
  readonly denies?: Index
  readonly skip: (statement: Statement) => boolean
}

/**
 * The policies that together cover the statements, as few as are easily found; undefined when something is not covered
 * or when it cannot be decided. Sound: what is said to be covered is.
 */
export function coveredBy(statements: readonly Statement[], cover: Cover, set: WholeSet): readonly Policy[] | undefined {
  const first = new Set<Policy>()
  for (const statement of statements) {
    for (const region of regionsOf(statement, set)) {
      const coveringStatement =
        coveringPoint(region, cover, set) ?? (cover.denies && coveringPoint(region, { ...cover, by: cover.denies }, set))
      if (!coveringStatement) return undefined
      first.add(coveringStatement.policy)
    }
  }
  if (first.size === 0) return undefined
  const allows = nearby(statements, cover.by, set, cover.skip)
  const denies = cover.denies ? nearby(statements, cover.denies, set, cover.skip) : []
  if (!isIncluded(statements, allows, denies, set)) return undefined
  const withDenies = denies.length > 0 && !isIncluded(statements, allows, [], set)
  return fewest(statements, allows, withDenies ? denies : [], first, set)
}

/** Whether the statements grant nothing that `by` does not, over what `denies` leave. False when undecided. */
function isIncluded(statements: readonly Statement[], by: readonly Statement[], denies: readonly Statement[], set: WholeSet): boolean {
  if ([...statements, ...by, ...denies].some(({ formula }) => looksAtClock(formula)) && set.clockSearches-- <= 0) return false
  const outcome = covers({ ...set.side, allows: indexOf(by), denies: indexOf(denies) }, statements, mostRegions)
  return outcome.kind === 'none'
}

/** Whether denies certainly leave something open of what a statement is about. */
export function isLeftOpen(statement: Statement, set: WholeSet): boolean {
  const by = nearby([statement], set.side.denies, set, () => false)
  if (set.comparisons < 0 || ([statement, ...by].some(({ formula }) => looksAtClock(formula)) && set.clockSearches-- <= 0)) return false
  const outcome = covers({ ...set.side, allows: indexOf(by), denies: indexOf([]) }, [statement], mostRegions)
  return outcome.kind === 'new' && outcome.newAccess.certain
}

function looksAtClock(formula: Formula): boolean {
  for (const atom of atomsOf(formula)) if (atom.kind === 'test' && isOfTime(atom.test)) return true
  return false
}

/** The statements of an index that share an identity and a subject with the given ones. */
export function nearby(
  statements: readonly Statement[],
  index: Index,
  set: WholeSet,
  skip: (statement: Statement) => boolean,
): readonly Statement[] {
  const members = statements.flatMap(({ identities }) => identities.flatMap(({ value }) => membersOf(value, set)))
  const nearStatements = new Set<Statement>()
  for (const statement of index.about(members)) {
    if (set.comparisons-- < 0) return []
    if (!skip(statement) && statements.some((one) => haveSameSubject(statement, one))) nearStatements.add(statement)
  }
  return [...nearStatements]
}

export function haveSameSubject(a: Statement, b: Statement): boolean {
  return (
    a.boxes.some((x) => b.boxes.some((y) => overlapsBox(x, y))) && a.actions.some((x) => b.actions.some((y) => overlaps(x.value, y.value)))
  )
}

/** How many policies are tried one by one, and among how many those not needed are looked for. */
const mostTried = 4

/** One policy that is enough, or those that are left when what is not needed is taken out. */
function fewest(
  statements: readonly Statement[],
  allows: readonly Statement[],
  denies: readonly Statement[],
  first: ReadonlySet<Policy>,
  set: WholeSet,
): readonly Policy[] {
  const enough = (policies: ReadonlySet<Policy>) => {
    const of = (list: readonly Statement[]) => list.filter(({ policy }) => policies.has(policy))
    return isIncluded(statements, of(allows), of(denies), set)
  }
  const every = [...new Set([...allows, ...denies].map(({ policy }) => policy))]
  if (every.length === 1) return every
  const single = [...first].slice(0, mostTried).find((policy) => enough(new Set([policy])))
  if (single) return [single]
  const needed = new Set(every.length > first.size && enough(first) ? first : every)
  if (needed.size <= mostTried) {
    for (const policy of [...needed].reverse()) {
      needed.delete(policy)
      if (!enough(needed)) needed.add(policy)
    }
  }
  return every.filter((policy) => needed.has(policy))
}

/** Whether a statement is about everything: an identity is deliberately locked out, or let in. */
export function isAboutEverything({ actions, boxes, exclusions, formula }: Statement): boolean {
  return (
    exclusions.length === 0 &&
    isAlways(formula) &&
    actions.some(({ value }) => value.pieces.every((piece) => piece === '')) &&
    boxes.some(({ type, name }) => type.text === '*' && name.text === '*')
  )
}

/** The intersection of two statements, as a statement of the first; undefined when it is empty. */
export function meeting(a: Statement, b: Statement): Statement | undefined {
  const identities = a.identities.filter(({ value }) => b.identities.some((other) => overlaps(value.glob, other.value.glob)))
  if (identities.length === 0 || !haveSameSubject(a, b)) return undefined
  return unlessUndecided(
    () => ({ ...a, ...meetStatements(a, b), identities, key: '' }),
    () => undefined,
  )
}
