import { printAddress } from '../conditions/address.ts'
import type { Test } from '../conditions/test.ts'
import { wallClock, weekdays } from '../conditions/time.ts'
import { not, type Truth } from '../conditions/truth.ts'
import { matches } from '../glob.ts'
import type { Condition, Policy, World } from '../policy.ts'
import { typeAndName } from '../urn/resource.ts'
import type { Question } from './decision.ts'
import { conditionHolds, knownTag, nothingAssumed, resourceInGroup, testHolds } from './facts.ts'

/**
 * What a closed or an open gate of a policy rests on, for people who ask why. Looked for after the decision, and only in
 * the policies that are shown.
 */

type Leaf = Condition & { readonly kind: 'match' | 'opaque' }

/** A comparison on which the truth of a whole condition rests. */
export interface Operand {
  readonly leaf: Leaf
  readonly holds: Truth
  /** What the fact is that it looks at: null for a tag that the resource does not have, undefined when it is not known. */
  readonly fact: string | null | undefined
}

/**
 * The comparisons that make a policy's condition fail, or leave it open, in written order: of an AND those that are so, of
 * an OR all, and below a NOT those that hold. None for a policy without a condition or with one that compares nothing.
 */
export function decidingOperands({ condition }: Policy, world: World, question: Question): readonly Operand[] {
  const truth = (leaf: Leaf): Truth => (leaf.kind === 'match' ? testHolds(leaf.test, world, question, nothingAssumed) : undefined)
  const operands: Operand[] = []
  const open: { readonly part: Condition; readonly holds: Truth }[] = condition
    ? [{ part: condition, holds: conditionHolds(condition, truth) }]
    : []
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, holds } = next
    if (part.kind === 'match' || part.kind === 'opaque') {
      operands.push({ leaf: part, holds, fact: part.kind === 'match' ? factOf(part.test, world, question) : undefined })
      continue
    }
    const wanted = part.kind === 'not' ? not(holds) : holds
    for (const operand of [...part.operands].reverse()) {
      if (conditionHolds(operand, truth) === wanted) open.push({ part: operand, holds: wanted })
    }
  }
  return operands
}

/** The resource groups of a policy of which it is not known whether the resource is in them; none where another entry settles it. */
export function openGroups({ resources }: Policy, world: World, question: Question): readonly string[] {
  if (resources.some(({ value }) => value.kind === 'resource' && matches(value.glob, question.resource))) return []
  const judged = resources.flatMap(({ value }) =>
    value.kind === 'group' ? [{ text: value.text, holds: resourceInGroup(value, world, question, nothingAssumed) }] : [],
  )
  return judged.some(({ holds }) => holds === true) ? [] : judged.flatMap(({ text, holds }) => (holds === undefined ? [text] : []))
}

/** What the fact is that a comparison looks at, as a policy would write it. */
function factOf({ subject: { kind, parameter } }: Test, world: World, question: Question): string | null | undefined {
  switch (kind) {
    case 'tag':
      return knownTag(world, question, parameter)
    case 'name':
    case 'type':
      return typeAndName(question.resource)[kind]
    case 'ip':
      return question.ip && printAddress(question.ip)
    default: {
      const { date, hour, weekday } = wallClock(parameter, question.at)
      if (kind === 'hour') return String(hour)
      if (kind === 'weekday') return weekdays[weekday]
      const digits = String(date).padStart(8, '0')
      return `${digits.slice(0, -4)}-${digits.slice(-4, -2)}-${digits.slice(-2)}`
    }
  }
}
