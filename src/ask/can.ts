import { readAction } from '../actions/action.ts'
import type { Catalogue } from '../actions/catalogue.ts'
import type { Budget } from '../budget.ts'
import type { Settings } from '../names.ts'
import type { World } from '../policy.ts'
import { unknownNames } from '../report/unknown-names.ts'
import { explain } from '../simulate/decide.ts'
import type { Decision, Explanation, Problem, Question } from '../simulate/decision.ts'
import { problemsOf, readQuestion, withKnownTags } from '../simulate/question.ts'
import type { ShortNames } from '../simulate/short-names.ts'
import { dependsOnTime } from '../simulate/why.ts'
import type { DecisionInterval } from '../symbolic/decision-interval.ts'
import type { Remedies } from '../symbolic/remedies.ts'
import { type ReadContext, withWholeGroups } from './context.ts'

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

function withCommands(problem: Problem): Problem {
  const isOfPattern = problem.help === undefined && / not a pattern$/.test(problem.message)
  return isOfPattern ? { ...problem, help: 'ask about a pattern with `who`, `what` or a policy test (`test`)' } : problem
}

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
  const catalogue = await catalogueFor(decision)
  const notes = unknownNames(question, { ...(catalogue && { catalogue }), brand, names, isDecided: isDecided(decision) })
  const [turning, remedies] = [await turningOf(world, question, decision, run), await remediesOf(explanation, world, question)]
  return { question, explanation, turning, remedies, notes }
}

// Loaded on demand: times and conditions need the symbolic part of the program, which most answers do not.

export async function turningOf(world: World, question: Question, decision: Decision, run?: Budget): Promise<DecisionInterval | undefined> {
  if (!world.policies.some(dependsOnTime)) return undefined
  return (await import('../symbolic/decision-interval.ts')).decisionIntervalOf(world, question, decision, run)
}

async function remediesOf({ nearest }: Explanation, world: World, question: Question): Promise<Remedies | undefined> {
  if (!nearest.some(({ stoppedAt }) => stoppedAt === 'condition')) return undefined
  return (await import('../report/remedy.ts')).remediesOf(nearest, world, question)
}

/** Whether an entry decided, so that the names in the question fit something. */
export const isDecided = ({ reason }: Decision): boolean => reason !== 'default' && reason !== 'unknown'
