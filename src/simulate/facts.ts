import { type Address, printAddress } from '../conditions/address.ts'
import { holdsAddress, holdsClock, holdsText, type Test, zoneOf } from '../conditions/test.ts'
import { not, some, type Truth } from '../conditions/truth.ts'
import { compareText } from '../diagnostic.ts'
import { covers, glob } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Condition, Policy, World } from '../policy.ts'
import { type ResourceGroupUrn, typeAndName } from '../urn/resource.ts'
import { inResourceGroup } from '../world.ts'
import type { Fact, FactValue, Outcome, Question } from './decision.ts'

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

/** The name of a fact, as reports print it. */
export function factText(fact: Fact): string {
  switch (fact.kind) {
    case 'address':
      return 'request.IP'
    case 'tag':
      return `resource.Tag(${fact.key})`
    case 'condition':
    case 'expression':
      return fact.text
    default:
      return `${fact.kind}:${fact.urn}`
  }
}

const outcomeTexts = { allow: 'allows it', deny: 'denies it', nothing: 'says nothing of it' }

/** The value of a fact, as reports print it. */
export function valueText(value: FactValue): string | null {
  switch (value.kind) {
    case 'address':
      return printAddress(value.address)
    case 'tag':
      return value.text
    case 'resourceGroup':
      return value.isMember ? 'member' : 'not a member'
    case 'permissionsGroup':
      return outcomeTexts[value.outcome]
    default:
      return value.holds ? 'holds' : 'does not hold'
  }
}

/** The fact of a condition that cannot be decided. */
export function factOf({ text, isValue, about }: Condition & { readonly kind: 'opaque' }): Fact & {
  readonly kind: 'condition' | 'expression'
} {
  return isValue ? { kind: 'expression', text, ...(about && { about }) } : { kind: 'condition', text }
}

/** The assumptions with one more value. */
export function withAssumption(assumed: Assumptions, value: FactValue): Assumptions {
  switch (value.kind) {
    case 'address':
      return { ...assumed, ip: value.address }
    case 'tag':
      return { ...assumed, tags: new Map([...assumed.tags, [value.key, value.text]]) }
    case 'resourceGroup':
      return { ...assumed, groups: new Map([...assumed.groups, [value.urn, value.isMember]]) }
    case 'permissionsGroup':
      return { ...assumed, outcomes: new Map([...assumed.outcomes, [value.urn, value.outcome]]) }
    default:
      return { ...assumed, opaque: new Map([...assumed.opaque, [value.text, value.holds]]) }
  }
}

/** Facts once each, in the order of their names. */
export function sortedFacts(facts: Iterable<Fact>): readonly Fact[] {
  const byText = new Map([...facts].map((fact) => [keyOf(fact.kind, factText(fact)), fact]))
  return [...byText.values()].sort((a, b) => compareText(factText(a), factText(b)))
}

/** The value of a tag by the question and the world: null when known to be absent, undefined when not known. */
export function knownTag(world: World, question: Question, key: string): string | null | undefined {
  const tags = question.tags ?? world.resources.get(question.resource)?.tags
  return tags && (tags.get(key) ?? null)
}

/** Whether one comparison holds. */
export function testHolds(test: Test, world: World, question: Question, assumed: Assumptions): Truth {
  switch (test.subject.kind) {
    case 'tag': {
      const key = test.subject.parameter
      const knownTagValue = knownTag(world, question, key)
      const value = knownTagValue === undefined ? assumed.tags.get(key) : knownTagValue
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
      return holdsClock(test, zoneOf(test).shows(question.at))
  }
}

/** The truth of a single comparison. */
type Leaf = (leaf: Condition & { readonly kind: 'match' | 'opaque' }) => Truth

/** Whether a condition holds (docs/semantics.md, Conditions). NOT: none of its children holds. */
export function conditionHolds(condition: Condition, leaf: Leaf): Truth {
  switch (condition.kind) {
    case 'and':
      return outcome(condition.operands, leaf, false)
    case 'or':
      return outcome(condition.operands, leaf, true)
    case 'not':
      return not(outcome(condition.operands, leaf, true))
    default:
      return leaf(condition)
  }
}

/** Of conditions joined: `decides`, if one comes out so; else the opposite, if all are known. Those after the first that decides are not looked at. */
function outcome(conditions: readonly Condition[], leaf: Leaf, decides: boolean): Truth {
  let truth: Truth = !decides
  for (const condition of conditions) {
    const holds = conditionHolds(condition, leaf)
    if (holds === decides) return holds
    if (holds === undefined) truth = undefined
  }
  return truth
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
  const truth = inResourceGroup(world, entry, question.resource)
  if (truth !== undefined) return truth
  const groups = assumed.groups.has(entry.text) ? [...assumed.groups] : [[entry.text, undefined] as const]
  return some(groups.map(([text, member]) => (text === entry.text || covers(entry.glob, glob(text)) ? member : false)))
}
