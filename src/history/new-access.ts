import type { Budget } from '../budget.ts'
import type { DescribedChange } from '../diff/described.ts'
import { type Difference, type DiffRegion, diff } from '../diff/diff.ts'
import { glob, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { lazy, type Memoize, memoizeByObject, memoizeByText } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import type { ActionsByType } from '../symbolic/described.ts'
import { notBefore } from '../symbolic/formula.ts'
import { findNewAccess } from '../symbolic/gained.ts'
import { permissionsOf } from '../symbolic/regions.ts'
import { type Side, sideOf } from '../symbolic/side.ts'
import { witnessOf } from '../symbolic/witness.ts'
import { inResourceGroup } from '../world.ts'
import { meets, type Reach, reachOf } from './effects.ts'

/** Whether access is new, with a request that shows it. `undecided`: it cannot be proved either way. */
export type Novelty = { readonly kind: 'new'; readonly question: Question } | { readonly kind: 'old' } | { readonly kind: 'undecided' }

export interface NoveltyOptions {
  /** Access that ended before this instant does not count. */
  readonly from: number
  readonly run: Budget
  readonly keep?: Memoize
}

/** A world, and all that its policies say, to compare with another. */
export interface ComparedWorld {
  readonly world: World
  readonly side: Side
}

/** Two worlds as they are compared with each other. */
export function comparedWorlds(before: World, now: World, keep?: Memoize): readonly [before: ComparedWorld, now: ComparedWorld] {
  return [
    { world: before, side: sideOf(before, now, keep) },
    { world: now, side: sideOf(now, before, keep) },
  ]
}

/**
 * Whether a part of a policy grants, in a world, anything that another world does not: over all identities, actions, resources, addresses, tags
 * and times from now on, after what all policies of the same world deny.
 */
export function novelty(part: Policy, [before, now]: readonly [ComparedWorld, ComparedWorld], { from, run }: NoveltyOptions): Novelty {
  const partSide = sideOf({ ...now.world, policies: [part] }, [before.world, now.world])
  if (partSide.allows.statements.length === 0) return { kind: 'old' }
  const { regions, culprits } = findNewAccess({ ...now.side, allows: partSide.allows }, before.side, undefined, notBefore(from), run)
  const [first] = regions.flatMap(({ newAccess }) => newAccess)
  if (first) return { kind: 'new', question: witnessOf(first) }
  return regions.length > 0 || culprits.length > 0 ? { kind: 'undecided' } : { kind: 'old' }
}

/** The access that a world has and an earlier one has not, to ask of parts of its policies whether they grant some of it. */
export class NewAccess {
  readonly difference: Difference
  private readonly now: World
  private readonly sides: () => readonly [ComparedWorld, ComparedWorld]
  private readonly options: NoveltyOptions
  private readonly reaches: readonly Reach[]
  private readonly judged: (part: Policy) => Novelty
  private count = 0
  private readonly numbers = memoizeByObject<object, number>(() => this.count++)

  constructor(before: World, now: World, actions: ActionsByType, options: NoveltyOptions) {
    this.now = now
    this.options = options
    this.difference = diff(before, now, { only: 'gained', within: { from: options.from }, described: actions, run: options.run })
    this.sides = lazy(() => comparedWorlds(before, now, options.keep))
    this.reaches = this.difference.gained.map(reachOfRegion)
    this.judged = memoizeByText(
      (part: Policy) => this.keyOf(part),
      (part) => this.judge(part),
    )
  }

  /** Nothing is new: proved over all requests, and for all that is described. */
  get isNone(): boolean {
    return this.difference.verdict === 'same'
  }

  of(part: Policy): Novelty {
    return this.isNone ? { kind: 'old' } : this.judged(part)
  }

  private judge(part: Policy): Novelty {
    const { described, undecided } = this.difference
    // Tags, owners and members of described things may differ, where the policies do not.
    const change = described?.gained.find((each) => this.isAbout(part, each))
    if (change) return { kind: 'new', question: change.witness }
    const isOpen = undecided.length > 0 || described?.undecided === true
    const reach = reachOf(part)
    if (!isOpen && !this.reaches.some((each) => meets(each, reach))) return { kind: 'old' }
    const result = novelty(part, this.sides(), this.options)
    return result.kind === 'old' && described?.undecided ? { kind: 'undecided' } : result
  }

  /** A text for what a part of a policy grants: findings often have the same part. */
  private keyOf({ name, condition, expiresAt, identities, resources, permissions, permissionsGroups }: Policy): string {
    const texts = (all: readonly { readonly value: { readonly text: string } }[]) => all.map(({ value }) => value.text)
    return keyOf(
      // Not their places: policies of one place, as of `for_each`, may have other values.
      this.numbers(name),
      condition && this.numbers(condition),
      expiresAt?.value,
      texts(identities),
      texts(resources),
      texts(permissions.allow),
      texts(permissions.except),
      texts(permissionsGroups),
    )
  }

  /** Whether a part may be about a change of what is described, by names. */
  private isAbout(part: Policy, { identities, actions, resources }: DescribedChange): boolean {
    const { now } = this
    const isMember = (identity: string) => {
      const members = [identity, ...(now.identities.get(identity)?.groups ?? [])]
      return part.identities.some(({ value }) => members.some((member) => matches(value.glob, member)))
    }
    const isIn = (resource: string) =>
      part.resources.some(({ value }) =>
        value.kind === 'resource' ? matches(value.glob, resource) : inResourceGroup(now, value, resource) !== false,
      )
    const sets = permissionsOf(part, now)
    const isGranted = (action: string) =>
      sets.some(
        ({ set }) => set.allow.some(({ value }) => matches(value, action)) && !set.except.some(({ value }) => matches(value, action)),
      )
    return actions.some(isGranted) && identities.some(isMember) && resources.some(isIn)
  }
}

/** The patterns that a gained region is about. A group may have any members. */
function reachOfRegion({ identities, actions, resources }: DiffRegion): Reach {
  const isGroup = (text: string) => text === '*' || /:identity:(?:group:|\*)/.test(text)
  return {
    identities: identities.some(isGroup) ? undefined : identities.map(glob),
    actions: actions.map(glob),
    resources: resources.some(({ pattern }) => !pattern.includes(':resource:')) ? undefined : resources.map(({ pattern }) => glob(pattern)),
  }
}
