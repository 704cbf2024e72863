import { matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Policy, World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Clause, Decision, Missing, Question, Verdict } from '../simulate/decision.ts'
import { factText } from '../simulate/facts.ts'
import { withKnownTags } from '../simulate/question.ts'
import { dependsOnTime } from '../simulate/why.ts'
import { isOnlyTimed, whenAnswered } from '../symbolic/decision-interval.ts'
import { type Formula, isAlways, isNever, noneOf, printFormula, satisfy, tooMany } from '../symbolic/formula.ts'
import { simplified } from '../symbolic/simplify.ts'

/** The answer to one question under the policies of a commit. */
export interface Access {
  readonly verdict: Verdict
  /** When it is allowed, where that depends on the time and no instant was given; undefined otherwise. */
  readonly when: Formula | undefined
  readonly missing: readonly Missing[]
  /** The entries that it rests on, at the instant that was given, or at that of the run. */
  readonly clauses: readonly Clause[]
  readonly reason: Decision['reason']
}

/** A question over all times, or at an instant. `now`: the instant of the run, at which entries are named. */
export interface TimedQuestion {
  readonly question: Omit<Question, 'at'>
  readonly at: number | undefined
  readonly now: number
}

/** The identity and its groups: policies that name none of them have no part in its answers. */
export function membersOf(world: World, { identity, groups }: Pick<Question, 'identity' | 'groups'>): readonly string[] {
  return [identity, ...groups, ...(world.identities.get(identity)?.groups ?? [])]
}

/** Whether a policy names one of some identities. */
export function isAbout({ identities }: Policy, members: readonly string[]): boolean {
  return identities.some(({ value }) => members.some((member) => matches(value.glob, member)))
}

/** The answer, exactly. Over all times it is `allow` or `deny` where no time changes it, and otherwise `allow` with the times. */
export function accessOf(whole: World, { question, at, now }: TimedQuestion): Access {
  const members = membersOf(whole, question)
  const world = { ...whole, policies: whole.policies.filter((policy) => isAbout(policy, members)) }
  const asked = withKnownTags({ ...question, at: at ?? now }, world)
  const when = at === undefined && world.policies.some(dependsOnTime) ? timesOf(world, asked) : undefined
  const decision = decide(world, asked)
  const { missing, reason, clauses } = decision
  if (when === undefined || reason === 'root') return { verdict: decision.verdict, when: undefined, missing, clauses, reason }
  const [some, others] = [satisfy([when]), satisfy([noneOf(when)])]
  if (some !== undefined && others !== undefined) {
    // Where other facts count as well, it is open at some time, whatever it is now.
    const isOpen = some === tooMany || others === tooMany || !isOnlyTimed(when)
    // The times name the facts that are missing at some of them.
    return { verdict: isOpen ? 'unknown' : 'allow', when, missing: [], clauses, reason }
  }
  return { verdict: some ? 'allow' : 'deny', when: undefined, missing: [], clauses, reason }
}

/** When a question is allowed; undefined where no time changes it. */
function timesOf(world: World, question: Question): Formula | undefined {
  const when = simplified(whenAnswered(world, question))
  return isAlways(when) || isNever(when) ? undefined : when
}

/** Whether two answers are the same to the asker. The times of the same access can be written in several ways. */
export function isSameAccess(a: Access, b: Access): boolean {
  const factsOf = ({ missing }: Access) => keyOf(missing.map(({ fact }) => factText(fact)))
  if (a.verdict !== b.verdict || factsOf(a) !== factsOf(b)) return false
  if (!a.when || !b.when) return a.when === b.when
  return printFormula(a.when) === printFormula(b.when) || (isWithin(a.when, b.when) && isWithin(b.when, a.when))
}

/** Whether one formula holds only where the other does. */
const isWithin = (a: Formula, b: Formula) => satisfy([a, noneOf(b)]) === undefined
