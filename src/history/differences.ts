import type { Catalogue } from '../actions/catalogue.ts'
import type { Budget } from '../budget.ts'
import { type Difference, type DiffOptions, diff } from '../diff/diff.ts'
import { type DiffSelection, selectedOf } from '../diff/selected.ts'
import { type Concerns, concernsInAny, concernsPolicy } from '../diff/selection.ts'
import { diffBetween } from '../diff/timeline.ts'
import { glob, overlaps } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import type { ActionsByType } from '../symbolic/described.ts'
import { emptyWorld } from '../world.ts'
import { deltaBetween, isSameMoment, isUnconcerned, type Moment, type State } from './state.ts'

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
      if (isUnconcerned(before, after, (policy) => this.mayConcern(policy) && concernsPolicy(concerns, policy))) return undefined
    }
    const difference = this.between(before, after)
    return difference.verdict === 'same' ? undefined : { kind: 'access', difference }
  }

  private between(before: Moment | undefined, after: Moment): Difference {
    const worlds = [before?.state.world() ?? emptyWorld, after.state.world() ?? emptyWorld] as const
    const selection = this.selectionIn(before ? [before.state, after.state] : [after.state])
    const { concerns = anyIdentity } = selection
    const isAsked = (policy: Policy) => this.mayConcern(policy) && concernsPolicy(concerns, policy)
    // Both versions of a policy are kept, also where only one concerns what is asked: the entries in which they differ are named.
    const names = new Set(worlds.flatMap(({ policies }) => policies.filter(isAsked).map(({ name }) => name.value)))
    const narrowed = (world: World): World => ({ ...world, policies: world.policies.filter(({ name }) => names.has(name.value)) })
    const [first, second] = [narrowed(worlds[0]), narrowed(worlds[1])]
    const { budget, ...common } = this.options
    const options: DiffOptions = { ...common, run: budget() }
    const isTimed = before?.at !== undefined && after.at !== undefined && before.at !== after.at
    const whole = isTimed
      ? diffBetween({ world: first, at: before.at as number }, { world: second, at: after.at as number }, { ...options, run: budget() })
      : diff(first, second, { ...options, ...(after.at !== undefined && { at: after.at }) })
    return selectedOf(whole, selection)
  }

  /** Whether a policy may have a part in what is asked: by its resources and actions. */
  private mayConcern({ resources, permissions, permissionsGroups }: Policy): boolean {
    const { action, resource } = this.asked
    const isAbout = (pattern: string, texts: readonly string[]) =>
      pattern === '*' || texts.some((text) => overlaps(glob(pattern), glob(text)))
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
    const known = this.concerns.get(state)
    if (known) return known
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

const anyIdentity: Concerns = () => true
