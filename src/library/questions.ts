import type { Catalogue } from '../actions/catalogue.ts'
import type { Budget } from '../budget.ts'
import { exportCedar as exportWith, type CedarExport as WholeExport } from '../export/cedar.ts'
import type { Glob } from '../glob.ts'
import type { World } from '../policy.ts'
import { decide as decideWith, explain as explainWith } from '../simulate/decide.ts'
import type { Decision, Explanation, Question } from '../simulate/decision.ts'
import { compile as compileWith, type EngineOptions, type Engine as WholeEngine } from '../simulate/engine.ts'
import { type What, type WhatQuestion as WholeWhatQuestion, what as whatWith } from '../symbolic/what.ts'
import { type Who, type WhoQuestion as WholeWhoQuestion, who as whoWith } from '../symbolic/who.ts'

/** Questions as programs ask them: without `groups`, the identity is in those of the world only. */

type Given<T extends { readonly groups: readonly string[] }> = Omit<T, 'groups'> & Partial<Pick<T, 'groups'>>

export type GivenQuestion = Given<Question>
export type WhoQuestion = Given<WholeWhoQuestion>
export type WhatQuestion = Given<WholeWhatQuestion>

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

/** Who may do an action on a resource, with the conditions of it. */
export const who = (world: World, question: WhoQuestion, run?: Budget): Who => whoWith(world, withGroups(question), run)

/** Everything that an identity may do, with the conditions of it. `within`: only on resources in a pattern. */
export function what(world: World, question: WhatQuestion, within?: Glob, catalogue?: Pick<Catalogue, 'expand'>, run?: Budget): What {
  return whatWith(world, withGroups(question), within, catalogue, run)
}

/** A world in the language of Cedar. */
export interface CedarExport extends Omit<WholeExport, 'request'> {
  /** The Cedar request for a question. The question must have been parsed. */
  readonly request: (question: GivenQuestion) => ReturnType<WholeExport['request']>
}

/**
 * Translate a world to Cedar. Cedar's answer to `request(question)` is `allow` exactly where three-valued logic makes the
 * question's verdict `allow`; where nothing is missing that is the verdict itself. The same world gives the same output.
 */
export function exportCedar(world: World): CedarExport {
  const exported = exportWith(world)
  return { ...exported, request: (question) => exported.request(withGroups(question)) }
}
