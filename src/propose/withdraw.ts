import type { SubjectKind } from '../conditions/test.ts'
import { glob, isPattern, matches } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import type { Clause, Decision } from '../simulate/decision.ts'
import { type Entry, entriesOf, globOf, type List, withEntries } from '../symbolic/entries.ts'
import { allOf, formulaOf } from '../symbolic/formula.ts'
import { field } from '../tree.ts'
import { readIdentity } from '../urn/identity.ts'
import { groupsNamed } from '../world.ts'
import { fieldsLike, type PolicyFields, shortNameOf } from './fields.ts'
import { narrowed, narrowedFields } from './narrow.ts'
import { type Asking, type Edit, joined, type Membership, nothing, type Plan } from './plan.ts'
import { turned } from './widen.ts'

/** Plans by which policies no longer decide a question: the ways out of a deny, and to take an allow away. */

interface Asked {
  readonly world: World
  readonly question: Asking
  readonly clauses: readonly Clause[]
  /** The identity, and the groups that it is in. */
  readonly members: readonly string[]
}

type Method = (policy: Policy, asked: Asked) => Plan | undefined

/** From what concerns one name to what concerns a whole policy. */
const methods: readonly Method[] = [
  (policy, asked) => withoutName(policy, 'identities', asked.question.identity, asked.members),
  (policy, asked) => withoutName(policy, 'resources', asked.question.resource, [asked.question.resource]),
  splitByAction,
  splitByResource,
  leavingGroup,
  leavingResourceGroup,
  narrowing,
  (policy, asked) => excluding(policy, asked, ['ip']),
  (policy, asked) => excluding(policy, asked, ['hour']),
  (policy, asked) => excluding(policy, asked, ['weekday', 'date']),
  (policy, asked) => excluding(policy, asked, ['tag']),
  withoutEntries,
  denyInSamePolicy,
]

/**
 * Plans that remove the basis of a decision: the identity or the resource taken out, by name or from its group; the identity
 * split off into a new policy; a condition that leaves out the resource, or a fact of the question that its condition names; the
 * deciding entries removed, or excepted.
 */
export function plansAgainst(world: World, question: Asking, { clauses }: Decision): readonly Plan[] {
  const policies = [...new Set(clauses.map(({ policy }) => policy))]
  const members = [question.identity, ...question.groups, ...(world.identities.get(question.identity)?.groups ?? [])]
  const asked: Asked = { world, question, clauses, members }
  const plans = methods.map((method) => all(policies, (policy) => method(policy, asked)))
  if (policies.length > 1 && plans.includes(undefined))
    plans.push(all(policies, (policy) => methods.map((method) => allowed(method(policy, asked))).find((plan) => plan !== undefined)))
  return plans.filter((plan) => plan !== undefined)
}

/** A plan of the same change to each of several policies; undefined where it is not possible for one of them. */
function all(policies: readonly Policy[], planFor: (policy: Policy) => Plan | undefined): Plan | undefined {
  let plan: Plan = nothing
  for (const policy of policies) {
    const next = allowed(planFor(policy))
    if (!next) return undefined
    plan = joined(plan, next)
  }
  return plan.edits.length > 0 ? plan : undefined
}

/** A plan that edits no read-only policy. */
function allowed(plan: Plan | undefined): Plan | undefined {
  return plan && [...plan.revision.keys()].some(({ readOnly }) => readOnly) ? undefined : plan
}

/** A plan for a policy that loses entries: one that says nothing any more goes. */
function shortened(policy: Policy, now: Policy, edits: readonly Edit[]): Plan {
  if (!isEmpty(now)) return { edits, revision: new Map([[policy, now]]) }
  return { edits: [{ kind: 'remove-policy', policy, span: policy.name.span }], revision: new Map([[policy, undefined]]) }
}

function isEmpty({ identities, resources, permissions: { allow, deny }, permissionsGroups }: Policy): boolean {
  return identities.length === 0 || resources.length === 0 || allow.length + deny.length + permissionsGroups.length === 0
}

function withoutThese(policy: Policy, list: List, removed: readonly Entry[]): Policy {
  return withEntries(
    policy,
    list,
    entriesOf(policy, list).filter((entry) => !removed.includes(entry)),
  )
}

function hitsIn(policy: Policy, list: 'identities' | 'resources', names: readonly string[]): readonly Entry[] {
  return entriesOf(policy, list).filter((entry) => names.some((name) => matches(globOf(entry), name)))
}

/** A policy that no longer names an identity or a resource; undefined where a wider entry than the name matches it. */
function withoutName(policy: Policy, list: 'identities' | 'resources', name: string, members: readonly string[]): Plan | undefined {
  const hits = hitsIn(policy, list, members)
  if (hits.length === 0 || hits.some(({ value }) => value.text !== name)) return undefined
  return shortened(
    policy,
    withoutThese(policy, list, hits),
    hits.map((entry) => ({ kind: 'remove', policy, list, text: name, span: entry.span })),
  )
}

/** The policy without the deciding entries; an allow with a wildcard gets an `except`. */
function lessOf(policy: Policy, { question: { action }, clauses }: Asked): { readonly now: Policy; readonly edits: readonly Edit[] } {
  let now = policy
  const edits: Edit[] = []
  const remove = (list: List, entry: Entry) => {
    now = withoutThese(now, list, [entry])
    edits.push({ kind: 'remove', policy, list, text: entry.value.text, span: entry.span })
  }
  for (const { policy: by, list, entry, group } of clauses) {
    if (by !== policy) continue
    if (group !== undefined) {
      for (const each of entriesOf(now, 'permissionsGroups')) if (each.value.text === group) remove('permissionsGroups', each)
    } else if (list === 'deny' || !isPattern(entry.value)) remove(list, entry)
    else if (!now.permissions.except.some(({ value }) => matches(value, action))) {
      now = withEntries(now, 'except', [...now.permissions.except, { value: glob(action), span: policy.span } as Entry])
      edits.push({ kind: 'add', policy, list: 'except', text: action, span: entry.span })
    }
  }
  return { now, edits }
}

function withoutEntries(policy: Policy, asked: Asked): Plan {
  const { now, edits } = lessOf(policy, asked)
  return shortened(policy, now, edits)
}

/** Of an allow that comes from a permissions group: a deny in the same policy, which leaves the rest of the group. */
function denyInSamePolicy(policy: Policy, { question: { action }, clauses }: Asked): Plan | undefined {
  const ownClauses = clauses.filter(({ policy: by }) => by === policy)
  if (ownClauses.some(({ list, group }) => list !== 'allow' || group === undefined)) return undefined
  const entry = { value: glob(action), span: policy.span } as Entry
  return {
    edits: [{ kind: 'add', policy, list: 'deny', text: action, span: policy.name.span }],
    revision: new Map([[policy, withEntries(policy, 'deny', [...policy.permissions.deny, entry])]]),
  }
}

/** A condition that leaves out the resource, where the policy does not name it but something wider. */
function narrowing(policy: Policy, { question: { resource } }: Asked): Plan | undefined {
  if (withoutName(policy, 'resources', resource, [resource])) return undefined
  const now = narrowed(policy, resource)
  return now && { edits: [{ kind: 'narrow', policy, text: resource, span: policy.name.span }], revision: new Map([[policy, now]]) }
}

/** The condition narrowed so that it leaves out a fact of the question. */
function excluding(policy: Policy, asked: Asked, kinds: readonly SubjectKind[]): Plan | undefined {
  const plans = turnedPlans(policy, false, asked.world, asked.question)
  return plans.find(({ facts }) => facts.every(({ test }) => kinds.includes(test.subject.kind)))?.plan
}

/** The plans that make a policy's condition come out the other way, with the facts for which they do. */
export function turnedPlans(policy: Policy, wanted: boolean, world: World, question: Asking) {
  if (!policy.condition) return []
  return turned(policy.condition, field(policy.node, 'conditions'), wanted, world, question).map(({ condition, facts }) => {
    const text = facts.map(({ key, value }) => `${key.value} ${value.value}`).join(', ')
    const about = allOf(facts.map(formulaOf))
    const edit: Edit = { kind: wanted ? 'widen' : 'exclude', policy, text, condition: about, span: facts[0]?.span ?? condition.span }
    return { facts, plan: { edits: [edit], revision: new Map([[policy, { ...policy, condition }]]) } satisfies Plan }
  })
}

// Memberships.

/** The policy, where what it denies is evaded. */
function evadedBy(policy: Policy, { clauses }: Asked): Pick<Edit, 'evades'> {
  return clauses.some((clause) => clause.policy === policy && clause.list === 'deny') ? { evades: policy } : {}
}

/** The identity leaves the groups that a policy is about; where the policy names it as well, that goes too. */
function leavingGroup(policy: Policy, asked: Asked): Plan | undefined {
  const { world, members } = asked
  const { identity, groups } = asked.question

  const described = world.identities.get(identity)
  const hits = hitsIn(policy, 'identities', members)
  const matchingGroups = (described?.groups ?? []).filter((group) => hits.some((entry) => matches(globOf(entry), group)))
  const isGiven = groups.some((group) => !matchingGroups.includes(group) && hits.some((entry) => matches(globOf(entry), group)))
  const exact = hits.filter(({ value }) => value.text === identity)
  const isWide = hits.some((entry) => !exact.includes(entry) && matches(globOf(entry), identity))
  if (!described || matchingGroups.length === 0 || isGiven || isWide) return undefined
  const leaving: Plan = {
    edits: matchingGroups.map((group) => ({
      kind: 'leave',
      list: 'identities',
      text: identity,
      group,
      span: described.urn.span,
      ...evadedBy(policy, asked),
    })),
    revision: new Map(),
    memberships: matchingGroups.map((group): Membership => ({ of: 'identity', member: identity, group, isMember: false })),
  }
  const named = exact.length === 0 ? undefined : withoutName(withEntries(policy, 'identities', exact), 'identities', identity, [identity])
  if (!named) return leaving
  const edits = exact.map((entry): Edit => ({ kind: 'remove', policy, list: 'identities', text: identity, span: entry.span }))
  return joined(leaving, shortened(policy, withoutThese(policy, 'identities', exact), edits))
}

/** The resource leaves the groups that a policy is about; where the policy names it as well, that goes too. */
function leavingResourceGroup(policy: Policy, asked: Asked): Plan | undefined {
  const { world } = asked
  const { resource } = asked.question

  const groups = new Map(
    policy.resources.flatMap(({ value }) =>
      value.kind === 'group'
        ? groupsNamed(world, value).flatMap((group) => (group.members.has(resource) ? [[group.urn.value, group] as const] : []))
        : [],
    ),
  )
  const hits = policy.resources.filter(({ value }) => value.kind === 'resource' && matches(value.glob, resource))
  if (groups.size === 0 || hits.some(({ value }) => value.text !== resource)) return undefined
  const leaving: Plan = {
    edits: [...groups].map(([group, { urn }]) => ({
      kind: 'leave',
      list: 'resources',
      text: resource,
      group,
      span: urn.span,
      ...evadedBy(policy, asked),
    })),
    revision: new Map(),
    memberships: [...groups.keys()].map((group): Membership => ({ of: 'resource', member: resource, group, isMember: false })),
  }
  if (hits.length === 0) return leaving
  const edits = hits.map((entry): Edit => ({ kind: 'remove', policy, list: 'resources', text: resource, span: entry.span }))
  return joined(leaving, shortened(policy, withoutThese(policy, 'resources', hits), edits))
}

// Plans with one identity in a new policy.

/** How many members may take the place of their group. */
const mostMembers = 8

/** The policy without the identity, its groups giving way to their other members. */
function withoutMember(policy: Policy, { world, question: { identity, groups }, members }: Asked) {
  let now = policy
  const edits: Edit[] = []
  for (const entry of hitsIn(policy, 'identities', members)) {
    const { text } = entry.value
    now = withoutThese(now, 'identities', [entry])
    if (text === identity) {
      edits.push({ kind: 'remove', policy, list: 'identities', text, span: entry.span })
      continue
    }
    const others = [...world.identities].flatMap(([urn, known]) => (known.groups.includes(text) && urn !== identity ? [urn] : []))
    if (isPattern(globOf(entry)) || groups.includes(text) || others.length === 0 || others.length > mostMembers) return undefined
    const describedUrns = new Set(now.identities.map(({ value }) => value.text))
    const added = others.flatMap((urn): Entry[] => {
      const { value } = readIdentity(urn, { pattern: false })
      return value && !describedUrns.has(urn) ? [{ value, span: policy.span }] : []
    })
    now = withEntries(now, 'identities', [...now.identities, ...added])
    edits.push({ kind: 'expand', policy, list: 'identities', text, members: others, span: entry.span })
  }
  return now.identities.length === 0 || edits.length === 0 ? undefined : { now, edits }
}

/** The identity in a new policy, which no longer has the deciding entries. */
function splitByAction(policy: Policy, asked: Asked): Plan | undefined {
  const isWhole = asked.clauses.some(({ policy: by, list, entry }) => by === policy && list === 'deny' && isPattern(entry.value))
  const { now, edits } = lessOf(policy, asked)
  const texts = edits.flatMap(({ text }) => text ?? [])
  return isWhole || isEmpty(now) ? undefined : splitOff(policy, asked, fieldsFor(policy, now, asked), { list: 'allow', texts })
}

/** The identity in a new policy, which is not about the resource. */
function splitByResource(policy: Policy, asked: Asked): Plan | undefined {
  const { resource } = asked.question
  const hits = hitsIn(policy, 'resources', [resource])
  const isNamed = hits.length > 0 && hits.every(({ value }) => value.text === resource) && !leavingResourceGroup(policy, asked)
  const now = isNamed ? withoutThese(policy, 'resources', hits) : policy
  if (isEmpty(now)) return undefined
  const fields = fieldsFor(policy, now, asked)
  const lacks = { list: 'resources', texts: [resource] } as const
  return splitOff(policy, asked, isNamed ? fields : narrowedFields(policy, fields, resource), lacks)
}

function splitOff(policy: Policy, asked: Asked, fields: PolicyFields, lacks: NonNullable<Edit['lacks']>): Plan | undefined {
  const rest = withoutMember(policy, asked)
  if (!rest) return undefined
  return {
    edits: [...rest.edits, { kind: 'new-policy', text: fields.name as string, lacks }],
    revision: new Map([[policy, rest.now]]),
    added: [{ fields, near: policy.span.source }],
  }
}

/** The fields of a policy for the identity alone that says what is left of another one. */
function fieldsFor(policy: Policy, now: Policy, { world, question: { identity } }: Asked): PolicyFields {
  return fieldsLike(policy, now, freshName(`${policy.name.value} for ${shortNameOf(identity)}`, world), [identity])
}

/** A name that no policy has. */
export function freshName(base: string, { policies }: World): string {
  const taken = new Set(policies.map(({ name }) => name.value))
  let name = base
  for (let i = 2; taken.has(name); i++) name = `${base} ${i}`
  return name
}
