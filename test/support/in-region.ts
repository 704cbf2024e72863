import { matches } from '../../src/glob.ts'
import type { World } from '../../src/policy.ts'
import type { Question } from '../../src/simulate/decision.ts'
import type { Box } from '../../src/symbolic/boxes.ts'
import { evaluate } from '../../src/symbolic/formula.ts'
import type { GainedRegion, RegionExclusion } from '../../src/symbolic/gained.ts'
import type { Caller } from '../../src/symbolic/search.ts'

/**
 * Whether a question that gives every fact is in a region, read plainly. `a` grants it, and `b` does not. Of tags, `k` and `e` count.
 */
export function inRegion(region: GainedRegion, question: Question, a: World, b: World): boolean {
  const members = (world: World) => [question.identity, ...question.groups, ...(world.identities.get(question.identity)?.groups ?? [])]
  const [here, there] = [members(a), members(b)]
  const [, , plate = '', , type = '', ...rest] = question.resource.split(':')
  const inBox = (box: Box) => matches(box.region, plate) && matches(box.type, type) && matches(box.name, rest.join(':'))
  // A group comes along on both sides: who is in it on one side only has regions of its own.
  const isCaller = ({ self, groups }: Caller) =>
    (!self || matches(self, question.identity)) &&
    groups.every((group) => [here, there].every((members) => members.some((member) => matches(group, member))))
  const model = {
    tags: new Map(['k', 'e'].map((key) => [key, question.tags?.get(key) ?? null])),
    assumed: new Map(),
    at: question.at,
    ...(question.ip && { ip: question.ip }),
  }
  const holds = (formula: GainedRegion['formulas'][number]) => {
    const truth = evaluate(formula, model)
    if (truth === undefined) throw new Error('a condition asks for more')
    return truth
  }
  const isExcluded = ({ why, identities, boxes, actions, exclusions, formula }: RegionExclusion) => {
    const who = why === 'apart' ? [question.identity] : why === 'already' ? there : here
    const texts = { action: question.action, type, name: rest.join(':') }
    return (
      (!identities || identities.some((each) => who.some((member) => matches(each, member)))) &&
      (!boxes || boxes.some(inBox)) &&
      (!actions || actions.some((each) => matches(each, question.action))) &&
      !exclusions.some(({ dimension, pattern }) => matches(pattern, texts[dimension])) &&
      holds(formula)
    )
  }
  return (
    region.callers.some(isCaller) &&
    region.actions.some((action) => matches(action, question.action)) &&
    region.boxes.some(inBox) &&
    region.formulas.every(holds) &&
    !region.excluded.some(isExcluded)
  )
}
