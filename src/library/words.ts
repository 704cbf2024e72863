import type { Catalogue } from '../actions/catalogue.ts'
import { type DiffReport, differenceAnswer } from '../answers/difference.ts'
import type { Answer } from '../answers/model.ts'
import { answerText } from '../answers/text.ts'
import { whatAnswer } from '../answers/what.ts'
import { whoAnswer } from '../answers/who.ts'
import { wordingOf } from '../answers/wording.ts'
import type { World } from '../policy.ts'
import { paint } from '../report/colour.ts'
import { conditionTexts, conditionWords } from '../report/conditions.ts'
import { Names } from '../report/names.ts'
import { expiredConcerns } from '../symbolic/concerning.ts'
import { ActionsByType } from '../symbolic/described.ts'
import type { Formula } from '../symbolic/formula.ts'
import type { What } from '../symbolic/what.ts'
import type { Who } from '../symbolic/who.ts'
import type { Windows } from '../symbolic/windows.ts'
import type { WhatQuestion, WhoQuestion } from './access.ts'

/** Answers as text, as the commands of the same names print them without colour and without a width. */

/** How an answer is printed. */
export interface TextOptions {
  /** Whole URNs. Otherwise what all names in a world share is omitted: `user/ann`, `vps:web-1`. */
  readonly fullUrns?: boolean
  /** Everything. Otherwise a long answer is shortened, and says so. */
  readonly all?: boolean
}

/** A condition of a row in words, such as `from 192.0.2.0/24`; undefined where it always holds. */
export const conditionText = (condition: Formula): string | undefined => conditionWords(condition)

/** The answer of `who` to the question, as `grantwise who` prints it. Ends with a line break. */
export function whoText(world: World, { action, resource, at, from }: WhoQuestion, answer: Who, options: TextOptions = {}): string {
  return printed(whoAnswer(action, resource, answer, at), [world], options, from)
}

/**
 * The answer of `what` to the question, as `grantwise what` prints it. `catalogue`: the one that the actions of each row were counted
 * in. `resource`: what the answer is restricted to.
 */
export function whatText(
  world: World,
  { identity, at, from }: WhatQuestion,
  answer: What,
  catalogue: Catalogue,
  options: TextOptions & { readonly resource?: string; readonly expand?: boolean } = {},
): string {
  const { resource, expand = false } = options
  const since = at ?? from
  const isNothing = answer.what.length === 0 && since !== undefined
  const expired = isNothing ? expiredConcerns(world, identity, resource, catalogue, since) : []
  return printed(whatAnswer({ identity, expand, catalogue, at, resource, expired }, answer), [world], options, from, catalogue)
}

/** How a difference is printed. */
export interface DifferenceTextOptions extends TextOptions {
  /** The two worlds that were compared, for short names; without them, URNs are whole. */
  readonly worlds?: readonly World[]
  /** Lists of all actions of a type are printed as one phrase. */
  readonly catalogue?: Catalogue
  /** The access of the second world beyond a ceiling. */
  readonly beyond?: DiffReport['beyond']
}

/** A difference as `grantwise diff` prints it: for what is described where it has that, else every region. Ends with a line break. */
export function differenceText(difference: DiffReport['difference'], options: DifferenceTextOptions = {}): string {
  const { worlds = [], catalogue, beyond } = options
  const answer = differenceAnswer({ difference, beyond }, difference.described ? 'known' : 'everything')
  return printed(answer, worlds, options, difference.described?.from, catalogue)
}

/** An answer as text without colour. `from`: the instants before it do not count. `windows`: those of conditions, where not from `from` on. */
export function printed(
  answer: Answer,
  worlds: readonly World[],
  options: TextOptions,
  from?: number,
  catalogue?: Catalogue,
  windows?: Windows,
): string {
  const { fullUrns = worlds.length === 0, all = false } = options
  const common = wordingOf(new Names(worlds, fullUrns), from, catalogue && new ActionsByType(catalogue))
  const wording = windows ? { ...common, when: conditionTexts(windows) } : common
  return answerText(answer, { paint: paint(false), wording, all })
}
