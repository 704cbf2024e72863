import { Budget } from '../budget.ts'
import { madeIn } from '../collections.ts'
import { Covering, covers, isPattern } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { memoizeByObject } from '../memo.ts'
import type { Condition, Policy, World } from '../policy.ts'
import type { Source } from '../source.ts'
import { type Entry, entriesOf, globOf, joinKeys, type List, lists, withEntries } from '../symbolic/entries.ts'
import { type CoverContext, coverContextOf, coverOf, deniersOf, isCovered, isCoveredAmong, isWithin, replace } from './cover-context.ts'

/** Why something can go. */
export type Reason =
  /** One entry of the same list covers it, or is the same. */
  | { readonly kind: 'entry'; readonly by: Entry }
  /** These policies say all of it; none named: more than a few together. */
  | { readonly kind: 'policies'; readonly by: readonly Policy[] }
  /** These policies deny all that it allows; none named: several together. */
  | { readonly kind: 'denied'; readonly by: readonly Policy[] }
  /** It can never apply again. */
  | { readonly kind: 'over' }
  /** This branch of its condition changes nothing, at any time or from the instant on that counts. */
  | { readonly kind: 'branch'; readonly condition: Condition; readonly isOver: boolean }
  /** Nothing is granted or denied by it. */
  | { readonly kind: 'nothing' }
  /** Its entries go to another policy, from which it differs in one list. */
  | { readonly kind: 'merge'; readonly into: Policy; readonly list: List }

/** Something that goes: a policy, or an entry of one of its lists. All places are those of the policies as given. */
export interface Step {
  readonly policy: Policy
  readonly list?: List
  readonly entry?: Entry
  readonly reason: Reason
}

/** A step that was not taken, since it could not be decided whether anything would change. */
export interface OpenStep {
  readonly policy: Policy
  readonly list?: List
  readonly entry?: Entry
  readonly culprits: readonly string[]
}

/** The remaining policies: with their entries, and those of others that were merged into them. `undefined`: removed. */
export type Revision = ReadonlyMap<Policy, Policy | undefined>

export interface Shrunk {
  readonly steps: readonly Step[]
  readonly open: readonly OpenStep[]
  readonly revision: Revision
}

/**
 * Leave out what changes nothing, and merge what can be one policy, until nothing more is found: whole policies first,
 * the last of equals before the first, then entries, then merges. Each step is proved over all identities, actions,
 * resources and contexts; what is not decided within its budget is not taken. Read-only policies and those of `frozen`
 * sources stay as they are and count for others. Throws `Undecided` where the world cannot be taken apart.
 */
export function shrink(world: World, frozen: ReadonlySet<Source> = new Set(), run: Budget = new Budget()): Shrunk {
  const context = coverContextOf(world, run)
  const kindOf = kindsIn(world)
  const now = new Map(world.policies.map((policy) => [policy, policy]))
  const steps: Step[] = []
  const open = new Map<string, OpenStep>()
  const mayChange = (policy: Policy) => !policy.readOnly && !frozen.has(policy.span.source)
  const drafts = () => [...now].filter(([origin]) => mayChange(origin))
  const undecided = (step: OpenStep) =>
    open.set(keyOf(step.policy.span.source.path, step.policy.span.start, step.list, step.entry?.span.start), step)
  const needed = new Needed()
  const work: Work = { context, now, steps, undecided, needed, keysOf: numberedKeys() }
  for (let before = -1; before !== steps.length; ) {
    before = steps.length
    for (const [origin, policy] of drafts().reverse()) {
      if (needed.has(origin)) continue
      const outcome = isCovered(context, [policy], policy, [])
      if (outcome.kind === 'new') needed.add(origin)
      if (outcome.kind === 'undecided') undecided({ policy: origin, culprits: outcome.culprits })
      if (outcome.kind !== 'none') continue
      const by = coverOf(context, [policy], policy, [])
      steps.push({ policy: origin, reason: by?.length === 0 ? idleReason(policy, { context, now }) : reasonOf(by, now) })
      replace(context, [policy], undefined)
      now.delete(origin)
    }
    for (const [origin, policy] of drafts()) {
      if (needed.isWhole(policy)) continue
      for (const list of lists) trim(origin, list, policy, kindOf, work)
      const less = now.get(origin) as Policy
      // The policy is held against the others only, until here.
      if (less !== policy) replace(context, [policy], less)
      if (lists.every((list) => entriesOf(less, list).every((entry) => needed.has(list === 'except' ? less : origin, entry))))
        needed.addWhole(less)
    }
    if (steps.length > before) continue
    merge(drafts(), work)
  }
  const removed = new Set(steps.filter(({ entry }) => !entry).map(({ policy }) => policy))
  return {
    steps,
    open: [...open.values()].filter(({ policy }) => !removed.has(policy)),
    revision: new Map(world.policies.map((policy) => [policy, now.get(policy)])),
  }
}

interface Work {
  readonly context: CoverContext
  /** The policies that are left, as given and as they are now. */
  readonly now: Map<Policy, Policy>
  readonly steps: Step[]
  readonly undecided: (step: OpenStep) => void
  readonly needed: Needed
  readonly keysOf: (policy: Policy) => readonly (readonly [List, number])[]
}

/**
 * The policies and entries that were found to be needed, which stay so (docs/analysis.md, The whole set): by the policy as it was
 * written. An `except` is held against its own policy only: by the policy as it is now.
 */
class Needed {
  private readonly parts = new Map<Policy, Set<Entry | undefined>>()
  /** Policies as they are now, of which each entry is needed. */
  private readonly whole = new WeakSet<Policy>()

  has(policy: Policy, entry?: Entry): boolean {
    return this.parts.get(policy)?.has(entry) === true
  }

  add(policy: Policy, entry?: Entry): void {
    madeIn(this.parts, policy, () => new Set<Entry | undefined>()).add(entry)
  }

  isWhole(policy: Policy): boolean {
    return this.whole.has(policy)
  }

  addWhole(policy: Policy): void {
    this.whole.add(policy)
  }

  /** One policy takes up the entries of another. */
  merge(into: Policy, origin: Policy): void {
    for (const entry of this.parts.get(origin) ?? []) this.add(into, entry)
  }
}

/** Where a policy of now was written. */
function originOf(policy: Policy, now: ReadonlyMap<Policy, Policy>): Policy {
  for (const [origin, draft] of now) if (draft === policy) return origin
  return policy
}

function reasonOf(by: readonly Policy[] | undefined, now: ReadonlyMap<Policy, Policy>): Reason {
  return { kind: 'policies', by: (by ?? []).map((policy) => originOf(policy, now)) }
}

/** Why something that grants nothing does so. */
function idleReason(piece: Policy, { context, now }: Pick<Work, 'context' | 'now'>): Reason {
  const by = deniersOf(context, piece)
  return by ? { kind: 'denied', by: by.map((policy) => originOf(policy, now)) } : { kind: 'nothing' }
}

/** Take out of one list of a policy what changes nothing, from its end. `held`: the policy as it is among the others, which gives way. */
function trim(
  origin: Policy,
  list: List,
  held: Policy,
  kindOf: (list: List, entry: Entry) => string | undefined,
  { context, now, steps, undecided, needed }: Work,
): void {
  const kinds = new Set<string>()
  for (let i = entriesOf(now.get(origin) as Policy, list).length - 1; i >= 0; i--) {
    const policy = now.get(origin) as Policy
    const entries = entriesOf(policy, list)
    const entry = entries[i] as Entry
    const holder = list === 'except' ? policy : origin
    if (needed.has(holder, entry)) continue
    if (context.run.isSpent) {
      undecided({ policy: origin, list, entry, culprits: [origin.name.value] })
      return
    }
    // The result for one policy of a kind holds for all: only their names differ, and nothing else distinguishes them.
    const kind = kindOf(list, entry)
    if (kind !== undefined && kinds.has(kind)) continue
    const rest = withEntries(
      policy,
      list,
      entries.filter((_, j) => j !== i),
    )
    const piece = pieceOf(policy, list, entry)
    // An `except` only takes from its own list, and without it the policy by itself must grant no more than before.
    const same = entryReason(entry, rest, list)
    // An `except` only takes from its own list, and without it the policy by itself must grant no more than before.
    const ask = () => (list === 'except' ? isWithin(context, rest, policy) : isCovered(context, [piece], held, [rest]))
    const outcome = same && isPlainly(list, entry, context) ? ({ kind: 'none' } as const) : ask()
    if (outcome.kind === 'undecided') undecided({ policy: origin, list, entry, culprits: outcome.culprits })
    if (outcome.kind === 'new') {
      needed.add(holder, entry)
      if (kind !== undefined) kinds.add(kind)
    }
    if (outcome.kind !== 'none') continue
    steps.push({ policy: origin, list, entry, reason: same ?? widerReason(piece, rest, list, held, origin, { context, now }) })
    now.set(origin, rest)
  }
}

/**
 * Entries that name one action, or one user, which no other entry of the world is about; users who are described as being in
 * the same groups are of one kind. Undefined of every other entry.
 */
function kindsIn({ policies, permissionsGroups, identities }: World): (list: List, entry: Entry) => string | undefined {
  const sets = [...policies, ...permissionsGroups.values()].map(({ permissions }) => permissions)
  const actions = new Covering(sets.flatMap(({ allow, except, deny }) => [...allow, ...except, ...deny].map(({ value }) => value)))
  const callers = new Covering(policies.flatMap((policy) => policy.identities.map(({ value }) => value.glob)))
  const isAlone = (among: Covering, entry: Entry) => {
    const pattern = globOf(entry)
    return !isPattern(pattern) && isOne(among.of(pattern))
  }
  return (list, entry) => {
    if (list === 'allow' || list === 'deny') return isAlone(actions, entry) ? '' : undefined
    if (list !== 'identities' || !isAlone(callers, entry)) return undefined
    const { value } = entry as Policy['identities'][number]
    if (value.kind !== 'user') return undefined
    const described = identities.get(value.text)
    return keyOf(described !== undefined, [...(described?.groups ?? [])].sort())
  }
}

/** Whether there is one item, and no more. */
function isOne(items: Iterable<unknown>): boolean {
  let count = 0
  for (const _ of items) if (++count > 1) return false
  return count === 1
}

/** The access of an entry: the policy with it alone in its list, and without parts that do not depend on it. */
function pieceOf(policy: Policy, list: List, entry: Entry): Policy {
  const alone = withEntries(policy, list, [entry])
  const none: Policy['permissions'] = { allow: [], except: [], deny: [] }
  if (list === 'allow') return { ...alone, permissions: { ...alone.permissions, deny: [] }, permissionsGroups: [] }
  if (list === 'deny') return { ...alone, permissions: { ...none, deny: alone.permissions.deny }, permissionsGroups: [] }
  return list === 'permissionsGroups' ? { ...alone, permissions: none } : alone
}

/** The entry of the same list that covers an entry. */
function entryReason({ value }: Entry, rest: Policy, list: List): Reason | undefined {
  if (list === 'permissionsGroups') {
    const same = entriesOf(rest, list).find((other) => other.value.text === value.text)
    return same && { kind: 'entry', by: same }
  }
  const narrow = globOf({ value })
  const by = entriesOf(rest, list).find((other) => covers(globOf(other), narrow))
  return by && { kind: 'entry', by }
}

/** Whether it is plain that an entry says nothing that one which covers its text does not: not where strings have other meanings besides. */
function isPlainly(list: List, { value }: Entry, { readings }: CoverContext): boolean {
  return readings.length === 1 && (list !== 'resources' || (value as Policy['resources'][number]['value']).kind === 'resource')
}

function widerReason(
  piece: Policy,
  rest: Policy,
  list: List,
  held: Policy,
  origin: Policy,
  { context, now }: Pick<Work, 'context' | 'now'>,
): Reason {
  if (list === 'except') return { kind: 'nothing' }
  const by = coverOf(context, [piece], held, [rest])
  // The rest of the policy itself covers it, or it has no effect.
  if (by?.length === 0) {
    const isIdle = isCoveredAmong(context, [piece], []).kind === 'none'
    return isIdle ? idleReason(piece, { context, now }) : { kind: 'policies', by: [origin] }
  }
  return reasonOf(by, now)
}

/** The keys of policies for `merge` as numbers, and those of merged ones in little time: keys are long strings. */
function numberedKeys(): (policy: Policy) => readonly (readonly [List, number])[] {
  const [texts, keys] = [new Map<string, number>(), new Map<string, number>()]
  const numberIn = (numbers: Map<string, number>) => (text: string) => madeIn(numbers, text, () => numbers.size)
  return memoizeByObject((policy: Policy) => joinKeys(policy, numberIn(texts)).map(([list, key]) => [list, numberIn(keys)(key)] as const))
}

/**
 * Merge policies that differ in one list only, again and again the first pair. It needs no proof: what a policy says is what it says for
 * each entry of such a list.
 */
function merge(drafts: readonly (readonly [Policy, Policy])[], { context, now, steps, needed, keysOf }: Work): void {
  const places = [...drafts]
  const draftAt = (place: number) => places[place] as readonly [Policy, Policy]
  /** Of the policies before the one that is looked at: the place by each key. */
  const holders: (number | undefined)[] = []
  const parts = new Map<Policy, Policy[]>()
  for (const start of places.keys()) {
    for (let place = start; ; ) {
      const keys = keysOf(draftAt(place)[1])
      const held = keys.flatMap(([list, key]) => (holders[key] === undefined ? [] : [{ list, other: holders[key] }]))
      const pair = held.find(({ other }) => other < place) ?? held.sort((a, b) => a.other - b.other)[0]
      if (!pair) {
        for (const [, key] of keys) holders[key] = place
        break
      }
      const { list, other } = pair
      for (const [, key] of keysOf(draftAt(other)[1])) holders[key] = undefined
      const [[into, first], [origin, policy]] = other < place ? [draftAt(other), draftAt(place)] : [draftAt(place), draftAt(other)]
      const present = new Set(entriesOf(first, list).map(({ value }) => value.text))
      const added = entriesOf(policy, list).filter(({ value }) => !present.has(value.text))
      steps.push({ policy: origin, reason: { kind: 'merge', into, list } })
      needed.merge(into, origin)
      parts.set(into, [...(parts.get(into) ?? [first]), ...(parts.get(origin) ?? [policy])])
      parts.delete(origin)
      now.delete(origin)
      place = Math.min(place, other)
      places[place] = [into, withEntries(first, list, [...entriesOf(first, list), ...added])]
    }
  }
  for (const [into, merged] of places) {
    const olds = parts.get(into)
    if (!olds) continue
    replace(context, olds, merged)
    now.set(into, merged)
  }
}
