import { Budget } from '../budget.ts'
import { groupedBy } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Policy, World } from '../policy.ts'
import type { Clause, Question } from '../simulate/decision.ts'
import { inFileOrder } from '../simulate/reference.ts'
import { Askers } from '../symbolic/askers.ts'
import type { Beyond } from '../symbolic/beyond.ts'
import {
  type ActionsByType,
  type Cell,
  type Class,
  Described,
  groupsOf,
  isGranting,
  type Lookups,
  type RequestContext,
  whenAllowed,
} from '../symbolic/described.ts'
import { allOf, always, type Formula, type Model, tooMany } from '../symbolic/formula.ts'
import { Judge } from '../symbolic/known.ts'
import { clausesOf, type Region } from '../symbolic/regions.ts'
import { simplified } from '../symbolic/simplify.ts'
import { questionAt, withTagsOf } from '../symbolic/witness.ts'
import { typeAndName } from '../urn/resource.ts'
import { differing } from './described.ts'

/** Access that one identity has and the other has not: each action and resource of it. */
export interface CompareRow {
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  /** When it is so. */
  readonly condition: Formula
  /** False: it depends on facts that cannot be known. */
  readonly certain: boolean
  /** One question that is allowed; that of the other identity is not. */
  readonly witness: Question
  /** The policies that grant it. None: the account owns the resources. */
  readonly policies: readonly Policy[]
  /** The entries of theirs that do; none where a permissions group does of which not all is known. */
  readonly grants: readonly Clause[]
  /** The entries that deny it to the other. */
  readonly denies: readonly Clause[]
  /** The entries that grant it to the other where the condition does not hold. */
  readonly others: readonly Clause[]
}

export interface Comparison {
  /** The access of only the first, and of only the second. */
  readonly only: readonly [readonly CompareRow[], readonly CompareRow[]]
  /** Some conditions have too many combinations of facts to try them all: there may be more. */
  readonly undecided: boolean
  /** Where no action was looked at: what is not known, and may mean the one and not the other. */
  readonly open: readonly string[]
}

/** A difference that only may exist is not decided. */
export function comparisonVerdict({ only, undecided, open }: Comparison, beyond: readonly Beyond[]): 'different' | 'undecided' | 'same' {
  const rows = only.flat()
  if (rows.some(({ certain }) => certain)) return 'different'
  return rows.length > 0 || undecided || open.length > 0 || beyond.length > 0 ? 'undecided' : 'same'
}

export interface CompareOptions {
  readonly actions: ActionsByType
  /** The instants that count; all when not given. */
  readonly time?: Formula
  readonly given?: RequestContext
  /** Those of the search that it belongs to. */
  readonly lookups?: Lookups
  /** The budget of the whole run; by default a new one. */
  readonly run?: Budget
}

interface Found extends Omit<CompareRow, 'witness'> {
  readonly key: string
  readonly model: Model
}

/** The exact difference of what two identities may do on described resources with the actions of the catalogue. */
export function compareIdentities(
  world: World,
  identities: readonly [string, string],
  resources: readonly string[],
  { actions, time = always, given = {}, lookups, run = new Budget() }: CompareOptions,
): Comparison {
  const described = new Described([world], { identities, resources }, given, lookups, run)
  const classes = identities.map((name) => described.identities.find(({ names }) => names.includes(name)) as Class)
  const [first, second] = classes as [Class, Class]
  const only: [Found[], Found[]] = [[], []]
  let undecided = false
  let isLookedAt = false
  const askers = new Askers(world)
  const membersOf = (urn: string) => [urn, ...(given.groups ?? []), ...(world.identities.get(urn)?.groups ?? [])]
  const [one, two] = [membersOf(identities[0]), membersOf(identities[1])]
  const apart = askers.between(one, two)
  const judge = new Judge(time, run)
  const bothDirections = [askers.renamedFor(one, two), askers.renamedFor(two, one)] as const
  for (const resource of first === second && apart.length === 0 ? [] : described.resources) {
    if (run.isSpent) {
      undecided = true
      break
    }
    const cells = [described.cell(0, first, resource), described.cell(0, second, resource)] as const
    const about = actions.of(typeAndName(resource.names[0] as string).type)
    isLookedAt ||= about.length > 0
    for (const same of groupsOf(described, about, ...cells)) {
      for (const side of [0, 1] as const) {
        const other = side === 0 ? 1 : 0
        const [mine, theirs] = [cells[side], cells[other]]
        const [action] = same as [string]
        const differences = differing(
          bothDirections[side](whenAllowed(mine, action)),
          bothDirections[other](whenAllowed(theirs, action)),
          time,
          run,
        )
        if (differences === tooMany) undecided = true
        else if (differences)
          only[side].push({
            ...differences,
            actions: same,
            resources: resource.names,
            ...clausesIn(mine, theirs, same, differences.condition, judge),
          })
      }
    }
  }
  const rows = (side: 0 | 1) =>
    folded(only[side])
      .map(({ key: _, model, ...row }): CompareRow => {
        const [action, resource] = [row.actions[0] as string, row.resources[0] as string]
        const witness = withTagsOf(questionAt({ identity: identities[side], action, resource }, model, given), [world])
        return { ...row, condition: simplified(row.condition, time), witness }
      })
      .sort(
        (a, b) =>
          Number(b.certain) - Number(a.certain) ||
          compareText(a.resources.join(' '), b.resources.join(' ')) ||
          compareText(a.actions.join(' '), b.actions.join(' ')),
      )
  return { only: [rows(0), rows(1)], undecided, open: isLookedAt ? [] : apart }
}

/** The entries behind a difference: of those that grant it to the one and deny it to the other, those that can apply where it is so. */
function clausesIn(
  mine: Cell,
  theirs: Cell,
  actions: readonly string[],
  condition: Formula,
  judge: Judge,
): Pick<CompareRow, 'policies' | 'grants' | 'denies' | 'others'> {
  const mayApply = ({ formula }: Region) => judge.certainty(allOf([formula, condition])) !== 'never'
  const among = (regions: readonly Region[]) =>
    regions.flatMap((region) =>
      clausesOf(
        region,
        region.actions.filter(({ value }) => actions.some((action) => matches(value, action))),
      ),
    )
  const granting = (cell: Cell) => cell.allows.filter((region) => actions.some((action) => isGranting(region, action)))
  const granted = granting(mine).filter(mayApply)
  return {
    policies: [...new Set(granted.map(({ policy }) => policy))],
    grants: among(granted),
    denies: among(theirs.denies.filter(mayApply)),
    others: among(granting(theirs)),
  }
}

/** Merges rows that rest on the same policies under the same condition. */
function folded(rows: readonly Found[]): readonly Found[] {
  const numbers = new Map<Policy, number>()
  const numberOf = (policy: Policy) => {
    const number = numbers.get(policy) ?? numbers.size
    numbers.set(policy, number)
    return number
  }
  const reasons = ({ policies, denies, others, key, certain }: Found) => {
    const own = [policies, ...[denies, others].map((list) => list.map(({ policy }) => policy))]
    return JSON.stringify([certain, key, own.map((list) => [...new Set(list.map(numberOf))])])
  }
  const merge = (group: readonly Found[]): Found => {
    const union = <T>(of: (each: Found) => readonly T[]) => [...new Set(group.flatMap(of))]
    const clauses = (of: (each: Found) => readonly Clause[]) => {
      const once = new Map(group.flatMap(of).map((clause) => [clause.entry, clause]))
      return inFileOrder([...once.values()])
    }
    return {
      ...(group[0] as Found),
      actions: union(({ actions }) => actions).sort(),
      resources: union(({ resources }) => resources).sort(),
      policies: union(({ policies }) => policies),
      grants: clauses(({ grants }) => grants),
      denies: clauses(({ denies }) => denies),
      others: clauses(({ others }) => others),
    }
  }
  const join = (list: readonly Found[], same: (each: Found) => string) =>
    [...groupedBy(list, (each) => keyOf(reasons(each), same(each))).values()].map(merge)
  // Only what is a whole of actions and resources is one row.
  const byResources = join(rows, ({ actions }) => keyOf(actions))
  return join(byResources, ({ resources }) => keyOf(resources))
}
