import { Budget, notSearched, withinBudget } from '../budget.ts'
import { groupedBy, madeIn, pushTo } from '../collections.ts'
import { isPattern } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import { typeAndName } from '../urn/resource.ts'
import {
  type Cell,
  Described,
  type EquivalentActions,
  type KnownNames,
  namesIn,
  policiesOf,
  type RequestContext,
  whenGranted,
} from './described.ts'
import { type AccessRow, distinct, mergeRows } from './described-access.ts'
import { allOf, always, anyOf, type Formula, noneOf, printFormula } from './formula.ts'
import { approximateReason, Judge } from './known.ts'
import type { Region } from './regions.ts'
import { simplified } from './simplify.ts'

/** Access that several policies grant, each without the others: of described identities and resources, and actions of the catalogue. */
export interface Overlap {
  /** Rows of combinations, with the entries of each policy that grants them; at the times of the condition all of the policies do. */
  readonly rows: readonly AccessRow[]
  /** Policies of which everything that they grant of it is granted by others at the same times as well. */
  readonly covered: readonly Covered[]
  readonly reasons: readonly string[]
  /** Some pairs were not looked at: nothing is said to be covered. */
  readonly isCut: boolean
}

export interface Covered {
  readonly policy: Policy
  /** The others that grant some of it, in the order of the world. */
  readonly by: readonly Policy[]
}

export interface OverlapOptions {
  /** The catalogue actions about a resource type. */
  readonly actionsOf: (type: string) => readonly string[]
  readonly isKnown: (action: string) => boolean
  readonly given?: RequestContext
  /** The instants that count; all when not given. */
  readonly time?: Formula
  readonly run?: Budget
}

/** The part of a cell that some policies grant. */
interface Part {
  readonly actions: readonly string[]
  readonly row: Omit<AccessRow, 'identities' | 'actions' | 'resources'>
}

/** The result for a cell: rows, and for each policy that grants some of it the others that do, or none where these leave some of it. */
interface Found {
  readonly parts: readonly Part[]
  readonly others: ReadonlyMap<Policy, ReadonlySet<Policy> | undefined>
}

/** Which policies grant the same to whom. */
export function overlapOf(world: World, things: KnownNames, options: OverlapOptions): Overlap {
  const { given, time = always, run = new Budget() } = options
  const described = new Described([world], things, given, undefined, run)
  const search = new Search(described, new Judge(time, run), time, withUnlistedActions(world, options))
  const covers = new Map<Policy, Set<Policy> | undefined>()
  /** Those that `covers` has: what is found for one pair holds for all that are alike. */
  const counted = new Set<Found>()
  const examined = withinBudget(
    described.identities,
    run,
    (who) => {
      const resourcesOf = new Map<Part, (readonly string[])[]>()
      for (const on of described.resources) {
        const cell = described.cell(0, who, on)
        // The owner's access needs no policies.
        if (cell.isRoot || cell.allows.length === 0) continue
        run.spend(stepsOfPair, () => policiesOf(cell))
        const result = search.of(cell, typeAndName(on.names[0] as string).type)
        for (const part of result.parts) pushTo(resourcesOf, part, on.names)
        if (counted.has(result)) continue
        counted.add(result)
        for (const [policy, coveringPolicies] of result.others) addCover(covers, policy, coveringPolicies)
      }
      return Array.from(resourcesOf, ([part, lists]) => rowOfPart(part, who.names, lists))
    },
    ({ policies }) => (policies[0] ?? []).map((number) => (world.policies[number] as Policy).name.value),
  )
  const isCut = examined.left.length > 0
  const reasons = [
    ...notSearched(namesIn(examined, described.identities), 'identities'),
    ...(search.judge.isApproximate ? [approximateReason] : []),
  ]
  const isExact = reasons.length === 0
  return {
    rows: mergeRows(examined.found.flat()),
    covered: world.policies.flatMap((policy) => {
      const by = covers.get(policy)
      return isExact && by ? [{ policy, by: world.policies.filter((each) => by.has(each)) }] : []
    }),
    reasons,
    isCut,
  }
}

const stepsOfPair = 16

/** The row of all pairs of one identity with the same result. Made for each pair, the rows of an account would not fit into memory. */
function rowOfPart({ actions, row }: Part, identities: readonly string[], lists: readonly (readonly string[])[]): AccessRow {
  const [first] = lists as [readonly string[]]
  return lists.length === 1
    ? { identities, actions, resources: first, ...row }
    : { identities, actions, resources: lists.flat().sort(), ...row, clauses: distinct(row.clauses) }
}

function addCover(covers: Map<Policy, Set<Policy> | undefined>, policy: Policy, others: ReadonlySet<Policy> | undefined): void {
  const knownCover = covers.get(policy)
  if (covers.has(policy) && !knownCover) return
  // A set in the map is in no other one: found sets are shared by the cells that are alike.
  if (knownCover && others) for (const each of others) knownCover.add(each)
  else covers.set(policy, others && new Set(others))
}

/** The actions about a type, and those that policies name and the catalogue does not have: these count for each type. */
function withUnlistedActions({ policies, permissionsGroups }: World, { actionsOf, isKnown }: OverlapOptions): OverlapOptions['actionsOf'] {
  const sets = [...policies, ...permissionsGroups.values()].map(({ permissions }) => permissions)
  const named = sets.flatMap(({ allow, deny }) => [...allow, ...deny]).filter(({ value }) => !isPattern(value) && !isKnown(value.text))
  const unknown = [...new Set(named.map(({ value }) => value.text))].sort()
  const actionsByPattern = new Map<string, readonly string[]>()
  const all = (type: string) => {
    const own = actionsOf(type)
    // One list for all types of which the catalogue has no action: what is found about a list is found once.
    return own.length === 0 ? unknown : [...own, ...unknown]
  }
  return (type) => madeIn(actionsByPattern, type, all)
}

class Search {
  readonly judge: Judge
  private readonly described: Described
  private readonly time: Formula
  private readonly actionsOf: OverlapOptions['actionsOf']
  private readonly cached = new Map<Cell, Map<string, Found>>()

  constructor(described: Described, judge: Judge, time: Formula, actionsOf: OverlapOptions['actionsOf']) {
    this.described = described
    this.judge = judge
    this.time = time
    this.actionsOf = actionsOf
  }

  /** The result for a cell: the same object for pairs that are alike. */
  of(cell: Cell, type: string): Found {
    const byType = this.cached.get(cell) ?? new Map<string, Found>()
    this.cached.set(cell, byType)
    const result = byType.get(type) ?? this.find(cell, this.actionsOf(type))
    byType.set(type, result)
    return result
  }

  private find(cell: Cell, actions: readonly string[]): Found {
    const parts: Part[] = []
    const others = new Map<Policy, Set<Policy> | undefined>()
    for (const part of this.described.alikeParts(cell, actions)) {
      const granting = [...groupedBy(part.allows, ({ policy }) => policy)].flatMap(([policy, regions]): Grant[] => {
        const formula = whenGranted({ allows: regions, denies: part.denies })
        return this.judge.certainty(formula) === 'never' ? [] : [{ policy, regions, formula }]
      })
      for (const grant of granting) addCover(others, grant.policy, this.coverOf(grant, granting))
      for (const set of this.setsOf(granting)) parts.push({ actions: part.actions, row: this.rowOf(set, part) })
    }
    return { parts, others }
  }

  /** The other policies that grant something of it at some of its times; undefined where they leave out some of them. */
  private coverOf({ policy, formula }: Grant, granting: readonly Grant[]): ReadonlySet<Policy> | undefined {
    const others = granting.filter((other) => other.policy !== policy && this.judge.certainty(allOf([formula, other.formula])) !== 'never')
    const left = allOf([formula, noneOf(anyOf(others.map((other) => other.formula)))])
    return others.length > 0 && this.judge.certainty(left) === 'never' ? new Set(others.map((other) => other.policy)) : undefined
  }

  /**
   * Policies that grant it together: those that do at the same times, and each two kinds of these that have some times in common. So every
   * two policies are in a set at each time at which both grant it.
   */
  private setsOf(granting: readonly Grant[]): readonly (readonly Grant[])[] {
    if (granting.length < 2) return []
    const byFormula = [...groupedBy(granting, ({ formula }) => printFormula(this.judge.plain(formula, always))).values()]
    const sets = byFormula.filter(({ length }) => length > 1)
    for (const [i, some] of byFormula.entries())
      for (const others of byFormula.slice(i + 1)) {
        const together = allOf([some, others].map(([first]) => (first as Grant).formula))
        if (this.judge.certainty(together) !== 'never') sets.push([...some, ...others])
      }
    return sets
  }

  private rowOf(set: readonly Grant[], { actions }: Pick<EquivalentActions, 'actions'>): Part['row'] {
    const formula = allOf(set.map((grant) => grant.formula))
    const isSure = this.judge.isSureAtTimes(formula)
    return {
      verdict: isSure ? 'allow' : 'unknown',
      reason: isSure ? 'granted' : 'unknown',
      condition: this.judge.certainty(formula) === 'always' ? always : simplified(formula, this.time),
      missing: [],
      policies: set.map(({ policy }) => policy),
      clauses: set.flatMap(({ regions }) => regions.flatMap((region) => this.described.clausesAbout(region, actions))),
    }
  }
}

/** The part of a cell that one policy grants. */
interface Grant {
  readonly policy: Policy
  readonly regions: readonly Region[]
  /** When it does, and nothing denies it. */
  readonly formula: Formula
}
