import { type Budget, unlessUndecided } from '../budget.ts'
import { addTo, madeIn } from '../collections.ts'
import { isPattern } from '../glob.ts'
import { Memo, memoizeByObject } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { overlapsBox } from '../symbolic/boxes.ts'
import { covers, type Outcome } from '../symbolic/covers.ts'
import { entriesOf, lists } from '../symbolic/entries.ts'
import { type Glances, plainOutcome } from '../symbolic/plain.ts'
import { publishedPolicy } from '../symbolic/published.ts'
import { type Caller, callerOf } from '../symbolic/search.ts'
import { deniesAsGrants, type Index, indexOf, type Side, sideOf, sideWith, without, withStatements } from '../symbolic/side.ts'
import {
  isAllow,
  isAlone,
  isDeny,
  ofPolicy,
  type Part,
  partsAlone,
  type Statement,
  statementsAlone,
  statementsOf,
} from '../symbolic/statements.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { publishedSet } from '../world.ts'

/**
 * The policies of a world as statements, to ask whether parts of them can go. What they allow and what they deny is
 * compared apart, so that a deny only ever gives way to other denies: as a guard against what may be granted later it
 * counts even where nothing is granted today. Where a wildcard of unpublished meaning is written everything is asked
 * twice, with the wildcard and with entries that match nothing, so that no step rests on what it means.
 */
export interface CoverContext extends Glances {
  readonly world: World
  readonly readings: readonly Reading[]
  /** See `mayMeet`: each policy is asked about again and again. */
  readonly headsOf: (policy: Policy) => readonly string[]
}

interface Reading {
  /** The statements of a policy as it is read; they name the policy itself. */
  readonly apart: (policy: Policy) => readonly Statement[]
  /** The same of parts of the policy that was asked about last. */
  readonly parts: Map<Policy, readonly Statement[]>
  /** Of the policies as they are now. */
  statements: Map<Policy, readonly Statement[]>
  /** The denies of the original world: as a set of requests they stay the same. */
  readonly denies: Index
  /** The statements of the policies as they are now, by whom they may be about. */
  readonly around: Readonly<Record<Effects, Around>>
  /** All policies, as they were some steps ago. */
  base: Side
  /** The policies of `base` that are no more, and those that came later. */
  readonly removed: Set<Policy>
  readonly fresh: Map<Policy, readonly Statement[]>
  /** How many steps were taken. */
  steps: number
  /** How many policies were indexed since `base` was. */
  indexed: number
  /** All policies as they are now; made when it is asked for. */
  now: Side | undefined
  /** The statements near the policy that was asked about last. */
  near: Near | undefined
}

/** Statements by the identities that they name, where many come and go: an index of them would be made anew for each step. */
class Around {
  private readonly byName = new Map<string, Set<Statement>>()
  private readonly byPattern = new Set<Statement>()

  add(statement: Statement): void {
    for (const { value } of statement.identities)
      if (isPattern(value.glob)) this.byPattern.add(statement)
      else addTo(this.byName, value.text, statement)
  }

  delete(statement: Statement): void {
    this.byPattern.delete(statement)
    for (const { value } of statement.identities) this.byName.get(value.text)?.delete(statement)
  }

  /** As `Index.about`, in another order. */
  about(members: Caller['there']): ReadonlySet<Statement> {
    const statements = new Set(this.byPattern)
    for (const { text } of members) for (const statement of this.byName.get(text) ?? []) statements.add(statement)
    return statements
  }
}

/** The statements of others about some members and about resources of a policy. */
interface Near {
  readonly to: Policy
  readonly lists: Readonly<Record<Effects, Map<Caller['there'], readonly Statement[]>>>
}

/** The parts of a side. */
type Effects = 'allows' | 'denies'

/** After so many steps the list of policies is written anew: one that much was deleted from is slow to walk. */
const mostDeleted = 64

/** How many regions one question may take before it is undecided: a number of steps, the same on every machine. */
const stepBudget = 20_000

/** Take a world apart. Throws `Undecided` where that takes too much. */
export function coverContextOf(world: World, run: Budget): CoverContext {
  const groups = [...world.permissionsGroups].map(
    ([urn, group]) => [urn, { ...group, permissions: publishedSet(group.permissions) }] as const,
  )
  const isOdd =
    world.policies.some((policy) => publishedPolicy(policy) !== policy) ||
    groups.some(([urn, { permissions }]) => permissions !== world.permissionsGroups.get(urn)?.permissions)
  const published = { ...world, permissionsGroups: new Map(groups) }
  const whole = readingOf(world, (policy) => policy)
  const { base } = whole
  return {
    world,
    readings: [whole, ...(isOdd ? [readingOf(published, publishedPolicy)] : [])],
    run,
    headsOf: memoizeByObject(headsOf),
    keep: new Memo().keep,
    callerOf: memoizeByObject((identity: IdentityUrn) => callerOf(identity, base, base)),
  }
}

function readingOf(world: World, read: (policy: Policy) => Policy): Reading {
  // Only policies that name resource groups say which groups are open.
  const naming = { ...world, policies: world.policies.filter(({ resources }) => resources.some(({ value }) => value.kind === 'group')) }
  const partsLike = lastParts()
  const apart = (policy: Policy) => {
    const asRead = read(policy)
    const statements = isAlone(asRead) ? statementsAlone(asRead, partsLike(asRead)) : statementsOf({ ...world, policies: [asRead] }, naming)
    return asRead === policy ? statements : statements.map((each) => ofPolicy(each, policy))
  }
  const statements = new Map(world.policies.map((policy) => [policy, apart(policy)]))
  const all = [...statements.values()].flat()
  const base = sideWith(sideOf({ ...world, policies: [] }), all)
  const around = { allows: new Around(), denies: new Around() }
  for (const each of all) around[effectOf(each)].add(each)
  const none = { removed: new Set<Policy>(), fresh: new Map(), steps: 0, indexed: 0, parts: new Map(), near: undefined }
  return { apart, statements, denies: base.denies, around, base, now: base, ...none }
}

const effectOf = (statement: Statement): Effects => (isDeny(statement) ? 'denies' : 'allows')

/** How many lists of resources are remembered. */
const mostLists = 16

/** The parts of policies, remembered for the last ones: what is asked about a policy is of many that differ from it in another list. */
function lastParts(): (policy: Policy) => readonly Part[] {
  const last = new Map<Policy['resources'], { readonly condition: Policy['condition']; readonly parts: readonly Part[] }>()
  return (policy) => {
    const { resources, condition } = policy
    const same = last.get(resources)
    if (same && same.condition === condition) return same.parts
    const parts = partsAlone(policy)
    if (last.size >= mostLists) last.clear()
    last.set(resources, { condition, parts })
    return parts
  }
}

/** The statements of several policies, of those there are now without taking them apart again. */
function statementsAmong(reading: Reading, policies: readonly Policy[]): readonly Statement[] {
  const apart = (policy: Policy) => reading.statements.get(policy) ?? madeIn(reading.parts, policy, reading.apart)
  return policies.flatMap(apart)
}

/** Put a policy, or none, in the place of others: a step that was taken. */
export function replace(context: CoverContext, old: readonly Policy[], now: Policy | undefined): void {
  for (const reading of context.readings) {
    reading.near = undefined
    reading.parts.clear()
    reading.now = undefined
    for (const policy of old) {
      for (const each of reading.statements.get(policy) ?? []) reading.around[effectOf(each)].delete(each)
      reading.statements.delete(policy)
      if (!reading.fresh.delete(policy)) reading.removed.add(policy)
    }
    if (now) {
      const statements = reading.apart(now)
      reading.statements.set(now, statements)
      reading.fresh.set(now, statements)
      for (const each of statements) reading.around[effectOf(each)].add(each)
    }
    if (++reading.steps % mostDeleted === 0) reading.statements = new Map(reading.statements)
  }
}

/** All policies as they are now. Those of the last steps are indexed each time, all of them when that has taken as much. */
function sideNow(reading: Reading): Side {
  if (reading.now) return reading.now
  const { base, removed, fresh, statements } = reading
  reading.indexed += removed.size + fresh.size
  if (reading.indexed < statements.size) {
    const rest = without(base, ({ policy }) => removed.has(policy))
    reading.now = withStatements(rest, [...fresh.values()].flat())
  } else {
    reading.base = sideWith(base, [...statements.values()].flat())
    for (const each of [removed, fresh]) each.clear()
    reading.indexed = 0
    reading.now = reading.base
  }
  return reading.now
}

/** Whether something is said as well, without the question that shows that it is not. */
export type Covered = Exclude<Outcome, { readonly kind: 'new' }> | { readonly kind: 'new' }

/** How many steps the entries of a policy take each that is asked about: to be taken apart, and to be put into order and indexed. */
const [stepsApart, stepsIndexed] = [2, 8]

/** The outcome of a question about some policies to each reading: the first that is not a proof. */
function first({ readings, run }: CoverContext, about: readonly Policy[], ask: (reading: Reading) => Covered): Covered {
  return unlessUndecided<Covered, Covered>(
    () => {
      run.spend(stepsApart * sizeOf(about), () => about.map(({ name }) => name.value))
      for (const reading of readings) {
        const outcome = ask(reading)
        if (outcome.kind !== 'none') return outcome
      }
      return { kind: 'none' }
    },
    (culprits) => ({ kind: 'undecided', culprits }),
  )
}

/**
 * Whether the access of `pieces`, which are parts of `old`, remains when `now` replaces it: `none` is a proof of it, over all identities,
 * actions, resources and contexts. Denies are compared only with denies.
 */
export function isCovered(context: CoverContext, pieces: readonly Policy[], old: Policy, now: readonly Policy[]): Covered {
  return isSaidBy(context, pieces, [...pieces, ...now], (reading) => {
    const statements = statementsAmong(reading, now)
    return {
      near: (effect, members) => {
        const others = nearTo(old, reading, effect, members)
        return statements.length === 0 ? others : others.concat(statementsOn(effect, statements))
      },
      side: () =>
        withStatements(
          without(sideNow(reading), ({ policy }) => policy === old),
          statements,
        ),
    }
  })
}

/** The statements of others than a policy about some members and some of its resources. */
function nearTo(to: Policy, reading: Reading, effect: Effects, members: Caller['there']): readonly Statement[] {
  if (reading.near?.to !== to) {
    reading.near = { to, lists: { allows: new Map(), denies: new Map() } }
    reading.parts.clear()
  }
  return madeIn(reading.near.lists[effect], members, () => {
    const places = (reading.statements.get(to) ?? []).flatMap(({ boxes }) => boxes)
    const nearStatements: Statement[] = []
    for (const statement of reading.around[effect].about(members))
      if (statement.policy !== to && statement.boxes.some((box) => places.some((each) => overlapsBox(box, each))))
        nearStatements.push(statement)
    return nearStatements
  })
}

function statementsOn(effect: Effects, statements: readonly Statement[]): readonly Statement[] {
  return statements.filter(effect === 'allows' ? isAllow : isDeny)
}

function sizeOf(policies: readonly Policy[]): number {
  let size = 0
  for (const policy of policies) {
    size++
    for (const list of lists) size += entriesOf(policy, list).length
  }
  return size
}

/** The same where only these policies are there. */
export function isCoveredAmong(context: CoverContext, pieces: readonly Policy[], policies: readonly Policy[]): Covered {
  return isSaidBy(context, pieces, pieces, (reading) => {
    const statements = statementsAmong(reading, policies)
    return { near: (effect) => statementsOn(effect, statements), side: () => sideWith(reading.base, statements) }
  })
}

/** Those that a part is held against: the statements that may be about some members, and all of them. */
interface Others {
  readonly near: (effect: Effects, members: Caller['there']) => readonly Statement[]
  readonly side: () => Side
}

const noDenies = indexOf([])

function isSaidBy(
  context: CoverContext,
  pieces: readonly Policy[],
  about: readonly Policy[],
  othersIn: (reading: Reading) => Others,
): Covered {
  return first(context, about, (reading) => {
    const { near, side } = othersIn(reading)
    const open: Statement[] = []
    for (const statement of statementsAmong(reading, pieces)) {
      const [effect, denies] = isDeny(statement) ? (['denies', noDenies] as const) : (['allows', reading.denies] as const)
      const plain = plainOutcome(statement, denies, (members) => near(effect, members), context)
      if (plain === 'new') return { kind: 'new' }
      if (plain === undefined) open.push(statement)
    }
    if (open.length === 0) return { kind: 'none' }
    context.run.spend(stepsIndexed * sizeOf(about), () => about.map(({ name }) => name.value))
    const [allowed, denied] = [open.filter(isAllow), open.filter(isDeny)]
    const outcome: Outcome = denied.length === 0 ? { kind: 'none' } : covers(deniesAsGrants(side()), denied, stepBudget, context.run)
    if (outcome.kind !== 'none' || allowed.length === 0) return outcome
    return covers({ ...side(), denies: reading.denies }, allowed, stepBudget, context.run)
  })
}

/** Whether a policy says by itself no more than another one: for changes that must not rest on other policies. */
export function isWithin(context: CoverContext, policy: Policy, other: Policy): Covered {
  return first(context, [policy, other], (reading) => {
    const own = { ...sideWith(reading.base, reading.apart(other)), denies: indexOf([]) }
    return covers(own, reading.apart(policy).filter(isAllow), stepBudget, context.run)
  })
}

/** How many policies are tried one by one when what covers something is looked for. */
const mostTried = 24

/**
 * The policies by which a part of a policy is covered, as few as are easily found. Empty: nothing is granted by it at
 * all. Undefined: what covers it is more than is named.
 */
export function coverOf(
  context: CoverContext,
  pieces: readonly Policy[],
  old: Policy,
  now: readonly Policy[],
): readonly Policy[] | undefined {
  const enough = (policies: readonly Policy[]) => isCoveredAmong(context, pieces, [...policies, ...now]).kind === 'none'
  if (enough([])) return []
  // One more than are tried is enough to know that there are too many.
  const candidates: Policy[] = []
  const heads = pieces.map(headsOf)
  for (const policy of (context.readings[0] as Reading).statements.keys()) {
    if (candidates.length > mostTried) break
    if (policy !== old && heads.some((each) => mayMeet(each, context.headsOf(policy)))) candidates.push(policy)
  }
  const single = candidates.slice(0, mostTried).find((policy) => enough([policy]))
  if (single) return [single]
  if (candidates.length > mostTried) return undefined
  let remaining = candidates
  for (const policy of candidates) {
    const less = remaining.filter((each) => each !== policy)
    if (enough(less)) remaining = less
  }
  return remaining
}

/**
 * The policies whose denies take away all that a part of a policy allows; empty where more than one is needed, undefined
 * where it allows nothing in the first place.
 */
export function deniersOf(context: CoverContext, piece: Policy): readonly Policy[] | undefined {
  const isSilent = (policies: readonly Policy[]) =>
    first(context, [piece], (reading) => {
      const silent = { ...sideWith(reading.base, statementsAmong(reading, policies)), allows: indexOf([]) }
      return covers(silent, statementsAmong(reading, [piece]).filter(isAllow), stepBudget, context.run)
    }).kind === 'none'
  if (isSilent([])) return undefined
  let tried = 0
  for (const [policy, statements] of (context.readings[0] as Reading).statements) {
    if (!statements.some(isDeny)) continue
    if (isSilent([policy])) return [policy]
    if (++tried === mostTried) break
  }
  return []
}

/** How the names of the actions of a policy begin, without those that begin as a shorter one does; `*` where they may begin with anything. */
function headsOf({ permissions, permissionsGroups }: Policy): readonly string[] {
  const heads = new Set([...permissions.allow, ...permissions.deny].map(({ value }) => value.pieces[0] as string))
  if (permissionsGroups.length > 0 || heads.has('')) return ['*']
  return [...heads].filter((head) => ![...heads].some((other) => other !== head && head.startsWith(other)))
}

/** A cheap look at whether two policies can be about the same: the heads of names agree somewhere. */
function mayMeet(heads: readonly string[], others: readonly string[]): boolean {
  return heads.some((one) => others.some((other) => one === '*' || other === '*' || one.startsWith(other) || other.startsWith(one)))
}
