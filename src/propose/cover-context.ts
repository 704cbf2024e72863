import { type Budget, unlessUndecided } from '../budget.ts'
import { memoizeByObject } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { covers, isObviouslyNew, type Outcome } from '../symbolic/covers.ts'
import { entriesOf, lists } from '../symbolic/entries.ts'
import { publishedPolicy } from '../symbolic/published.ts'
import { deniesAsGrants, type Index, indexOf, type Side, sideOf, sideWith, without, withStatements } from '../symbolic/side.ts'
import { isAllow, isDeny, ofPolicy, type Statement, statementsOf } from '../symbolic/statements.ts'
import { publishedSet } from '../world.ts'

/**
 * The policies of a world as statements, to ask whether parts of them can go. What they allow and what they deny is
 * compared apart, so that a deny only ever gives way to other denies: as a guard against what may be granted later it
 * counts even where nothing is granted today. Where a wildcard of unpublished meaning is written everything is asked
 * twice, with the wildcard and with entries that match nothing, so that no step rests on what it means.
 */
export interface CoverContext {
  readonly world: World
  readonly readings: readonly Reading[]
  /** The budget of the run. */
  readonly run: Budget
  /** See `mayMeet`: each policy is asked about again and again. */
  readonly headsOf: (policy: Policy) => readonly string[]
}

interface Reading {
  readonly world: World
  /** The world with those policies only that name resource groups: they say which groups are open. */
  readonly naming: World
  readonly read: (policy: Policy) => Policy
  /** Of the policies as they are now. */
  readonly statements: Map<Policy, readonly Statement[]>
  /** The denies of the original world: as a set of requests they stay the same. */
  readonly denies: Index
  /** All policies, some of them as they were a few steps ago: see `fresh`. */
  base: Side
  /** The policies of `base` that are no more, and those that are there since. */
  readonly removed: Set<Policy>
  readonly fresh: Map<Policy, readonly Statement[]>
  /** All policies as they are now: `base` without the ones and with the others. */
  now: Side
}

/** After so many steps everything is indexed anew: what each question takes more for them, and the index, cost about the same. */
const mostFresh = ({ statements }: Pick<Reading, 'statements'>) => Math.max(24, 2 * Math.sqrt(statements.size))

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
  return {
    world,
    readings: [readingOf(world, (policy) => policy), ...(isOdd ? [readingOf(published, publishedPolicy)] : [])],
    run,
    headsOf: memoizeByObject(headsOf),
  }
}

function readingOf(world: World, read: (policy: Policy) => Policy): Reading {
  const naming = { ...world, policies: world.policies.filter(({ resources }) => resources.some(({ value }) => value.kind === 'group')) }
  const taken = { world, naming, read }
  const statements = new Map(world.policies.map((policy) => [policy, statementsOfPolicy(taken, policy)]))
  const base = sideWith(sideOf({ ...world, policies: [] }), [...statements.values()].flat())
  return { ...taken, statements, denies: base.denies, base, removed: new Set(), fresh: new Map(), now: base }
}

/** The statements of a policy as it is read; they name the policy itself. */
function statementsOfPolicy({ world, naming, read }: Pick<Reading, 'world' | 'naming' | 'read'>, policy: Policy): readonly Statement[] {
  return statementsOf({ ...world, policies: [read(policy)] }, naming).map((each) => ofPolicy(each, policy))
}

/** The statements of several policies, of those there are now without taking them apart again. */
function statementsAmong(reading: Reading, policies: readonly Policy[]): readonly Statement[] {
  return policies.flatMap((policy) => reading.statements.get(policy) ?? statementsOfPolicy(reading, policy))
}

/** Put a policy, or none, in the place of others: a step that was taken. */
export function replace(context: CoverContext, old: readonly Policy[], now: Policy | undefined): void {
  for (const reading of context.readings) {
    for (const policy of old) {
      reading.statements.delete(policy)
      if (!reading.fresh.delete(policy)) reading.removed.add(policy)
    }
    if (now) {
      const statements = statementsOfPolicy(reading, now)
      reading.statements.set(now, statements)
      reading.fresh.set(now, statements)
    }
    if (reading.removed.size + reading.fresh.size >= mostFresh(reading)) {
      reading.base = sideWith(reading.base, [...reading.statements.values()].flat())
      reading.removed.clear()
      reading.fresh.clear()
    }
    const removed = new Set(reading.removed)
    reading.now = withStatements(
      without(reading.base, ({ policy }) => removed.has(policy)),
      [...reading.fresh.values()].flat(),
    )
  }
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
 * Whether the access of `pieces` remains when `now` replaces `old`: `none` is a proof of it, over all identities, actions,
 * resources and contexts. Denies are compared with denies alone.
 */
export function isCovered(context: CoverContext, pieces: readonly Policy[], old: readonly Policy[], now: readonly Policy[]): Covered {
  const isLeft = ({ policy }: Statement) => !old.includes(policy)
  return isSaidBy(
    context,
    pieces,
    [...pieces, ...now],
    (reading) =>
      withStatements(
        without(reading.now, (statement) => !isLeft(statement)),
        statementsAmong(reading, now),
      ),
    (reading, allowed) => {
      const allows = statementsAmong(reading, now).filter(isAllow)
      const others = (members: readonly { readonly text: string }[]) => [
        ...[...reading.now.allows.about(members)].filter(isLeft),
        ...allows,
      ]
      return allowed.some((statement) => isObviouslyNew(statement, { denies: reading.denies, groups: reading.base.groups }, others))
    },
  )
}

function sizeOf(policies: readonly Policy[]): number {
  return policies.reduce((sum, policy) => sum + lists.reduce((count, list) => count + entriesOf(policy, list).length, 1), 0)
}

/** The same where only these policies are there. */
export function isCoveredAmong(context: CoverContext, pieces: readonly Policy[], policies: readonly Policy[]): Covered {
  return isSaidBy(context, pieces, pieces, (reading) => sideWith(reading.base, statementsAmong(reading, policies)))
}

function isSaidBy(
  context: CoverContext,
  pieces: readonly Policy[],
  about: readonly Policy[],
  sideIn: (reading: Reading) => Side,
  isPlain: (reading: Reading, allowed: readonly Statement[]) => boolean = () => false,
): Covered {
  return first(context, about, (reading) => {
    const statements = pieces.flatMap((piece) => statementsOfPolicy(reading, piece))
    const denied = statements.filter(isDeny)
    if (denied.length === 0 && isPlain(reading, statements)) return { kind: 'new' }
    context.run.spend(stepsIndexed * sizeOf(about), () => about.map(({ name }) => name.value))
    const side = sideIn(reading)
    const outcome: Outcome = denied.length === 0 ? { kind: 'none' } : covers(deniesAsGrants(side), denied, stepBudget, context.run)
    const allowed = statements.filter(isAllow)
    if (outcome.kind !== 'none' || allowed.length === 0) return outcome
    return covers({ ...side, denies: reading.denies }, allowed, stepBudget, context.run)
  })
}

/** Whether a policy says by itself no more than another one: for changes that must not rest on other policies. */
export function isWithin(context: CoverContext, policy: Policy, other: Policy): Covered {
  return first(context, [policy, other], (reading) => {
    const own = { ...sideWith(reading.base, statementsOfPolicy(reading, other)), denies: indexOf([]) }
    return covers(own, statementsOfPolicy(reading, policy).filter(isAllow), stepBudget, context.run)
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
  old: readonly Policy[],
  now: readonly Policy[],
): readonly Policy[] | undefined {
  const enough = (policies: readonly Policy[]) => isCoveredAmong(context, pieces, [...policies, ...now]).kind === 'none'
  if (enough([])) return []
  // One more than are tried is enough to know that there are too many.
  const candidates: Policy[] = []
  const heads = pieces.map(headsOf)
  for (const policy of (context.readings[0] as Reading).statements.keys()) {
    if (candidates.length > mostTried) break
    if (!old.includes(policy) && heads.some((each) => mayMeet(each, context.headsOf(policy)))) candidates.push(policy)
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
      return covers(silent, statementsOfPolicy(reading, piece).filter(isAllow), stepBudget, context.run)
    }).kind === 'none'
  if (isSilent([])) return undefined
  const denying = [...(context.readings[0] as Reading).statements].filter(([, statements]) => statements.some(isDeny))
  const single = denying.slice(0, mostTried).find(([policy]) => isSilent([policy]))
  return single ? [single[0]] : []
}

/** How the names of the actions of a policy begin, each once; `*` where groups have more of them. */
function headsOf({ permissions, permissionsGroups }: Policy): readonly string[] {
  if (permissionsGroups.length > 0) return ['*']
  return [...new Set([...permissions.allow, ...permissions.deny].map(({ value }) => value.pieces[0] as string))]
}

/** A cheap look at whether two policies can be about the same: the heads of names agree somewhere. */
function mayMeet(heads: readonly string[], others: readonly string[]): boolean {
  return heads.some((one) => others.some((other) => one === '*' || other === '*' || one.startsWith(other) || other.startsWith(one)))
}
