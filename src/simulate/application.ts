import { inRanges } from '../conditions/address.ts'
import { hasString } from '../conditions/sets.ts'
import { holdsClock, type Test, zoneOf } from '../conditions/test.ts'
import { matches } from '../glob.ts'
import type { Condition, Policy, World } from '../policy.ts'
import { typeAndName } from '../urn/resource.ts'
import { inResourceGroup, isOpenGroup } from '../world.ts'
import type { Question } from './decision.ts'
import { knownTag } from './facts.ts'

/** 1 true, 0 false, -1 not known: numbers, so that nothing is allocated. */
export type Ternary = 1 | 0 | -1

/** Whether something holds for a question, as far as is known. */
export type Predicate = (question: Question) => Ternary

/** Whether a policy applies to a question that it is about by identity and resource; undefined when that is always so. */
export function applicationOf(policy: Policy, world: World): Predicate | undefined {
  const { expiresAt, condition } = policy
  const until = expiresAt?.value
  const holds = condition && conditionOf(condition, world)
  const isOpen = namesOpenGroup(policy, world)
  if (until === undefined && !isOpen) return holds
  return (question) => {
    if (until !== undefined && question.at > until) return 0
    const here = isOpen ? resourceHolds(policy, world, question.resource) : 1
    if (here === 0) return 0
    const truth = holds ? holds(question) : 1
    return truth === 1 ? here : truth
  }
}

/** Whether a policy names a resource group whose members are not all known. */
export function namesOpenGroup({ resources }: Policy, world: World): boolean {
  return resources.some(({ value }) => value.kind === 'group' && isOpenGroup(world, value))
}

/** Whether a policy that names groups of unknown members is about a resource. */
function resourceHolds(policy: Policy, world: World, resource: string): Ternary {
  let result: Ternary = 0
  for (const { value } of policy.resources) {
    const truth = value.kind === 'resource' ? matches(value.glob, resource) : inResourceGroup(world, value, resource)
    if (truth) return 1
    if (truth === undefined) result = -1
  }
  return result
}

function conditionOf(condition: Condition, world: World): Predicate {
  if (condition.kind === 'opaque') return () => -1
  if (condition.kind === 'match') return testOf(condition.test, world)
  const operands = condition.operands.map((operand) => conditionOf(operand, world))
  const [stop, outcome, otherwise] = connectives[condition.kind]
  return (question) => {
    let result: Ternary = otherwise
    for (let i = 0; i < operands.length; i++) {
      const truth = (operands[i] as Predicate)(question)
      if (truth === stop) return outcome
      if (truth === -1) result = -1
    }
    return result
  }
}

/** The truth of an operand that settles it, how, and what holds when none does. */
const connectives: Readonly<Record<'and' | 'or' | 'not', readonly [Ternary, Ternary, Ternary]>> = {
  and: [0, 0, 1],
  or: [1, 1, 0],
  not: [1, 0, 1],
}

function testOf(test: Test, world: World): Predicate {
  const { set, subject } = test
  const { kind, parameter } = subject
  const ternary = (truth: boolean): Ternary => (truth ? 1 : 0)
  switch (set.kind) {
    case 'strings':
      if (kind === 'tag')
        return (question) => {
          const value = knownTag(world, question, parameter)
          return value === undefined ? -1 : ternary(value !== null && hasString(set, value))
        }
      if (kind === 'name') return (question) => ternary(hasString(set, typeAndName(question.resource).name))
      return (question) => ternary(hasString(set, typeAndName(question.resource).type))
    case 'addresses':
      return (question) => (question.ip ? ternary(inRanges(set.ranges, question.ip)) : -1)
    case 'numbers': {
      // Questions come at one instant, mostly: the clock is read once for all of them.
      let instant = Number.NaN
      let truth: Ternary = 0
      const zone = zoneOf(test)
      return (question) => {
        if (instant !== question.at) {
          instant = question.at
          truth = ternary(holdsClock(test, zone.shows(instant)))
        }
        return truth
      }
    }
    default:
      return set satisfies never
  }
}
