import { glob, isPattern, matches } from '../glob.ts'
import type { Policy, World } from '../policy.ts'
import { decide } from '../simulate/decide.ts'
import type { Decision, Question, Verdict } from '../simulate/decision.ts'
import { combine, traces } from '../simulate/reference.ts'
import type { Span } from '../source.ts'
import { type Entry, entriesOf, globOf, type List, withEntries } from '../symbolic/entries.ts'
import { readIdentity } from '../urn/identity.ts'
import { readResourcePattern } from '../urn/resource.ts'
import type { PolicyFields } from './write.ts'

/** One edit of a plan: what is done to which policy, and where. A new policy has no place yet. */
export interface Edit {
  readonly kind: 'add' | 'remove' | 'remove-policy' | 'remove-expiry' | 'new-policy'
  readonly policy?: Policy
  readonly list?: List
  readonly text?: string
  readonly span?: Span
}

/** Edits that together may turn a verdict. */
export interface Plan {
  readonly edits: readonly Edit[]
  /** What each policy that is edited becomes; undefined: it goes. */
  readonly revision: ReadonlyMap<Policy, Policy | undefined>
  readonly added?: PolicyFields
}

/** How many plans of one kind are looked at more closely: those that look the narrowest. */
const mostOfAKind = 3

/** Plans by which a question that is denied today would be allowed, each one tried on the policies as they are understood. */
export function plansToAllow(world: World, question: Question, today: Decision): readonly Plan[] {
  const unblocking = today.reason === 'denied' ? plansAgainst(world, question, today) : [nothing]
  const out: Plan[] = []
  for (const first of unblocking) {
    const open = applied(world, first)
    const verdict = decide(open, question).verdict
    if (verdict === 'allow') out.push(first)
    else if (verdict === 'deny') {
      const plans = [...variants(open, question, 'allow', first), newPolicy(world, question, 'allow')]
      out.push(...plans.map((plan) => joined(first, plan)))
    }
  }
  return out
}

/** Plans by which a question that is allowed today would be denied. */
export function plansToDeny(world: World, question: Question, today: Decision): readonly Plan[] {
  return [...plansAgainst(world, question, today), ...variants(world, question, 'deny', nothing), newPolicy(world, question, 'deny')]
}

const nothing: Plan = { edits: [], revision: new Map() }

/** The policies with a plan carried out; a new policy is left aside. */
export function applied(world: World, { revision }: Plan): World {
  if (revision.size === 0) return world
  return {
    ...world,
    policies: world.policies.flatMap((policy) => {
      const now = revision.has(policy) ? revision.get(policy) : policy
      return now ? [now] : []
    }),
  }
}

/** Two plans in one. The second speaks of policies as given, or as the first leaves them. */
function joined(first: Plan, second: Plan): Plan {
  const revision = new Map(first.revision)
  for (const [policy, now] of second.revision) {
    const origin = [...first.revision].find(([, draft]) => draft === policy)?.[0] ?? policy
    revision.set(origin, now)
  }
  const edits = [...first.edits, ...second.edits]
  return { edits, revision, ...(second.added && { added: second.added }) }
}

/**
 * Plans that take away the entries that a decision rests on: the entries themselves (of an allow with a wildcard, an
 * `except` beside it), or the identity or the resource where the policies name exactly these.
 */
function plansAgainst(world: World, question: Question, today: Decision): readonly Plan[] {
  const policies = [...new Set(today.clauses.map(({ policy }) => policy))]
  const members = [question.identity, ...question.groups, ...(world.identities.get(question.identity)?.groups ?? [])]
  const plans: (Plan | undefined)[] = [
    all(policies, (policy) => withoutEntries(policy, question, today)),
    all(policies, (policy) => withoutNames(policy, 'identities', question.identity, members)),
    all(policies, (policy) => withoutNames(policy, 'resources', question.resource, [question.resource])),
  ]
  return plans.filter((plan) => plan !== undefined)
}

/** What is done to each of several policies; undefined where it cannot be done to one of them. */
function all(policies: readonly Policy[], planFor: (policy: Policy) => Plan | undefined): Plan | undefined {
  let plan: Plan = nothing
  for (const policy of policies) {
    const next = policy.readOnly ? undefined : planFor(policy)
    if (!next) return undefined
    plan = joined(plan, next)
  }
  return plan.edits.length > 0 ? plan : undefined
}

function withoutEntries(policy: Policy, { action }: Question, { clauses }: Decision): Plan | undefined {
  let now = policy
  const edits: Edit[] = []
  const remove = (list: List, entry: Entry) => {
    now = withEntries(
      now,
      list,
      entriesOf(now, list).filter((each) => each !== entry),
    )
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
  return shortened(policy, now, edits)
}

/** A plan for a policy that loses entries: one that says nothing any more goes. */
function shortened(policy: Policy, now: Policy, edits: readonly Edit[]): Plan {
  const { allow, deny } = now.permissions
  const isEmpty =
    now.identities.length === 0 || now.resources.length === 0 || allow.length + deny.length + now.permissionsGroups.length === 0
  if (!isEmpty) return { edits, revision: new Map([[policy, now]]) }
  return { edits: [{ kind: 'remove-policy', policy, span: policy.name.span }], revision: new Map([[policy, undefined]]) }
}

/** A policy that no longer names an identity or a resource; undefined where something wider than the name stands for it. */
function withoutNames(policy: Policy, list: 'identities' | 'resources', name: string, members: readonly string[]): Plan | undefined {
  const hits = entriesOf(policy, list).filter((entry) => members.some((member) => matches(globOf(entry), member)))
  if (hits.length === 0 || hits.some(({ value }) => value.text !== name)) return undefined
  const now = withEntries(
    policy,
    list,
    entriesOf(policy, list).filter((entry) => !hits.includes(entry)),
  )
  return shortened(
    policy,
    now,
    hits.map((entry) => ({ kind: 'remove', policy, list, text: name, span: entry.span })),
  )
}

/** Plans that edit one policy so that it allows, or denies, what is asked: the narrowest of each kind. `before`: what is done first. */
function variants(world: World, question: Question, wanted: 'allow' | 'deny', before: Plan): readonly Plan[] {
  const found: { readonly kind: number; readonly width: number; readonly plan: Plan }[] = []
  const touched = new Set([...before.revision.values()])
  for (const policy of world.policies) {
    if (policy.readOnly || touched.has(policy)) continue
    const says = wanted === 'deny' ? policy.permissions.deny.length > 0 : policy.permissions.allow.length > 0
    for (const [kind, plan] of editsOf(policy, question, wanted).entries()) {
      const now = plan?.revision.get(policy)
      if (!plan || !now || (!says && kind < 3)) continue
      if (verdictBy(now, world, question) === wanted && verdictBy(policy, world, question) !== wanted)
        found.push({ kind, width: widthOf(now, kind), plan })
      else if (wanted === 'deny' && isDenied(now, world, question)) found.push({ kind, width: widthOf(now, kind), plan })
    }
  }
  return [0, 1, 2, 3, 4].flatMap((kind) =>
    found
      .filter((each) => each.kind === kind)
      .sort((a, b) => a.width - b.width)
      .slice(0, mostOfAKind)
      .map(({ plan }) => plan),
  )
}

function verdictBy(policy: Policy, world: World, question: Question): Verdict | 'silent' {
  const { verdict, reason } = combine(traces({ ...world, policies: [policy] }, question))
  return reason === 'default' ? 'silent' : verdict
}

function isDenied(policy: Policy, world: World, question: Question): boolean {
  return combine(traces({ ...world, policies: [policy] }, question)).reason === 'denied'
}

/** The ways to edit one policy, at fixed indices: its actions, resources, identities, what it excepts, its expiry. */
function editsOf(policy: Policy, question: Question, wanted: 'allow' | 'deny'): readonly (Plan | undefined)[] {
  const { identity, action, resource, at } = question
  const who = readIdentity(identity, { pattern: false }).value
  const what = readResourcePattern(resource).value
  const excepted = policy.permissions.except.filter(({ value }) => matches(value, action))
  const { expiresAt, ...lasting } = policy
  return [
    adding(policy, wanted, { value: glob(action), span: policy.span }),
    what && adding(policy, 'resources', { value: what, span: policy.span }),
    who && adding(policy, 'identities', { value: who, span: policy.span }),
    excepted.length === 0 || wanted === 'deny'
      ? undefined
      : {
          edits: excepted.map((entry) => ({ kind: 'remove', policy, list: 'except', text: entry.value.text, span: entry.span })),
          revision: new Map([
            [
              policy,
              withEntries(
                policy,
                'except',
                policy.permissions.except.filter((entry) => !excepted.includes(entry)),
              ),
            ],
          ]),
        },
    expiresAt === undefined || at <= expiresAt.value
      ? undefined
      : { edits: [{ kind: 'remove-expiry', policy, span: expiresAt.span }], revision: new Map([[policy, lasting]]) },
  ]
}

function adding(policy: Policy, list: List, entry: Entry): Plan {
  const entries = entriesOf(policy, list)
  return {
    edits: [{ kind: 'add', policy, list, text: entry.value.text, span: entries.at(-1)?.span ?? policy.name.span }],
    revision: new Map([[policy, withEntries(policy, list, [...entries, entry])]]),
  }
}

/** How much a policy is about, apart from the list that was added to: a rough measure, to look at the narrowest first. */
function widthOf(policy: Policy, kind: number): number {
  const width = (list: List) => entriesOf(policy, list).reduce((sum, entry) => sum + (isPattern(globOf(entry)) ? 10 : 1), 0)
  const added: readonly List[] = [['allow'], ['resources'], ['identities'], [], []][kind] as readonly List[]
  return (['identities', 'resources', 'allow'] as const).reduce(
    (product, list) => product * (added.includes(list) ? 1 : 1 + width(list)),
    1,
  )
}

/** A policy that says what is asked and nothing else. */
function newPolicy({ policies }: World, { identity, action, resource }: Question, wanted: 'allow' | 'deny'): Plan {
  const known = new Set(policies.map(({ name }) => name.value))
  const words = [wanted, identity.slice(identity.search(/[^:/]*$/)), action.slice(action.search(/[^:/]*$/))]
  const base = words.map((word) => word.replace(/[^A-Za-z0-9 _.-]+/g, '-')).join(' ')
  let name = base
  for (let i = 2; known.has(name); i++) name = `${base} ${i}`
  return {
    edits: [{ kind: 'new-policy', text: name }],
    revision: new Map(),
    added: { name, identities: [identity], resources: [{ urn: resource }], permissions: { [wanted]: [{ action }] } },
  }
}
