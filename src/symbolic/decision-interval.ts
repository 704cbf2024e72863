import { Budget } from '../budget.ts'
import type { World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Decision, Question, Verdict } from '../simulate/decision.ts'
import type { Zone } from '../zones.ts'
import { whenAllowed } from './described.ts'
import { atomsOf, type Formula, isTimed, noneOf, sizeOf } from './formula.ts'
import { regions } from './regions.ts'
import { type Change, nextChange, Windows } from './windows.ts'

/** How the answer to one question depends on the time: when time alone turns it (docs/access.md, Time). */
export interface DecisionInterval {
  /** The instant that the answer is for. */
  readonly at: number
  readonly verdict: Verdict
  /** The first instant after it at which the answer is another one. */
  readonly next: DecisionChange | undefined
  /** The first instant after that at which it is another one again. */
  readonly after: DecisionChange | undefined
  /** Whether no later instant turns it, for certain. */
  readonly isFinal: boolean
}

export interface DecisionChange {
  readonly at: number
  readonly verdict: Verdict
  /** The zone of the comparison that turns it; UTC for an expiry. */
  readonly zone: Zone
}

/** When a question is allowed, with the time left open. The owning account, which is allowed anything, is not looked at. */
export function whenAnswered(world: World, { at: _at, ...known }: Question): Formula {
  const all = regions(world, known)
  const [allows, denies] = [all.filter(({ effect }) => effect === 'allow'), all.filter(({ effect }) => effect === 'deny')]
  return whenAllowed({ allows, denies, isRoot: false }, known.action)
}

/** From an instant on, when a question that time turns is not allowed; undefined for one that it does not turn. */
export function whenDenied(world: World, question: Question, { reason }: Decision): Formula | undefined {
  const formula = whenAnswered(world, question)
  return reason === 'root' || !dependsOnTime(formula) ? undefined : noneOf(formula)
}

/** The cost of deciding about one policy or comparison again, in steps. */
const stepsOfDecision = 16
/** How many changes are looked at in search of one that turns the answer. */
const mostChanges = 200

/** How the time turns the answer to a question; undefined where the answer does not depend on it. */
export function decisionIntervalOf(
  world: World,
  question: Question,
  { verdict, reason }: Decision,
  run: Budget = new Budget(),
): DecisionInterval | undefined {
  if (reason === 'root') return undefined
  const formula = whenAnswered(world, question)
  if (!dependsOnTime(formula)) return undefined
  const next = nextTurn(world, question, verdict, formula, question.at, run)
  const after = next && nextTurn(world, question, next.verdict, formula, next.at, run)
  return { at: question.at, verdict, next, after, isFinal: !next && isOnlyTimed(formula) && !run.isSpent }
}

/** Whether the time makes a difference, other facts being fixed. */
function dependsOnTime(formula: Formula): boolean {
  if (!isTimed(formula)) return false
  const found = new Windows().describe(formula)
  return !found || [...found.any, ...found.except].some(({ spans, weekly }) => spans !== undefined || weekly.length > 0)
}

function nextTurn(
  world: World,
  question: Question,
  verdict: Verdict,
  formula: Formula,
  from: number,
  run: Budget,
): DecisionChange | undefined {
  let last = from
  for (let i = 0; i < mostChanges; i++) {
    const change = isOnlyTimed(formula) ? nextChange(formula, last, { run }) : firstChange(formula, last, run)
    if (!change || run.isSpent) return undefined
    const { at, zone } = change
    run.left -= stepsOfDecision * (world.policies.length + sizeOf(formula))
    const other = decide(world, { ...question, at }).verdict
    if (other !== verdict) return { at, zone, verdict: other }
    last = at
  }
  return undefined
}

export const isOnlyTimed = (formula: Formula): boolean => [...atomsOf(formula)].every(isTimed)

/** The next change of any comparison with the time: what three-valued logic leaves open may be decided all the same. */
function firstChange(formula: Formula, from: number, run: Budget): Change | undefined {
  let first: Change | undefined
  for (const atom of atomsOf(formula)) {
    const change = isTimed(atom) ? nextChange(atom, from, { run }) : undefined
    if (change && (!first || change.at < first.at)) first = change
  }
  return first
}
