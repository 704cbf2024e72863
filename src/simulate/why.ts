import { printAddress } from '../conditions/address.ts'
import { isOfTime, printNumber, type Test, zoneOf } from '../conditions/test.ts'
import { not, type Truth } from '../conditions/truth.ts'
import { glob, matches } from '../glob.ts'
import type { Condition, Identity, Policy, ResourceGroup, World } from '../policy.ts'
import type { Located, Span } from '../source.ts'
import type { IdentityUrn } from '../urn/identity.ts'
import { type ResourceGroupUrn, type ResourceUrn, typeAndName } from '../urn/resource.ts'
import { groupsNamed, mayGrant } from '../world.ts'
import { leaves } from './completion.ts'
import type { Clause, Gate, Question, Trace } from './decision.ts'
import { conditionHolds, knownTag, nothingAssumed, resourceInGroup, testHolds } from './facts.ts'
import { traces } from './reference.ts'

/**
 * The reasons for a closed or an open gate of a policy, for explanations. Computed after the decision, and only for the policies
 * that are shown.
 */

type Leaf = Condition & { readonly kind: 'match' | 'opaque' }

/** A comparison on which the truth of a whole condition rests. */
export interface Operand {
  readonly leaf: Leaf
  readonly holds: Truth
  /** It is below a NOT: the condition needs that it does not hold. */
  readonly isExcluded: boolean
  /** The other comparisons of the same thing that have to hold together with it. */
  readonly together: readonly Test[]
  /** The value of the compared fact: null for a tag that the resource does not have, undefined when it is not known. */
  readonly fact: string | null | undefined
}

/**
 * The comparisons that make a policy's condition hold or fail, or leave it open, in written order: of an AND or OR those
 * that come out as the whole does, and below a NOT those that come out the other way. None for a policy without a condition
 * or with one that compares nothing.
 */
export function decidingOperands({ condition }: Policy, world: World, question: Question): readonly Operand[] {
  const truth = (leaf: Leaf): Truth => (leaf.kind === 'match' ? testHolds(leaf.test, world, question, nothingAssumed) : undefined)
  const operands: Operand[] = []
  const open: { readonly part: Condition; readonly holds: Truth; readonly isExcluded: boolean; readonly siblings: readonly Condition[] }[] =
    condition ? [{ part: condition, holds: conditionHolds(condition, truth), isExcluded: false, siblings: [] }] : []
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, holds, isExcluded, siblings } = next
    if (part.kind === 'match' || part.kind === 'opaque') {
      const fact = part.kind === 'match' ? comparedFact(part.test, world, question) : undefined
      operands.push({ leaf: part, holds, isExcluded, together: comparedAlike(part, siblings), fact })
      continue
    }
    const wanted = part.kind === 'not' ? not(holds) : holds
    for (const operand of [...part.operands].reverse()) {
      if (conditionHolds(operand, truth) !== wanted) continue
      const conjuncts = part.kind === 'and' ? part.operands : []
      open.push({ part: operand, holds: wanted, isExcluded: isExcluded !== (part.kind === 'not'), siblings: conjuncts })
    }
  }
  return operands
}

function comparedAlike(leaf: Leaf, siblings: readonly Condition[]): readonly Test[] {
  if (leaf.kind !== 'match') return []
  const { kind, parameter } = leaf.test.subject
  return siblings.flatMap((other) =>
    other !== leaf && other.kind === 'match' && other.test.subject.kind === kind && other.test.subject.parameter === parameter
      ? [other.test]
      : [],
  )
}

/** The resource groups of a policy of which it is not known whether the resource is in them; none where another entry settles it. */
export function openGroups({ resources }: Policy, world: World, question: Question): readonly string[] {
  if (resources.some(({ value }) => value.kind === 'resource' && matches(value.glob, question.resource))) return []
  const judged = resources.flatMap(({ value }) =>
    value.kind === 'group' ? [{ text: value.text, holds: resourceInGroup(value, world, question, nothingAssumed) }] : [],
  )
  return judged.some(({ holds }) => holds === true) ? [] : judged.flatMap(({ text, holds }) => (holds === undefined ? [text] : []))
}

/** Whether a policy looks at the time: without one that does, no answer depends on it. */
export function dependsOnTime({ condition, expiresAt }: Policy): boolean {
  if (expiresAt !== undefined) return true
  for (const leaf of leaves(condition)) if (leaf.kind === 'match' && isOfTime(leaf.test)) return true
  return false
}

/** The value of the fact that a comparison is about, as a policy would write it. */
export function comparedFact(test: Test, world: World, question: Question): string | null | undefined {
  const { kind, parameter } = test.subject
  switch (kind) {
    case 'tag':
      return knownTag(world, question, parameter)
    case 'name':
    case 'type':
      return typeAndName(question.resource)[kind]
    case 'ip':
      return question.ip && printAddress(question.ip)
    default:
      return printNumber(kind, zoneOf(test).shows(question.at)[kind])
  }
}

/** The identity entry of a policy that matches. */
export interface IdentityMatch {
  readonly entry: Located<IdentityUrn>
  /** The group that it matches; undefined where it matches the identity itself. */
  readonly through: string | undefined
  /** Where the membership is described; undefined where the question gives it. */
  readonly described: Identity | undefined
}

/** The identity entry that lets a question pass, the first one written; undefined where none does. */
export function identityMatch({ identities }: Policy, world: World, question: Question): IdentityMatch | undefined {
  const described = world.identities.get(question.identity)
  for (const entry of identities) {
    const { glob } = entry.value
    if (matches(glob, question.identity)) return { entry, through: undefined, described: undefined }
    const describedGroup = described?.groups.find((group) => matches(glob, group))
    if (described && describedGroup !== undefined) {
      const span = described.places?.get(describedGroup) ?? described.urn.span
      return { entry, through: describedGroup, described: { ...described, urn: { ...described.urn, span } } }
    }
    const givenGroup = question.groups.find((group) => matches(glob, group))
    if (givenGroup !== undefined) return { entry, through: givenGroup, described: undefined }
  }
  return undefined
}

/** The resource entry of a policy that matches. */
export interface ResourceMatch {
  readonly entry: Located<ResourceUrn | ResourceGroupUrn>
  /** The resource group that holds the resource. */
  readonly group: ResourceGroup | undefined
}

/** The resource entry that lets a question pass, the first one written; undefined where none does for certain. */
export function resourceMatch({ resources }: Policy, world: World, question: Question): ResourceMatch | undefined {
  for (const entry of resources) {
    const { value } = entry
    if (value.kind === 'resource') {
      if (matches(value.glob, question.resource)) return { entry, group: undefined }
      continue
    }
    const group = groupsNamed(world, value).find(({ members }) => members.has(question.resource))
    if (group) return { entry, group }
  }
  return undefined
}

/** How near a closed gate is: an entry of `except` is nearer than any other action. */
const nearness: readonly (Gate | 'except')[] = ['except', 'condition', 'expiry', 'resource', 'action', 'identity']

/** The policies that would grant it if one gate were open, nearest first. All other gates of theirs are open. */
export function nearestTraces(world: World, question: Question, all: readonly Trace[]): readonly Trace[] {
  const rank = ({ stoppedAt = 'action', excepted, policy }: Trace) =>
    4 * nearness.indexOf(excepted.length > 0 ? 'except' : stoppedAt) +
    (isOfProduct(policy, question) ? 0 : 2) +
    (policy.identities.some(({ value }) => value.kind === 'group') ? 0 : 1)
  return all.filter((trace) => mayGrant(trace.policy, world) && isOneGateAway(trace, world, question)).sort((a, b) => rank(a) - rank(b))
}

function isOneGateAway({ policy, stoppedAt, grants }: Trace, world: World, question: Question): boolean {
  if (stoppedAt === undefined) return grants.length > 0
  if (stoppedAt === 'action') return true
  const open = traces({ ...world, policies: [opened(policy, stoppedAt)] }, question)
  // A policy never grants what it also denies.
  return open.some(({ grants, denies, unknownGroups }) => denies.length === 0 && grants.length + unknownGroups.length > 0)
}

const everything = glob('*')
const everyResource: ResourceUrn = { kind: 'resource', text: '*', region: '*', type: '*', name: '', glob: everything }

/** A policy with one gate taken away. */
function opened(policy: Policy, gate: Exclude<Gate, 'action'>): Policy {
  const { expiresAt: _, ...lasting } = policy
  const { condition: __, ...unconditional } = policy
  switch (gate) {
    case 'expiry':
      return lasting
    case 'condition':
      return unconditional
    case 'identity':
      return { ...policy, identities: policy.identities.map(({ value, span }) => ({ value: { ...value, glob: everything }, span })) }
    default:
      return { ...policy, resources: policy.resources.map(({ span }) => ({ value: everyResource, span })) }
  }
}

/** Whether a policy names the product of an action. */
function isOfProduct({ permissions }: Policy, { action }: Question): boolean {
  const product = action.slice(0, action.indexOf(':') + 1)
  return permissions.allow.some(({ value }) => value.text.startsWith(product) || value.text.startsWith('*'))
}

/** The entries of a policy's identities through which it is about an identity: its groups and patterns. */
export function entriesThrough({ policy }: Pick<Clause, 'policy'>, identity: string, world: World): readonly string[] {
  const members = [identity, ...(world.identities.get(identity)?.groups ?? [])]
  return policy.identities.flatMap(({ value }) =>
    value.text !== identity && members.some((member) => matches(value.glob, member)) ? [value.text] : [],
  )
}

/** Where a comparison is written. */
export const placeOf = ({ leaf }: Pick<Operand, 'leaf'>): Span => (leaf.kind === 'match' ? leaf.key.span : leaf.span)

/** The place of the gate at which a policy stops. */
export function gatePlace({ policy, stoppedAt = 'action', excepted }: Trace, world: World, question: Question): Span {
  const { name, identities, resources, permissions, permissionsGroups, expiresAt } = policy
  const [operand] = stoppedAt === 'condition' ? decidingOperands(policy, world, question) : []
  const places: Readonly<Record<Gate, Span | undefined>> = {
    expiry: expiresAt?.span,
    identity: identities[0]?.span,
    resource: resources[0]?.span,
    condition: operand && placeOf(operand),
    action: (excepted[0]?.entry ?? permissions.allow[0] ?? permissionsGroups[0])?.span,
  }
  return places[stoppedAt] ?? name.span
}
