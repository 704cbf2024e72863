import { Budget, notSearched, withinBudget } from '../budget.ts'
import { groupedBy, madeIn, pushTo } from '../collections.ts'
import { type Glob, glob, isPattern, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { memoizeByObject } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import type { Clause, Fact } from '../simulate/decision.ts'
import { sortedFacts } from '../simulate/facts.ts'
import { inFileOrder } from '../simulate/reference.ts'
import { readIdentity } from '../urn/identity.ts'
import { isResourceGroup, readResourceGroup, typeAndName } from '../urn/resource.ts'
import { groupsNamed, isOpenGroup } from '../world.ts'
import {
  type ActionsByType,
  type Cell,
  type Class,
  Described,
  isAbout,
  isGranting,
  knownNamesIn,
  namesIn,
  policiesOf,
  type RequestContext,
  whenGranted,
} from './described.ts'
import { always, anyOf, type Formula, factsIn, notBefore, printFormula } from './formula.ts'
import { approximateReason, Judge, ownerUnknown } from './known.ts'
import { type Region, unknownPermissions } from './regions.ts'
import { simplified } from './simplify.ts'

/**
 * The access of described identities to described resources with actions of the catalogue, as rows (docs/analysis.md, Known
 * things): each identity, action and resource of a row is allowed, or denied, alike. Exact: every combination that is granted at
 * some time is in one row, and no other is.
 */
export interface AccessRow {
  readonly identities: readonly string[]
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  /** `allow`: at some time at least. `unknown`: it depends on facts. `deny`: something grants it, and something else denies all of that. */
  readonly verdict: 'allow' | 'unknown' | 'deny'
  readonly reason: 'granted' | 'root' | 'unknown' | 'denied'
  readonly condition: Formula
  readonly missing: readonly Fact[]
  /** The entries that grant it, and where there is a condition, those that deny it; for `deny`, those that deny it. In file order. */
  readonly clauses: readonly Clause[]
  /** Of what several grant alike: those that do, also by a permissions group that no file describes, of which there is no entry. */
  readonly policies?: readonly Policy[]
}

export interface DescribedAccess {
  readonly rows: readonly AccessRow[]
  readonly complete: boolean
  readonly reasons: readonly string[]
  /** The budget of the run was used up: some pairs were not looked at. */
  readonly isCut: boolean
}

/** The names of a question, and the given facts. */
export interface AskedAccess {
  readonly identities: readonly string[]
  readonly resources: readonly string[]
  /** The actions that count for a resource type. */
  readonly actionsOf: (type: string) => readonly string[]
  readonly given?: RequestContext
  /** Without an instant in `given`: those from this one on count. */
  readonly from?: number | undefined
  /** The budget of the whole run; by default a new one. */
  readonly run?: Budget
}

/** The described identities that a pattern matches; of groups all that are named. */
export function identitiesMatching(world: World, pattern: Glob): readonly string[] {
  const identities = new Set(knownNamesIn([world]).identities)
  if (readIdentity(pattern.text, { pattern: true }).value?.kind === 'group') {
    for (const { groups } of world.identities.values()) for (const group of groups) identities.add(group)
  }
  return [...identities].filter((identity) => matches(pattern, identity)).sort()
}

/** The described resources that a pattern matches. */
export function resourcesMatching(world: World, pattern: Glob): readonly string[] {
  return knownNamesIn([world]).resources.filter((resource) => matches(pattern, resource))
}

/** Described things that an argument means, and why there may be others. */
export interface NamedThings {
  readonly found: readonly string[]
  readonly reasons: readonly string[]
}

/** The described resources that an argument means: one, a pattern, or a resource group. */
export function resourcesNamed(resource: string, world: World): NamedThings {
  const group = isResourceGroup(resource) ? readResourceGroup(resource, { pattern: true }).value : undefined
  if (group) {
    const groupMembers = [...new Set(groupsNamed(world, group).flatMap(({ members }) => [...members]))].sort()
    return {
      found: groupMembers,
      reasons: isOpenGroup(world, group) ? [`not all members of resource group \`${resource}\` are known`] : [],
    }
  }
  if (!isPattern(glob(resource))) return { found: [resource], reasons: [] }
  const matching = resourcesMatching(world, glob(resource))
  const none =
    resource === '*'
      ? 'no resource is described: name one, or describe resources in a world file'
      : `no described resource matches \`${resource}\`: an answer about a pattern is about the resources of world files and policies`
  return { found: matching, reasons: matching.length === 0 ? [none] : [] }
}

/** The accounts that own resources, as identities. */
export function ownersOf(world: World, resources: readonly string[], owner: string | undefined): readonly string[] {
  const urns = resources.flatMap((resource) => {
    const account = owner ?? world.resources.get(resource)?.owner ?? world.account
    return account === undefined ? [] : [`urn:v1:${resource.split(':')[2]}:identity:account:${account}`]
  })
  return [...new Set(urns)].sort()
}

/**
 * The catalogue actions that a pattern matches, by resource type; an action that is not in the catalogue counts for each type
 * that its product may serve.
 */
export function actionsMatching(catalogue: ActionsByType, pattern: string, isKnown: (action: string) => boolean): AskedAccess['actionsOf'] {
  const itself = [pattern]
  const product = pattern.slice(0, Math.max(0, pattern.indexOf(':')))
  if (!pattern.includes('*') && !isKnown(pattern)) return (type) => (catalogue.mayServe(product, type) ? itself : [])
  const actionsByPattern = new Map<string, readonly string[]>()
  const wanted = glob(pattern)
  return (type) => {
    const found = actionsByPattern.get(type) ?? catalogue.of(type).filter((action) => matches(wanted, action))
    actionsByPattern.set(type, found)
    return found
  }
}

export function describedAccess(world: World, asked: AskedAccess): DescribedAccess {
  const { identities, resources, actionsOf, given = {}, from, run = new Budget() } = asked
  // Of a resource no action is about there is nothing to say, unless it is that a permissions group is not described.
  const isAnySaid = world.policies.some(({ permissionsGroups }) => permissionsGroups.length > 0)
  const counting = isAnySaid ? resources : resources.filter((resource) => actionsOf(typeAndName(resource).type).length > 0)
  const described = new Described([world], { identities, resources: counting }, given, undefined, run)
  const time = from === undefined ? always : notBefore(from)
  const judge = new Judge(time, run)
  const unknown = new Set<string>()
  const rowsByCell = new Map<Cell, Map<string, readonly OneRow[]>>()
  const rowsOf = (cell: Cell, type: string): readonly OneRow[] => {
    const byType = rowsByCell.get(cell) ?? new Map<string, readonly OneRow[]>()
    rowsByCell.set(cell, byType)
    const rows =
      byType.get(type) ??
      described.alikeActions([cell], actionsOf(type)).flatMap((actions) => {
        const row = rowOf(cell, actions, described, judge, time)
        return row ? [{ actions, ...row }] : []
      })
    byType.set(type, rows)
    return rows
  }
  const resourcesFor = relatedResourcesOf(described)
  const rowsFor = (who: Class): readonly AccessRow[] => {
    const accessRows: AccessRow[] = []
    for (const on of resourcesFor(who)) {
      const cell = described.cell(0, who, on)
      run.spend(stepsOfPair, () => policiesOf(cell))
      const { type } = typeAndName(on.names[0] as string)
      for (const row of rowsOf(cell, type)) accessRows.push({ identities: who.names, resources: on.names, ...row })
      for (const urn of unknownPermissions([...cell.allows, ...cell.denies])) unknown.add(urn)
    }
    return accessRows
  }
  const nameOf = (number: number) => (world.policies[number] as Policy).name.value
  const examined = withinBudget(described.identities, run, rowsFor, ({ policies }) => (policies[0] ?? []).map(nameOf))
  const isOwnerUnknown =
    given.owner === undefined && world.account === undefined && resources.some((each) => world.resources.get(each)?.owner === undefined)
  const reasons = [
    ...notSearched(namesIn(examined, described.identities), 'identities'),
    ...(isOwnerUnknown ? [ownerUnknown.any] : []),
    ...[...unknown].sort().map((urn) => `permissions group \`${urn}\` is not described: it may allow or deny`),
    ...(judge.isApproximate ? [approximateReason] : []),
  ]
  return { rows: mergeRows(examined.found.flat()), complete: reasons.length === 0, reasons, isCut: examined.left.length > 0 }
}

type OneRow = Omit<AccessRow, 'identities' | 'resources'>

/** The cost of finding the rows of a pair and folding them, in steps. */
const stepsOfPair = 16

/** The classes of resources that some policy about an identity is about as well, or that it may own. */
function relatedResourcesOf({ resources }: Described): (identity: Class) => Iterable<Class> {
  const byPolicy = new Map<number, Class[]>()
  for (const resource of resources)
    for (const number of resource.policies[0] ?? []) {
      pushTo(byPolicy, number, resource)
    }
  return ({ isAccount, policies }) => new Set(isAccount ? resources : (policies[0] ?? []).flatMap((number) => byPolicy.get(number) ?? []))
}

/** The row of actions that a cell does not distinguish; undefined where nothing grants them. */
function rowOf(
  cell: Cell,
  actions: readonly string[],
  described: Described,
  judge: Judge,
  time: Formula,
): Omit<AccessRow, 'identities' | 'actions' | 'resources'> | undefined {
  if (cell.isRoot) return { verdict: 'allow', reason: 'root', condition: always, missing: [], clauses: [] }
  const [action] = actions as [string]
  const mayHold = ({ formula }: Region) => judge.certainty(formula) !== 'never'
  const grants = cell.allows.filter((region) => isGranting(region, action) && mayHold(region))
  if (judge.certainty(anyOf(grants.map(({ formula }) => formula))) === 'never') return undefined
  const denies = cell.denies.filter((region) => isAbout(region, action) && mayHold(region))
  const formula = whenGranted({ allows: grants, denies })
  const certainty = judge.certainty(formula)
  const entries = (regions: readonly Region[]) => distinct(regions.flatMap((region) => described.clausesAbout(region, actions)))
  if (certainty === 'never') return { verdict: 'deny', reason: 'denied', condition: always, missing: [], clauses: entries(denies) }
  const condition = certainty === 'always' ? always : simplified(formula, time)
  const isSure = judge.isSureAtTimes(formula)
  return {
    verdict: isSure ? 'allow' : 'unknown',
    reason: isSure ? 'granted' : 'unknown',
    condition,
    missing: sortedFacts(factsIn(condition)),
    clauses: entries([...grants, ...denies]),
  }
}

/** Each entry of each policy once, in file order. */
export function distinct(clauses: readonly Clause[]): readonly Clause[] {
  const seen = new Map<Policy, Set<Clause['entry']>>()
  return inFileOrder(
    clauses.filter(({ policy, entry }) => {
      const seenEntries = seen.get(policy) ?? new Set()
      seen.set(policy, seenEntries)
      if (seenEntries.has(entry)) return false
      seenEntries.add(entry)
      return true
    }),
  )
}

/** Few rows in place of many cells: those that differ in the resources alone, or in the identities alone, or in the actions alone, made one. */
export function mergeRows(accessRows: readonly AccessRow[]): readonly AccessRow[] {
  const numbers = new Map<Policy, number>()
  const numberOf = (policy: Policy) => {
    const number = numbers.get(policy) ?? numbers.size
    numbers.set(policy, number)
    return number
  }
  // Rows of one class share their lists: what is the same is found by a number.
  const placeByKey = new Map<string, number>()
  const numbered = <T extends object>(textOf: (item: T) => string) =>
    memoizeByObject((item: T) => {
      const text = textOf(item)
      const number = placeByKey.get(text) ?? placeByKey.size
      placeByKey.set(text, number)
      return number
    })
  const causes = numbered((clauses: AccessRow['clauses']) =>
    keyOf([...new Set(clauses.map(({ policy }) => numberOf(policy)))].sort((a, b) => a - b)),
  )
  const when = numbered(printFormula)
  // The names of a list are many and long: its text has their numbers.
  const nameNumbers = new Map<string, number>()
  const names = numbered((list: readonly string[]) => keyOf(list.map((name) => madeIn(nameNumbers, name, () => nameNumbers.size))))
  const join = (rows: readonly AccessRow[], by: 'identities' | 'actions' | 'resources'): readonly AccessRow[] => {
    const others = (['identities', 'actions', 'resources'] as const).filter((each) => each !== by)
    const same = groupedBy(rows, (row) =>
      keyOf(
        row.verdict,
        row.reason,
        when(row.condition),
        causes(row.clauses),
        (row.policies ?? []).map(numberOf),
        others.map((each) => names(row[each])),
      ),
    )
    return [...same.values()].map((group) => {
      const [first] = group as [AccessRow]
      if (group.length === 1) return first
      return {
        ...first,
        [by]: [...new Set([...new Set(group.map((row) => row[by]))].flat())].sort(),
        clauses: distinct([...new Set(group.map(({ clauses }) => clauses))].flat()),
      }
    })
  }
  return join(join(join(accessRows, 'resources'), 'identities'), 'actions')
}
