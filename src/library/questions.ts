import type { World } from '../policy.ts'
import { decide as decideWith, explain as explainWith } from '../simulate/decide.ts'
import type { Decision, Explanation, Question } from '../simulate/decision.ts'
import { compile as compileWith, type EngineOptions, type Engine as WholeEngine } from '../simulate/engine.ts'

/** Questions as programs ask them: without `groups`, the identity is in those of the world only. */

export type Given<T extends { readonly groups: readonly string[] }> = Omit<T, 'groups'> & Partial<Pick<T, 'groups'>>

export type GivenQuestion = Given<Question>

/** The same object where its groups are given: an engine is asked many times. */
export function withGroups<T extends { readonly groups?: readonly string[] }>(question: T): T & { readonly groups: readonly string[] } {
  return question.groups ? (question as T & { readonly groups: readonly string[] }) : { ...question, groups: [] }
}

/** Decide one question, exactly: the verdict is unknown only where two completions of the missing facts differ. */
export const decide = (world: World, question: GivenQuestion): Decision => decideWith(world, withGroups(question))

/** The decision, with the part that every policy had in it, in written order. */
export const explain = (world: World, question: GivenQuestion): Explanation => explainWith(world, withGroups(question))

/** Tables of a world that answer many questions. */
export interface Engine extends Pick<WholeEngine, 'change'> {
  /** Only the verdict: nothing is allocated where groups are given, the strings are known and no unknown fact counts. */
  readonly verdict: (question: GivenQuestion) => ReturnType<WholeEngine['verdict']>
  /** The whole decision, equal to that of `decide`. An entry is the same object in all decisions that rest on it. */
  readonly decide: (question: GivenQuestion) => Decision
  /**
   * The same, where identity, action and resource were all asked about before; else undefined. For callers that read names
   * by their grammar first: these have been read. Also undefined when it is time to forget, which `decide` does.
   */
  readonly decideKnown: (question: GivenQuestion) => Decision | undefined
  /** The verdict of it, under the same condition. */
  readonly verdictKnown: (question: GivenQuestion) => ReturnType<WholeEngine['verdictKnown']>
}

/** Build the tables of a world once, for many questions. */
export function compile(world: World, options: EngineOptions = {}): Engine {
  const engine = compileWith(world, options)
  return {
    verdict: (question) => engine.verdict(withGroups(question)),
    decide: (question) => engine.decide(withGroups(question)),
    decideKnown: (question) => engine.decideKnown(withGroups(question)),
    verdictKnown: (question) => engine.verdictKnown(withGroups(question)),
    change: (other, removed, added) => engine.change(other, removed, added),
  }
}
