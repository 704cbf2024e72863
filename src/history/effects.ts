import type { Budget } from '../budget.ts'
import { pushTo } from '../collections.ts'
import { type Glob, overlaps } from '../glob.ts'
import type { Memoize } from '../memo.ts'
import type { ListName, Policy, World } from '../policy.ts'
import { decide, verdictOf } from '../simulate/decide.ts'
import type { Clause, Question, Reason } from '../simulate/decision.ts'
import type { Located, Span } from '../source.ts'
import { firstNewAccess, type Outcome } from '../symbolic/covers.ts'
import { sideOf } from '../symbolic/side.ts'
import { anyAddress, anyInstant, witnessOf } from '../symbolic/witness.ts'
import { readIdentity } from '../urn/identity.ts'

/**
 * The effect of an entry: access is another one without it. It is proved over all identities, actions, resources and times, by the
 * inclusion of the policies with and without the entry, both ways (docs/analysis.md, Inclusion).
 */

export type EntryList = ListName | 'identities' | 'resources' | 'permissionsGroups'

/** An entry of a policy, in a list of it. */
export interface PolicyEntry {
  readonly policy: Policy
  readonly list: EntryList
  readonly text: string
  readonly span: Span
  /** Its place among the entries of the same text in the list. */
  readonly nth: number
}

/** Why an entry has no effect: an example of what it is about, and the entries that decide it without the entry as well. */
export interface Idle {
  readonly question: Question
  readonly reason: Reason
  readonly clauses: readonly Clause[]
}

export type Effect =
  /** `question`: one that is answered otherwise without it. */
  | { readonly kind: 'effective'; readonly question: Question }
  /** `idle`: undefined where no example was found. */
  | { readonly kind: 'none'; readonly idle: Idle | undefined }
  /** `culprits`: the names of what is too much to compare. `facts`: what it depends on, and cannot be known. */
  | { readonly kind: 'undecided'; readonly culprits: readonly string[]; readonly facts: readonly string[] }

const lists: readonly EntryList[] = ['identities', 'resources', 'allow', 'except', 'deny', 'permissionsGroups']

function entriesOf(policy: Policy, list: EntryList): readonly Located<{ readonly text: string }>[] {
  return list === 'allow' || list === 'except' || list === 'deny' ? policy.permissions[list] : policy[list]
}

/** The entries of a policy, list by list. */
export function policyEntries(policy: Policy): readonly PolicyEntry[] {
  return lists.flatMap((list) => {
    const counts = new Map<string, number>()
    return entriesOf(policy, list).map(({ value: { text }, span }): PolicyEntry => {
      const nth = counts.get(text) ?? 0
      counts.set(text, nth + 1)
      return { policy, list, text, span, nth }
    })
  })
}

function withoutEntry({ policy, list, text, nth }: PolicyEntry): Policy {
  let seen = 0
  const othersOf = <T extends Located<{ readonly text: string }>>(all: readonly T[]): readonly T[] =>
    all.filter(({ value }) => value.text !== text || seen++ !== nth)
  if (list === 'allow' || list === 'except' || list === 'deny')
    return { ...policy, permissions: { ...policy.permissions, [list]: othersOf<Located<Glob>>(policy.permissions[list]) } }
  return { ...policy, [list]: othersOf<Located<{ readonly text: string }>>(policy[list]) }
}

/** The same entry among the policies of another state: of the policy of that name, there first of the same file. */
export function entryIn({ policies }: World, { policy, list, text, nth }: PolicyEntry): PolicyEntry | undefined {
  const named = policies.filter(({ name }) => name.value === policy.name.value)
  const samePath = named.filter(({ span }) => span.source.path === policy.span.source.path)
  for (const candidate of samePath.length > 0 ? samePath : named) {
    const same = policyEntries(candidate).find((each) => each.list === list && each.text === text && each.nth === nth)
    if (same) return same
  }
  return undefined
}

/** The means to find the effect of an entry. */
export interface EffectOptions {
  /** A new budget, for each inclusion. */
  readonly budget: () => Budget
  /** A question that shows the effect in a similar world: asked first, since a proof takes longer. */
  readonly hint?: Question | undefined
  /** Keeps what is made of policies: most are the same in the next world. */
  readonly keep: Memoize
}

/** The effect of an entry of a world. */
export function effectOf(world: World, entry: PolicyEntry, { budget, hint, keep }: EffectOptions): Effect {
  const [related, less] = aroundChange(world, entry.policy, withoutEntry(entry), [reachOfEntry(entry.policy, entry)], keep)
  const shows = (question: Question) => {
    const verdicts = [verdictOf(related, question), verdictOf(less, question)]
    return verdicts[0] !== verdicts[1] && !verdicts.includes('unknown')
  }
  for (const question of hint ? [hint] : examplesOf(entry)) if (shows(question)) return { kind: 'effective', question }
  let isDecided = true
  const culprits = new Set<string>()
  const facts = new Set<string>()
  for (const outcome of inclusions(related, less, { budget, keep })) {
    if (outcome.kind === 'new' && outcome.newAccess.certain) return { kind: 'effective', question: witnessOf(outcome.newAccess) }
    isDecided &&= outcome.kind === 'none'
    if (outcome.kind === 'undecided') for (const each of outcome.culprits) culprits.add(each)
    if (outcome.kind === 'new') for (const each of outcome.newAccess.model.assumed.keys()) facts.add(each)
  }
  return isDecided
    ? { kind: 'none', idle: idleOf(related, less, entry, budget) }
    : { kind: 'undecided', culprits: [...culprits], facts: [...facts] }
}

/** A world with a policy and those that may be about the same requests of it. `reaches`: of the requests. */
export function relatedTo(world: World, policy: Policy, reaches: readonly Reach[], keep: Memoize): World {
  const isRelated = (each: Policy) => {
    const own = keep(reachOf, each)
    return reaches.some((reach) => meets(own, reach))
  }
  return { ...world, policies: world.policies.filter((each) => each === policy || isRelated(each)) }
}

/**
 * A world and what it is with another policy in the place of one, both with the policies that may be about requests of the change: access to
 * anything else is the same. `reaches`: of what the change is about.
 */
export function aroundChange(
  world: World,
  policy: Policy,
  now: Policy,
  reaches: readonly Reach[],
  keep: Memoize,
): readonly [before: World, after: World] {
  const { policies } = relatedTo(world, policy, reaches, keep)
  return [
    { ...world, policies },
    { ...world, policies: policies.map((each) => (each === policy ? now : each)) },
  ]
}

/** Whether the first world grants something that the second does not, and then the other way round, each searched when it is asked for. */
export function* inclusions(before: World, after: World, { budget, keep }: Omit<EffectOptions, 'hint'>): Iterable<Outcome> {
  const [own, other] = [sideOf(before, after, keep), sideOf(after, before, keep)]
  yield firstNewAccess(own, other, { run: budget() })
  yield firstNewAccess(other, own, { run: budget() })
}

/** The most entries of each other list of a policy that examples are about. */
const mostInExamples = 2

/** Questions that an entry is about, and few others: one that shows its effect is found sooner than a proof. */
function examplesOf({ policy, list, text }: PolicyEntry): readonly Question[] {
  const { permissions } = policy
  const textsOf = (of: EntryList) =>
    of === list
      ? [text]
      : entriesOf(policy, of)
          .slice(0, mostInExamples)
          .map(({ value }) => value.text)
  const isAction = list === 'allow' || list === 'except' || list === 'deny'
  const actions = isAction ? [text] : textsOf(permissions.allow.length > 0 ? 'allow' : 'deny')
  return textsOf('identities').flatMap((caller) =>
    textsOf('resources').flatMap((resource) => actions.map((action) => exampleOf(filled(caller), filled(resource), action))),
  )
}

const filled = (pattern: string) => pattern.replaceAll('*', 'x')

function exampleOf(caller: string, resource: string, action: string): Question {
  const isGroup = readIdentity(caller, { pattern: false }).value?.kind === 'group'
  return {
    identity: isGroup ? 'urn:v1:eu:identity:user:x/x' : caller,
    groups: isGroup ? [caller] : [],
    action: action === '*' ? 'x:x' : filled(action),
    resource,
    at: anyInstant,
    ip: anyAddress,
    tags: new Map(),
  }
}

/** An example of what an entry is about, decided without it. */
function idleOf(world: World, less: World, entry: PolicyEntry, budget: () => Budget): Idle | undefined {
  // A deny is about what it would deny if all of that were granted.
  const { policy, list } = entry
  const isDeny = list === 'deny'
  const { allow, deny } = policy.permissions
  const about = isDeny
    ? deny.filter((each) => each.value.text === entry.text)
    : list === 'allow'
      ? allow.filter((each) => each.value.text === entry.text)
      : allow
  const single: Policy = { ...policy, permissionsGroups: [], permissions: { allow: about, except: [], deny: [] } }
  const owned = list === 'identities' || list === 'resources' ? narrowedTo(single, entry) : single
  const only = { ...world, policies: [owned] }
  const outcome = firstNewAccess(sideOf(only, world), sideOf({ ...only, policies: [] }, world), { run: budget() })
  if (outcome.kind !== 'new') return undefined
  const question = witnessOf(outcome.newAccess)
  const { reason, clauses } = decide(less, question)
  return { question, reason, clauses }
}

const narrowedTo = (policy: Policy, { list, text }: Pick<PolicyEntry, 'list' | 'text'>): Policy => ({
  ...policy,
  [list]: entriesOf(policy, list).filter(({ value }) => value.text === text),
})

/** Patterns; undefined where they may be about anything. */
type Patterns = readonly Glob[] | undefined

/** The patterns of all that a policy may be about. */
export type Reach = Readonly<Record<'identities' | 'resources' | 'actions', Patterns>>

/** The patterns of all that an entry may be about in a policy: access to anything else does not depend on it. */
export function reachOfEntry(policy: Policy, entry: Pick<PolicyEntry, 'list' | 'text'>): Reach {
  const { list, text } = entry
  const reach = reachOf(policy)
  switch (list) {
    case 'identities':
    case 'resources':
      return { ...reach, [list]: reachOf(narrowedTo(policy, entry))[list] }
    case 'permissionsGroups':
      return reach
    default:
      return { ...reach, actions: policy.permissions[list].flatMap(({ value }) => (value.text === text ? [value] : [])) }
  }
}

/** Whether policies may be about the same request: about the same resources, actions and identities. Groups may have any members. */
export function meets(a: Reach, b: Reach): boolean {
  return meet(a.resources, b.resources) && meet(a.actions, b.actions) && meet(a.identities, b.identities)
}

const meet = (a: Patterns, b: Patterns) => !a || !b || a.some((one) => b.some((other) => overlaps(one, other)))

export function reachOf({ identities, resources, permissions, permissionsGroups }: Policy): Reach {
  return {
    identities: identities.some(({ value }) => value.kind === 'group') ? undefined : identities.map(({ value }) => value.glob),
    resources: resources.some(({ value }) => value.kind !== 'resource') ? undefined : resources.map(({ value }) => value.glob),
    actions: permissionsGroups.length > 0 ? undefined : [...permissions.allow, ...permissions.deny].map(({ value }) => value),
  }
}

/** The policies that a file defines, by its path as it is printed. */
export function policiesByFile({ policies }: World): ReadonlyMap<string, readonly Policy[]> {
  const out = new Map<string, Policy[]>()
  for (const policy of policies) pushTo(out, policy.span.source.path, policy)
  return out
}
