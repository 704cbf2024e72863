import type { Facts } from '../parser/policy.ts'
import type { Policy, World } from '../policy.ts'

/** The policies of a commit. Commits that have the same object have the same policies. */
export interface State {
  /** Undefined: no file at the paths holds a policy, or facts for one. Made when it is asked for: most answers need few of them. */
  readonly world: () => World | undefined
  /** All that its files say. */
  readonly facts: () => readonly Facts[]
  /** How it differs from an earlier state, where that is only in policies. */
  readonly delta: Delta | undefined
}

/** The policies of two states that are in only one of them: all else is the same in both. */
export interface Delta {
  /** Whether it is since this state. */
  readonly isSince: (state: State) => boolean
  readonly policies: readonly Policy[]
}

/** The policies of a commit, at the instant that counts for it; undefined for all times. */
export interface Moment {
  readonly state: State
  readonly at: number | undefined
}

export const isSameMoment = (a: Moment, b: Moment): boolean => a.state === b.state && a.at === b.at

/** Whether two moments differ in nothing but policies, none of which concerns what is asked. */
export function isUnconcerned(before: Moment, after: Moment, concerns: (policy: Policy) => boolean): boolean {
  const { delta } = after.state
  return delta?.isSince(before.state) === true && before.at === after.at && !delta.policies.some(concerns)
}
