import type { Address } from '../conditions/address.ts'
import { holdsAddress, holdsClock, holdsText, type Test } from '../conditions/test.ts'
import { wallClock } from '../conditions/time.ts'
import { every, not, some, type Truth } from '../conditions/truth.ts'
import { covers, glob } from '../glob.ts'
import type { Condition, Policy, World } from '../policy.ts'
import { type ResourceGroupUrn, typeAndName } from '../urn/resource.ts'
import { inResourceGroup } from '../world.ts'
import type { Question } from './decision.ts'

/** What a permissions group that the world does not hold may do to a question. */
export type Outcome = 'allow' | 'deny' | 'nothing'

/**
 * Values assumed for missing facts. A fact that is not in its map is not known. Groups are keyed by the entry that names
 * them: "the resource is in some unknown group that this entry names, and no narrower entry names". Where groups are
 * assumed at all, the map holds every entry in question, undefined for those that are still open.
 */
export interface Assumptions {
  readonly ip?: Address
  /** null: the resource has no such tag. */
  readonly tags: ReadonlyMap<string, string | null>
  readonly groups: ReadonlyMap<string, boolean | undefined>
  readonly outcomes: ReadonlyMap<string, Outcome>
  readonly opaque: ReadonlyMap<string, boolean>
}

export const nothingAssumed: Assumptions = { tags: new Map(), groups: new Map(), outcomes: new Map(), opaque: new Map() }

export const factNames = {
  ip: 'request.IP',
  tag: (key: string) => `resource.Tag(${key})`,
  group: (urn: string) => `resourceGroup:${urn}`,
  permissionsGroup: (urn: string) => `permissionsGroup:${urn}`,
}

/** What the question and the world say of a tag: its text, null when known to be absent, undefined when not known. */
export function knownTag(world: World, question: Question, key: string): string | null | undefined {
  const tags = question.tags ?? world.resources.get(question.resource)?.tags
  return tags && (tags.get(key) ?? null)
}

/** Whether one comparison holds. */
export function testHolds(test: Test, world: World, question: Question, assumed: Assumptions): Truth {
  switch (test.subject.kind) {
    case 'tag': {
      const key = test.subject.parameter
      const known = knownTag(world, question, key)
      const value = known === undefined ? assumed.tags.get(key) : known
      return value === undefined ? undefined : value !== null && holdsText(test, value)
    }
    case 'name':
      return holdsText(test, typeAndName(question.resource).name)
    case 'type':
      return holdsText(test, typeAndName(question.resource).type)
    case 'ip': {
      const address = question.ip ?? assumed.ip
      return address && holdsAddress(test, address)
    }
    default:
      return holdsClock(test, wallClock(test.subject.parameter, question.at))
  }
}

/** Whether a condition holds (spec: policy language, section 3, Conditions). NOT: none of its children holds. */
export function conditionHolds(condition: Condition, leaf: (leaf: Condition & { readonly kind: 'match' | 'opaque' }) => Truth): Truth {
  switch (condition.kind) {
    case 'and':
      return every(condition.operands, (operand) => conditionHolds(operand, leaf))
    case 'or':
      return some(condition.operands, (operand) => conditionHolds(operand, leaf))
    case 'not':
      return not(some(condition.operands, (operand) => conditionHolds(operand, leaf)))
    default:
      return leaf(condition)
  }
}

/** Whether a policy's condition holds for a question. */
export function policyConditionHolds({ condition }: Policy, world: World, question: Question, assumed: Assumptions): Truth {
  if (!condition) return true
  return conditionHolds(condition, (leaf) =>
    leaf.kind === 'match' ? testHolds(leaf.test, world, question, assumed) : assumed.opaque.get(leaf.text),
  )
}

/** Whether the resource is in a group that an entry names. What is assumed of a narrower entry's groups counts for a wider one. */
export function resourceInGroup(entry: ResourceGroupUrn, world: World, question: Question, assumed: Assumptions): Truth {
  const known = inResourceGroup(world, entry, question.resource)
  if (known !== undefined) return known
  return some(assumed.groups.has(entry.text) ? assumed.groups : [[entry.text, undefined] as const], ([text, member]) =>
    text === entry.text || covers(entry.glob, glob(text)) ? member : false,
  )
}
