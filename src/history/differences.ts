import type { Catalogue } from '../actions/catalogue.ts'
import type { Budget } from '../budget.ts'
import { type Difference, type DiffOptions, diff } from '../diff/diff.ts'
import { type DiffSelection, selectedOf } from '../diff/selected.ts'
import { type Concerns, concernsInAny, concernsPolicy } from '../diff/selection.ts'
import { diffBetween } from '../diff/timeline.ts'
import { glob, overlaps } from '../glob.ts'
import { Memo } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { type ActionsByType, type KnownNames, knownNamesIn } from '../symbolic/described.ts'
import { emptyWorld } from '../world.ts'
import { meets, reachOf } from './effects.ts'
import { inPathOrder, Narrowed } from './narrowed.ts'
import { deltaBetween, isSameMoment, isUnconcerned, type Moment, policiesIn, type State } from './state.ts'

/** The access of many before and after a change. */
export interface AccessChange {
  readonly kind: 'access'
  readonly difference: Difference
}

/** Patterns over identities, actions and resources; `*` for all. */
export interface AskedPatterns {
  readonly identity: string
  readonly action: string
  readonly resource: string
}

export interface DifferencesOptions {
  readonly catalogue: Catalogue
  readonly described: ActionsByType
  /** A new budget, for each comparison: the steps of one do not depend on how many there are. */
  readonly budget: () => Budget
}

/** Compares states exactly, as far as some patterns match. */
export class Differences {
  private readonly asked: AskedPatterns
  private readonly options: DifferencesOptions
  /** Who is asked about: the same where states differ in nothing but policies. */
  private readonly concerns = new WeakMap<State, Concerns>()
  private readonly narrowed = new Narrowed((policy, state) => this.isAsked(policy, this.concernsIn(state)))
  private readonly memo = new Memo()

  constructor(asked: AskedPatterns, options: DifferencesOptions) {
    this.asked = asked
    this.options = options
  }

  /** How access changes; undefined where it is the same. */
  readonly change = (before: Moment | undefined, after: Moment): AccessChange | undefined => {
    if (before && isSameMoment(before, after)) return undefined
    if (before && deltaBetween(before.state, after.state)) {
      const concerns = this.concernsIn(before.state)
      this.concerns.set(after.state, concerns)
      this.narrowed.worldOf(after.state, before.state)
      if (isUnconcerned(before, after, (policy) => this.isAsked(policy, concerns))) return undefined
    }
    const difference = this.between(before, after)
    return difference.verdict === 'same' ? undefined : { kind: 'access', difference }
  }

  private between(before: Moment | undefined, after: Moment): Difference {
    const selection = this.selectionIn(before ? [before.state, after.state] : [after.state])
    const [[first, second], things] = this.worldsOf(before, after, selection.concerns)
    const { budget, ...common } = this.options
    const options: DiffOptions = { ...common, things, keep: this.memo.keep, run: budget() }
    const isTimed = before?.at !== undefined && after.at !== undefined && before.at !== after.at
    const whole = isTimed
      ? diffBetween({ world: first, at: before.at as number }, { world: second, at: after.at as number }, { ...options, run: budget() })
      : diff(first, second, {
          ...options,
          ...(after.at !== undefined && { at: after.at }),
          ...(after.from !== undefined && { within: { from: after.from } }),
        })
    return selectedOf(whole, selection)
  }

  /**
   * Two states with the policies that have a part in what is asked, and of them what is about those who are asked about; and the names that
   * these describe.
   */
  private worldsOf(
    before: Moment | undefined,
    after: Moment,
    concerns: Concerns | undefined,
  ): readonly [worlds: readonly [before: World, after: World], things: KnownNames] {
    const delta = deltaBetween(before?.state, after.state)
    const first = before ? this.askedIn(before.state, concerns) : emptyWorld
    const second = this.askedIn(after.state, concerns, before?.state)
    // Both versions of a policy are kept, also where only one concerns what is asked: the entries in which they differ are named.
    const names = new Set([first, second].flatMap(({ policies }) => policies.map(({ name }) => name.value)))
    const asked = ({ policies, ...world }: World, all: readonly Policy[]): World => {
      const currentPolicies = new Set(policies)
      const versions = all.filter((policy) => names.has(policy.name.value) && !currentPolicies.has(policy))
      const merged = { ...world, policies: inPathOrder([...policies, ...versions]) }
      return concerns ? onlyAbout(concerns, merged, this.memo) : merged
    }
    const worlds = delta
      ? ([asked(first, delta.before), asked(second, delta.after)] as const)
      : ([asked(first, before?.state.world()?.policies ?? []), asked(second, after.state.world()?.policies ?? [])] as const)
    const things = knownNamesIn(worlds)
    if (!delta || before?.at !== after.at) return [worlds, things]
    // At one time, a request that no changed policy may be about is answered as before: others count only where they may meet a changed one.
    const changed = policiesIn(delta)
    const changedNames = new Set(changed.map(({ name }) => name.value))
    const reaches = changed.map((policy) => this.memo.keep(reachOf, policy))
    const isMet = (policy: Policy) =>
      changedNames.has(policy.name.value) || reaches.some((reach) => meets(this.memo.keep(reachOf, policy), reach))
    const met = (world: World): World => ({ ...world, policies: world.policies.filter(isMet) })
    return [[met(worlds[0]), met(worlds[1])], things]
  }

  /** A state with the policies that have a part in what is asked. `earlier`: one from which it may differ little. */
  private askedIn(state: State, concerns: Concerns = anyIdentity, earlier?: State): World {
    if (concerns === this.concernsIn(state)) return this.narrowed.worldOf(state, earlier)
    const world = state.world() ?? emptyWorld
    return { ...world, policies: world.policies.filter((policy) => this.isAsked(policy, concerns)) }
  }

  private isAsked(policy: Policy, concerns: Concerns): boolean {
    return this.mayConcern(policy) && concernsPolicy(concerns, policy)
  }

  /** Whether a policy may have a part in what is asked: by its resources and actions. */
  private mayConcern({ resources, permissions, permissionsGroups }: Policy): boolean {
    const { action, resource } = this.asked
    const isAbout = (pattern: string, strings: readonly string[]) =>
      pattern === '*' || strings.some((text) => overlaps(glob(pattern), glob(text)))
    return (
      resources.some(({ value }) => value.kind !== 'resource' || isAbout(resource, [value.text])) &&
      (permissionsGroups.length > 0 ||
        isAbout(
          action,
          [...permissions.allow, ...permissions.deny].map(({ value }) => value.text),
        ))
    )
  }

  private concernsIn(state: State): Concerns {
    const cached = this.concerns.get(state)
    if (cached) return cached
    const concerns = this.concernsInAny([state])
    this.concerns.set(state, concerns)
    return concerns
  }

  /** In states that describe it differently, as in both together: one may name the groups that the other leaves open. */
  private concernsInAny(states: readonly State[]): Concerns {
    const { identity } = this.asked
    const worlds = identity === '*' ? [] : states.map((state) => state.world() ?? emptyWorld)
    return concernsInAny(identity, worlds) ?? anyIdentity
  }

  private selectionIn(states: readonly State[]): DiffSelection {
    const { identity, action, resource } = this.asked
    const [isOfSome, isOfActions] = [identity !== '*', action !== '*']
    const [concerns = anyIdentity, ...others] = new Set(states.map((state) => this.concernsIn(state)))
    return {
      actions: isOfActions ? [glob(action)] : [],
      resources: resource === '*' ? [] : [glob(resource)],
      words: { ...(isOfSome && { identities: [identity] }), ...(isOfActions && { actions: [action] }) },
      ...(isOfSome && { concerns: others.length === 0 ? concerns : this.concernsInAny(states) }),
    }
  }
}

/** A world with nothing about identities that are not asked about: access of one does not depend on others. */
function onlyAbout(concerns: Concerns, world: World, memo: Memo): World {
  const { policies, identities } = memo.keep(cutTo, concerns)
  return { ...world, policies: world.policies.map(policies), identities: identities(world.identities) }
}

/** The parts of a world that are about some identities, each made once: what is the same in two worlds stays the same. */
function cutTo(concerns: Concerns) {
  const memo = new Memo()
  const cutPolicy = (policy: Policy): Policy => {
    const own = policy.identities.filter(({ value }) => concerns(value.text))
    return own.length === policy.identities.length ? policy : { ...policy, identities: own }
  }
  const cutIdentities = (all: World['identities']): World['identities'] => new Map([...all].filter(([urn]) => concerns(urn)))
  return {
    policies: (policy: Policy) => memo.keep(cutPolicy, policy),
    identities: (all: World['identities']) => memo.keep(cutIdentities, all),
  }
}

const anyIdentity: Concerns = () => true
