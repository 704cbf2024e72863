import { type Glob, hasInnerWildcard } from '../glob.ts'
import type { PermissionSet, Policy, World } from '../policy.ts'
import type { Located } from '../source.ts'
import { covers, type Outcome } from '../symbolic/covers.ts'
import { Undecided } from '../symbolic/patterns.ts'
import { indexOf, type Side, sideOf } from '../symbolic/side.ts'
import { asGrant, isAllow, isDeny, type Statement, statementsOf } from '../symbolic/statements.ts'

/**
 * The policies of a world as statements, to ask whether parts of them can go. What they allow and what they deny is
 * compared apart, so that a deny only ever gives way to other denies: as a guard against what may be granted later it
 * counts even where nothing is granted today. Where a wildcard of unpublished meaning is written everything is asked
 * twice, with the wildcard and with entries that match nothing, so that no step rests on what it means.
 */
export interface Ground {
  readonly world: World
  readonly readings: readonly Reading[]
}

interface Reading {
  readonly world: World
  /** The world with those policies only that name resource groups: they say which groups are open. */
  readonly naming: World
  readonly read: (policy: Policy) => Policy
  /** Of the policies as they are now. */
  readonly statements: Map<Policy, readonly Statement[]>
  /** All policies, some of them as they were a few steps ago: see `fresh`. */
  base: Indexed
  /** The policies of `base` that are no more, and those that are there since. */
  readonly gone: Set<Policy>
  readonly fresh: Map<Policy, readonly Statement[]>
}

interface Indexed {
  /** What is allowed. Its denies are those of the world as given: as a set of requests they stay the same. */
  readonly side: Side
  /** What is denied, as if each deny allowed it. */
  readonly bans: Side
}

/** After so many steps everything is indexed anew. */
const mostFresh = 24

/** How many regions one question may take before it is undecided: a number of steps, the same on every machine. */
export const stepBudget = 20_000

const nothing = indexOf([])

/** Take a world apart. Throws `Undecided` where that takes too much. */
export function groundOf(world: World): Ground {
  const isOdd = (policy: Policy) => withoutOdd(policy) !== policy
  const isOddSet = ({ allow, except, deny }: PermissionSet) => [allow, except, deny].some((list) => list.some(isOddEntry))
  const odd = world.policies.some(isOdd) || [...world.permissionsGroups.values()].some(({ permissions }) => isOddSet(permissions))
  const plain: Reading = readingOf(world, (policy) => policy)
  if (!odd) return { world, readings: [plain] }
  const permissionsGroups = new Map(
    [...world.permissionsGroups].map(([urn, group]) => [urn, { ...group, permissions: withoutOddEntries(group.permissions) }]),
  )
  return { world, readings: [plain, readingOf({ ...world, permissionsGroups }, withoutOdd)] }
}

function readingOf(world: World, read: (policy: Policy) => Policy): Reading {
  const naming = { ...world, policies: world.policies.filter(({ resources }) => resources.some(({ value }) => value.kind === 'group')) }
  const taken = { world, naming, read }
  const statements = new Map(world.policies.map((policy) => [policy, statementsOfPolicy(taken, policy)]))
  const all = [...statements.values()].flat()
  const empty = sideOf({ ...world, policies: [] })
  return {
    ...taken,
    statements,
    base: indexed({ ...empty, denies: indexOf(all.filter(isDeny)) }, all),
    gone: new Set(),
    fresh: new Map(),
  }
}

function indexed(side: Side, statements: readonly Statement[]): Indexed {
  return {
    side: { ...side, allows: indexOf(statements.filter(isAllow)) },
    bans: { ...side, allows: indexOf(statements.filter(isDeny).map(asGrant)), denies: nothing },
  }
}

/** The statements of a policy as it is read; they name the policy itself. */
function statementsOfPolicy({ world, naming, read }: Pick<Reading, 'world' | 'naming' | 'read'>, policy: Policy): readonly Statement[] {
  return statementsOf({ ...world, policies: [read(policy)] }, naming).map((each) => ({ ...each, key: each.key, policy }))
}

/** Put a policy, or none, in the place of others: a step that was taken. */
export function replace(ground: Ground, old: readonly Policy[], now: Policy | undefined): void {
  for (const reading of ground.readings) {
    for (const policy of old) {
      reading.statements.delete(policy)
      if (!reading.fresh.delete(policy)) reading.gone.add(policy)
    }
    if (now) {
      const statements = statementsOfPolicy(reading, now)
      reading.statements.set(now, statements)
      reading.fresh.set(now, statements)
    }
    if (reading.gone.size + reading.fresh.size < mostFresh) continue
    reading.base = indexed(reading.base.side, [...reading.statements.values()].flat())
    reading.gone.clear()
    reading.fresh.clear()
  }
}

/** The outcome of several questions: the first that is not a proof. */
function first(questions: Iterable<() => Outcome>): Outcome {
  try {
    for (const ask of questions) {
      const outcome = ask()
      if (outcome.kind !== 'none') return outcome
    }
    return { kind: 'none' }
  } catch (error) {
    if (error instanceof Undecided) return { kind: 'undecided', culprits: error.culprits }
    throw error
  }
}

/**
 * Whether what `pieces` say is said as well when `now` stands in the place of `old`: `none` is a proof of it, over all
 * identities, actions, resources and contexts. Denies are settled by denies alone.
 */
export function isCovered(ground: Ground, pieces: readonly Policy[], old: readonly Policy[], now: readonly Policy[]): Outcome {
  return isIn(ground, pieces, (reading) => without(reading, old, now))
}

/** The same where only these policies are there. */
export function isCoveredAmong(ground: Ground, pieces: readonly Policy[], policies: readonly Policy[]): Outcome {
  return isIn(ground, pieces, (reading) => {
    const { side, bans } = indexed(
      reading.base.side,
      policies.flatMap((policy) => reading.statements.get(policy) ?? statementsOfPolicy(reading, policy)),
    )
    return { side: () => side, bans: () => bans }
  })
}

/** See `Indexed`; made when it is asked for, since most questions are about one of them. */
interface Sides {
  readonly side: () => Side
  readonly bans: () => Side
}

function isIn(ground: Ground, pieces: readonly Policy[], sidesOf: (reading: Reading) => Sides): Outcome {
  return first(
    ground.readings.map((reading) => () => {
      const statements = pieces.flatMap((piece) => statementsOfPolicy(reading, piece))
      const { side, bans } = sidesOf(reading)
      const denied = statements.filter(isDeny).map(asGrant)
      const outcome: Outcome = denied.length === 0 ? { kind: 'none' } : covers(bans(), denied, stepBudget)
      const allowed = statements.filter(isAllow)
      return outcome.kind !== 'none' || allowed.length === 0 ? outcome : covers(side(), allowed, stepBudget)
    }),
  )
}

/** The sides with policies in the place of others. */
function without(reading: Reading, old: readonly Policy[], now: readonly Policy[]): Sides {
  const { base, gone, fresh } = reading
  const there = [
    ...[...fresh].flatMap(([policy, statements]) => (old.includes(policy) ? [] : [statements])),
    ...now.map((policy) => statementsOfPolicy(reading, policy)),
  ]
  const hides = ({ policy }: Statement) => gone.has(policy) || old.includes(policy)
  const view = (side: Side, added: readonly Statement[]): Side => ({ ...side, allows: side.allows.without(hides).with(added) })
  const all = there.flat()
  return { side: () => view(base.side, all.filter(isAllow)), bans: () => view(base.bans, all.filter(isDeny).map(asGrant)) }
}

/** Whether a policy says by itself no more than another one: for changes that must not rest on other policies. */
export function isWithin(ground: Ground, policy: Policy, other: Policy): Outcome {
  return first(
    ground.readings.map((reading) => () => {
      const own = { ...reading.base.side, allows: indexOf(statementsOfPolicy(reading, other).filter(isAllow)), denies: nothing }
      return covers(own, statementsOfPolicy(reading, policy).filter(isAllow), stepBudget)
    }),
  )
}

/** How many policies are tried one by one when what covers something is looked for. */
const mostTried = 24

/**
 * The policies by which a part of a policy is covered, as few as are easily found. Empty: nothing is granted by it at
 * all. Undefined: what covers it is more than is named.
 */
export function coverOf(
  ground: Ground,
  pieces: readonly Policy[],
  old: readonly Policy[],
  now: readonly Policy[],
): readonly Policy[] | undefined {
  const others = [...(ground.readings[0] as Reading).statements.keys()].filter((policy) => !old.includes(policy))
  const enough = (policies: readonly Policy[]) => isCoveredAmong(ground, pieces, [...policies, ...now]).kind === 'none'
  if (enough([])) return []
  const near = others.filter((policy) => pieces.some((piece) => mayMeet(piece, policy)))
  const single = near.slice(0, mostTried).find((policy) => enough([policy]))
  if (single) return [single]
  if (near.length > mostTried) return undefined
  let kept = near
  for (const policy of near) {
    const less = kept.filter((each) => each !== policy)
    if (enough(less)) kept = less
  }
  return kept
}

/**
 * The policies whose denies take away all that a part of a policy allows; empty where more than one is needed, undefined
 * where it allows nothing in the first place.
 */
export function deniersOf(ground: Ground, piece: Policy): readonly Policy[] | undefined {
  const isSilent = (policies: readonly Policy[]) =>
    first(
      ground.readings.map((reading) => () => {
        const denies = policies.flatMap((policy) => reading.statements.get(policy) ?? []).filter(isDeny)
        const silent = { ...reading.base.side, allows: nothing, denies: indexOf(denies) }
        return covers(silent, statementsOfPolicy(reading, piece).filter(isAllow), stepBudget)
      }),
    ).kind === 'none'
  if (isSilent([])) return undefined
  const denying = [...(ground.readings[0] as Reading).statements].filter(([, statements]) => statements.some(isDeny))
  const single = denying.slice(0, mostTried).find(([policy]) => isSilent([policy]))
  return single ? [single[0]] : []
}

/** A cheap look at whether two policies can be about the same: the kinds and heads of names agree somewhere. */
function mayMeet(a: Policy, b: Policy): boolean {
  const heads = ({ permissions, permissionsGroups }: Policy) =>
    permissionsGroups.length > 0 ? ['*'] : [...permissions.allow, ...permissions.deny].map(({ value }) => value.pieces[0] as string)
  const [x, y] = [heads(a), heads(b)]
  return x.some((one) => y.some((other) => one === '*' || other === '*' || one.startsWith(other) || other.startsWith(one)))
}

const isOddEntry = ({ value }: Located<Glob>) => hasInnerWildcard(value)

function withoutOddEntries(set: PermissionSet): PermissionSet {
  const strip = (list: readonly Located<Glob>[]) => list.filter((entry) => !isOddEntry(entry))
  return { allow: strip(set.allow), except: strip(set.except), deny: strip(set.deny) }
}

/** A policy without the entries whose wildcards have no published meaning; itself where there is none. */
function withoutOdd(policy: Policy): Policy {
  const { permissions, resources } = policy
  const isOddResource = ({ value }: Policy['resources'][number]) =>
    value.kind === 'resource' && (isOddPart(value.type) || isOddPart(value.name))
  const odd = [permissions.allow, permissions.except, permissions.deny].some((list) => list.some(isOddEntry))
  if (!odd && !resources.some(isOddResource)) return policy
  return { ...policy, permissions: withoutOddEntries(permissions), resources: resources.filter((entry) => !isOddResource(entry)) }
}

function isOddPart(text: string): boolean {
  const star = text.indexOf('*')
  return star >= 0 && star !== text.length - 1
}
