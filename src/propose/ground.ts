import { firstGain, indexOf, type Outcome, type Side, sideOf, withStatements } from '../analysis/inclusion.ts'
import { type Statement, statementsOf, Undecided } from '../analysis/statements.ts'
import { type Glob, hasInnerWildcard } from '../glob.ts'
import type { PermissionSet, Policy, World } from '../policy.ts'
import type { Located } from '../source.ts'

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
  readonly read: (policy: Policy) => Policy
  readonly statements: Map<Policy, readonly Statement[]>
  side: Side
  /** What is denied, as if each deny allowed it. */
  bans: Side
}

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
  const empty = sideOf({ ...world, policies: [] })
  const reading: Reading = { world, read, statements: new Map(), side: empty, bans: empty }
  for (const policy of world.policies) reading.statements.set(policy, statementsIn(reading, policy))
  index(reading)
  return reading
}

function index(reading: Reading): void {
  const all = [...reading.statements.values()].flat()
  reading.side = { ...reading.side, allows: indexOf(all.filter(isAllow)), denies: indexOf(all.filter(isDeny)) }
  reading.bans = { ...reading.side, allows: indexOf(all.filter(isDeny).map(asBan)), denies: nothing }
}

const isAllow = ({ effect }: Statement) => effect === 'allow'
const isDeny = ({ effect }: Statement) => effect === 'deny'
/** A copy has a key of its own; whether it allows or denies is not told apart by it here. */
const asBan = (statement: Statement): Statement => ({ ...statement, key: statement.key, effect: 'allow' })

function statementsIn({ world, read }: Reading, policy: Policy): readonly Statement[] {
  // The statements speak of the policy, not of the way it is read.
  return statementsOf({ ...world, policies: [read(policy)] }, world).map((statement) => ({ ...statement, key: statement.key, policy }))
}

/** Put policies in the place of others: a step that was taken. */
export function replace(ground: Ground, old: readonly Policy[], now: Policy | undefined): void {
  for (const reading of ground.readings) {
    const entries = [...reading.statements].flatMap(([policy, statements]): [Policy, readonly Statement[]][] => {
      if (policy === old[0]) return now ? [[now, statementsIn(reading, now)]] : []
      return old.includes(policy) ? [] : [[policy, statements]]
    })
    reading.statements.clear()
    for (const [policy, statements] of entries) reading.statements.set(policy, statements)
    index(reading)
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

function included(piece: readonly Statement[], within: Side): Outcome {
  return firstGain({ ...within, allows: indexOf(piece) }, within, { of: piece, budget: stepBudget })
}

/**
 * Whether what `pieces` say is said as well when `now` stands in the place of `old`: `none` is a proof of it, over all
 * identities, actions, resources and contexts. Denies are settled by denies alone.
 */
export function isCovered(ground: Ground, pieces: readonly Policy[], old: readonly Policy[], now: readonly Policy[]): Outcome {
  return first(
    ground.readings.flatMap((reading) => [
      () => {
        const bans = pieces.flatMap((piece) => statementsIn(reading, piece)).filter(isDeny)
        return bans.length === 0 ? { kind: 'none' } : included(bans.map(asBan), without(reading, old, now).bans)
      },
      () => {
        const allows = pieces.flatMap((piece) => statementsIn(reading, piece)).filter(isAllow)
        return allows.length === 0 ? { kind: 'none' } : included(allows, without(reading, old, now).side)
      },
    ]),
  )
}

/** The sides with policies in the place of others. What is denied is the same set of requests on both: see `isCovered`. */
function without(reading: Reading, old: readonly Policy[], now: readonly Policy[]): { readonly side: Side; readonly bans: Side } {
  const added = now.flatMap((policy) => statementsIn(reading, policy))
  const hide = (side: Side): Side => ({
    ...side,
    allows: { ...side.allows, hides: ({ policy }) => old.includes(policy) },
  })
  return {
    side: { ...withStatements(hide(reading.side), added.filter(isAllow)), denies: reading.side.denies },
    bans: { ...withStatements(hide(reading.bans), added.filter(isDeny).map(asBan)), denies: nothing },
  }
}

/** Whether a policy says by itself no more than another one: for changes that must not rest on other policies. */
export function isWithin(ground: Ground, policy: Policy, other: Policy): Outcome {
  return first(
    ground.readings.map((reading) => () => {
      const own = { ...reading.side, allows: indexOf(statementsIn(reading, other).filter(isAllow)), denies: nothing }
      return included(statementsIn(reading, policy).filter(isAllow), own)
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
  const enough = (policies: readonly Policy[]) => {
    const hidden = others.filter((policy) => !policies.includes(policy))
    return isCovered(ground, pieces, [...old, ...hidden], now).kind === 'none'
  }
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
  const isSilent = (denies: (policy: Policy) => boolean) =>
    first(
      ground.readings.map((reading) => () => {
        const allows = statementsIn(reading, piece).filter(isAllow)
        const side = { ...reading.side, allows: nothing, denies: indexOf(reading.side.denies.all.filter(({ policy }) => denies(policy))) }
        return included(allows, side)
      }),
    ).kind === 'none'
  if (isSilent(() => false)) return undefined
  const denying = new Set((ground.readings[0] as Reading).side.denies.all.map(({ policy }) => policy))
  const single = [...denying].slice(0, mostTried).find((policy) => isSilent((other) => other === policy))
  return single ? [single] : []
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
