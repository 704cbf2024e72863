import { readAction } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import type { Budget } from '../budget.ts'
import type { Settings } from '../names.ts'
import type { World } from '../policy.ts'
import { unknownNames } from '../report/unknown-names.ts'
import { explain } from '../simulate/decide.ts'
import { asMemberWords, type Decision, type Explanation, type Overruling, type Problem, type Question } from '../simulate/decision.ts'
import { problemsOf, readQuestion, withKnownTags } from '../simulate/question.ts'
import type { ShortNames } from '../simulate/short-names.ts'
import { dependsOnTime } from '../simulate/why.ts'
import type { DecisionInterval } from '../symbolic/decision-interval.ts'
import type { Remedies } from '../symbolic/remedies.ts'
import { type ContextGiven, type ReadContext, withWholeGroups } from './context.ts'

export type CanAsked = readonly [identity: string, action: string, resource: string]

/** Read a question to which short names may belong. */
export function readCan([identity, action, resource]: CanAsked, readContext: ReadContext, names: ShortNames, settings: Settings) {
  const who = names.identity(identity)
  const on = names.resource(resource)
  const { context, problems } = withWholeGroups(readContext, names)
  const unresolved = [who, on].flatMap(({ problem }) => (problem ? [problem] : []))
  const read = readQuestion(who.text, action, on.text, context, settings)
  const ownProblems =
    unresolved.length > 0 ? [...unresolved, ...problemsOf('action', action, readAction(action, settings.brand))] : (read.problems ?? [])
  const isPattern = [who.text, action, on.text].some((text) => text.includes('*'))
  return { question: read.question, problems: [...(isPattern ? ownProblems.map(withCommands) : ownProblems), ...problems] }
}

/** The parts of a question, in the words of the options of commands: short names, then circumstances. */
export type CanPart = 'identity' | 'action' | 'resource' | keyof ContextGiven

/** The part that a problem of `readCan` is about, for a form that has a field for each. */
export function partOf({ message }: Problem): CanPart {
  const [, option, name] = /^(?:--(group|ip|tag|at|owner)\b|(identity|action|group)\b)/.exec(message) ?? []
  // Of a resource the message may begin with its name: that it is a type.
  return (option ?? name ?? 'resource') as CanPart
}

function withCommands(problem: Problem): Problem {
  const isOfPattern = problem.help === undefined && / not a pattern$/.test(problem.message)
  return isOfPattern ? { ...problem, help: 'ask about a pattern with `who`, `what` or a policy test (`test`)' } : problem
}

/** Doubts about the names of a question, and about an allow. Without a catalogue, actions and types are not compared. */
function notesOn(question: Question, explanation: Explanation, names: ShortNames, brand: string, catalogue: Catalogue | undefined) {
  const { decision, overruled } = explanation
  const unknown = unknownNames(question, { ...(catalogue && { catalogue }), brand, names, isDecided: isDecided(decision) })
  return [...unknown, ...overruledNotes(overruled)]
}

/** That a group of the identity would turn an allow, or might. */
export const overruledNotes = (overruled: Overruling | undefined): readonly string[] =>
  overruled ? [asMemberWords(overruled, 'denied')] : []

/**
 * Answer a question over the world of some names, with everything that a person is shown of it: the question has the tags that the
 * world knows of the resource, notes say what may be wrong with its names. Without a catalogue, actions and types are not compared.
 */
export async function answerCan(
  world: World,
  names: ShortNames,
  asked: Question,
  brand: string,
  catalogueFor: (decision: Decision) => Promise<Catalogue | undefined>,
  run?: Budget,
) {
  const question = withKnownTags(asked, world)
  const explanation = explain(world, question)
  const { decision } = explanation
  const notes = notesOn(question, explanation, names, brand, await catalogueFor(decision))
  const turning = await turningOf(world, question, decision, run)
  const remedies = needsRemedies(explanation)
    ? (await import('../report/remedy.ts')).remediesOf(explanation.nearest, world, question)
    : undefined
  return { question, explanation, turning, remedies, notes }
}

/** The parts of an answer that the symbolic part of the program works out. */
export interface Symbolic {
  readonly decisionIntervalOf: (world: World, question: Question, decision: Decision, run?: Budget) => DecisionInterval | undefined
  readonly remediesOf: (nearest: Explanation['nearest'], world: World, question: Question) => Remedies
}

/** The same answer without waiting, from a program that has all of it at hand. */
export function answerCanNow(world: World, names: ShortNames, asked: Question, brand: string, catalogue: Catalogue, symbolic: Symbolic) {
  const question = withKnownTags(asked, world)
  const explanation = explain(world, question)
  const notes = notesOn(question, explanation, names, brand, catalogue)
  const turning = hasTimes(world) ? symbolic.decisionIntervalOf(world, question, explanation.decision) : undefined
  const remedies = needsRemedies(explanation) ? symbolic.remediesOf(explanation.nearest, world, question) : undefined
  return { question, explanation, turning, remedies, notes }
}

const hasTimes = ({ policies }: World): boolean => policies.some(dependsOnTime)
const needsRemedies = ({ nearest }: Explanation): boolean => nearest.some(({ stoppedAt }) => stoppedAt === 'condition')

// Loaded on demand: times and conditions need the symbolic part of the program, which most answers do not.

export async function turningOf(world: World, question: Question, decision: Decision, run?: Budget): Promise<DecisionInterval | undefined> {
  if (!hasTimes(world)) return undefined
  return (await import('../symbolic/decision-interval.ts')).decisionIntervalOf(world, question, decision, run)
}

/** Whether an entry decided, so that the names in the question fit something. */
export const isDecided = ({ reason }: Decision): boolean => reason !== 'default' && reason !== 'unknown'
