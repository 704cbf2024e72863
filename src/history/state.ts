import type { Facts } from '../parser/policy.ts'
import type { Policy, World } from '../policy.ts'

/** The policies of a commit. Commits that have the same object have the same policies. */
export interface State {
  /** Whether no file at the paths holds a policy, or facts for one. */
  readonly isEmpty: boolean
  /** Undefined for an empty state. Made when it is asked for: most answers need few of them. */
  readonly world: () => World | undefined
  /** All that its files say. */
  readonly facts: () => readonly Facts[]
  readonly id: symbol
  /** How it differs from an earlier state, where that is only in policies. */
  readonly delta: Delta | undefined
}

/** The policies of two states that are in only one of them: all else is the same in both. */
export interface Delta {
  /** The id of the earlier state: the state itself may be long gone. */
  readonly since: symbol
  /** Those of the earlier state. */
  readonly before: readonly Policy[]
  readonly after: readonly Policy[]
}

/** How a state differs from one before it, where that is only in policies; undefined where it is not known to be. */
export function deltaBetween(before: State | undefined, { delta }: State): Delta | undefined {
  return before !== undefined && delta?.since === before.id ? delta : undefined
}

/** All policies that are in only one of the states. */
export const policiesIn = ({ before, after }: Delta): readonly Policy[] => [...before, ...after]

/** The policies of a commit, at the instant that counts for it; undefined for all times. */
export interface Moment {
  readonly state: State
  readonly at: number | undefined
  /** Of all times, only those from this instant on count. */
  readonly from?: number
}

export const isSameMoment = (a: Moment, b: Moment): boolean => a.state === b.state && a.at === b.at

/** Whether two moments differ in nothing but policies, none of which concerns what is asked. */
export function isUnconcerned(before: Moment, after: Moment, concerns: (policy: Policy) => boolean): boolean {
  const delta = deltaBetween(before.state, after.state)
  return delta !== undefined && before.at === after.at && !policiesIn(delta).some(concerns)
}
