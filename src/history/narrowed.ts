import { compareText } from '../diagnostic.ts'
import type { Policy, World } from '../policy.ts'
import { emptyWorld } from '../world.ts'
import { deltaBetween, type State } from './state.ts'

/**
 * The worlds of states with only the policies that concern a question. Where a state differs from the one before it in nothing but policies,
 * only these are looked at: the work for a commit is in proportion to what it changes, and not to the number of all policies.
 */
export class Narrowed {
  private readonly worlds = new WeakMap<State, World>()
  private readonly isConcerned: (policy: Policy, state: State) => boolean

  /** `isConcerned`: the same for a policy in states that differ in nothing but policies. */
  constructor(isConcerned: (policy: Policy, state: State) => boolean) {
    this.isConcerned = isConcerned
  }

  /** The world of a state. `before`: one from which it may differ little. */
  worldOf(state: State, before?: State): World {
    const world = this.worlds.get(state) ?? this.following(state, before) ?? this.whole(state)
    this.worlds.set(state, world)
    return world
  }

  private following(state: State, before: State | undefined): World | undefined {
    const delta = deltaBetween(before, state)
    const world = before && delta && this.worlds.get(before)
    if (!world) return undefined
    const [removed, added] = [new Set(delta.before), delta.after.filter((policy) => this.isConcerned(policy, state))]
    if (added.length === 0 && !world.policies.some((policy) => removed.has(policy))) return world
    const policies = [...world.policies.filter((policy) => !removed.has(policy)), ...added]
    return { ...world, policies: inPathOrder(policies) }
  }

  private whole(state: State): World {
    const world = state.world() ?? emptyWorld
    return { ...world, policies: world.policies.filter((policy) => this.isConcerned(policy, state)) }
  }
}

/** Policies in the order of a state: by their files, and those of one file as they were. */
export function inPathOrder(policies: readonly Policy[]): readonly Policy[] {
  return [...policies].sort((a, b) => compareText(a.span.source.path, b.span.source.path))
}
