import type { World } from '../policy.ts'
import type { Paint } from '../report/colour.ts'
import { decisionText } from '../report/decision.ts'
import type { Names } from '../report/names.ts'
import type { CanAnswer } from './can.ts'

/** The answer for people; with `all`, the part of every policy. */
export function canText({ question, explanation, ...rest }: CanAnswer, world: World, paint: Paint, names: Names, all = false): string {
  return decisionText(question, explanation, world, paint, { ...rest, all, names })
}
