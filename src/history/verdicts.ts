import { emptyWorld } from '../world.ts'
import { type Access, accessOf, isAbout, isSameAccess, membersOf, type TimedQuestion } from './access.ts'
import { Narrowed } from './narrowed.ts'
import { deltaBetween, isSameMoment, isUnconcerned, type Moment, type State } from './state.ts'

/** The answers to one question before and after a change; undefined where there are no policies. */
export interface VerdictChange {
  readonly kind: 'verdict'
  readonly before: Access | undefined
  readonly after: Access | undefined
}

/** The answers to one question in states, each found once. */
export class Verdicts {
  private readonly asked: Omit<TimedQuestion, 'at'>
  private readonly answers = new WeakMap<State, Map<number | undefined, Access | undefined>>()
  /** The identity with its groups: the same where states differ in nothing but policies. */
  private readonly members = new WeakMap<State, readonly string[]>()
  private readonly narrowed = new Narrowed((policy, state) => isAbout(policy, this.membersIn(state)))

  constructor(asked: Omit<TimedQuestion, 'at'>) {
    this.asked = asked
  }

  /** The answer in a state; undefined where it has no policies. */
  at(moment: Moment): Access | undefined {
    const accessByInstant = this.knownIn(moment)
    if (accessByInstant.has(moment.at)) return accessByInstant.get(moment.at)
    const { state, at } = moment
    const answer = state.isEmpty ? undefined : accessOf(this.narrowed.worldOf(state), { ...this.asked, at })
    accessByInstant.set(at, answer)
    return answer
  }

  /** How the answer changes; undefined where it is the same. */
  readonly change = (before: Moment | undefined, after: Moment): VerdictChange | undefined => {
    if (before && isSameMoment(before, after)) return undefined
    if (before && deltaBetween(before.state, after.state)) {
      const members = this.membersIn(before.state)
      this.members.set(after.state, members)
      this.narrowed.worldOf(after.state, before.state)
      if (isUnconcerned(before, after, (policy) => isAbout(policy, members))) {
        this.answers.set(after.state, this.knownIn(before))
        return undefined
      }
    }
    const [old, now] = [before && this.at(before), this.at(after)]
    return isSame(old, now) ? undefined : { kind: 'verdict', before: old, after: now }
  }

  private membersIn(state: State): readonly string[] {
    const members = this.members.get(state) ?? membersOf(state.world() ?? emptyWorld, this.asked.question)
    this.members.set(state, members)
    return members
  }

  private knownIn({ state }: Moment): Map<number | undefined, Access | undefined> {
    const known = this.answers.get(state) ?? new Map<number | undefined, Access | undefined>()
    this.answers.set(state, known)
    return known
  }
}

/** Where there are no policies nothing is granted, but nothing is said either: only access differs from that. */
function isSame(a: Access | undefined, b: Access | undefined): boolean {
  if (a && b) return isSameAccess(a, b)
  return (a ?? b ?? { verdict: 'deny' }).verdict === 'deny'
}
