import type { Catalogue } from '../actions/catalogue.ts'
import type { Budget } from '../budget.ts'
import type { Glob } from '../glob.ts'
import type { World } from '../policy.ts'
import { type What, type WhatQuestion as WholeWhatQuestion, what as whatWith } from '../symbolic/what.ts'
import { type Who, type WhoQuestion as WholeWhoQuestion, who as whoWith } from '../symbolic/who.ts'
import { type Given, withGroups } from './questions.ts'

/** Questions about access as programs ask them. */

export type WhoQuestion = Given<WholeWhoQuestion>
export type WhatQuestion = Given<WholeWhatQuestion>

/** Who may do an action on a resource, with the conditions of it. */
export const who = (world: World, question: WhoQuestion, run?: Budget): Who => whoWith(world, withGroups(question), run)

/** Everything that an identity may do, with the conditions of it. `within`: only on resources in a pattern. */
export function what(world: World, question: WhatQuestion, within?: Glob, catalogue?: Pick<Catalogue, 'expand'>, run?: Budget): What {
  return whatWith(world, withGroups(question), within, catalogue, run)
}
