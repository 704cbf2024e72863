import { type Allowance, type Budget, isExceeded, spend } from '../budget.ts'
import { addTo, madeIn, pushTo } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { matches, writtenAs } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { lazy, type Memoize, memoizeByObject } from '../memo.ts'
import type { PermissionSet, Policy, World } from '../policy.ts'
import { decide, verdictOf } from '../simulate/decide.ts'
import type { Question, Trace, Verdict } from '../simulate/decision.ts'
import { PatternIndex } from '../simulate/pattern-index.ts'
import { traces } from '../simulate/reference.ts'
import type { Span } from '../source.ts'
import { type Entry, entriesOf, globOf, type List, lists, withEntries } from '../symbolic/entries.ts'
import { always, formulaOf, printFormula } from '../symbolic/formula.ts'

/** An edit that a difference rests on: without it, it would not be there. */
export interface Cause {
  /** Where it is to be seen: in the text before, for what was removed, or after. */
  readonly span: Span
  readonly side: 'before' | 'after'
  /** `passed`, `met` and `unmet` are no edits but what the time brings: an expiry, and a condition on the time. */
  readonly change: 'added' | 'removed' | 'changed' | 'passed' | 'met' | 'unmet'
  /** The edited part, in words: ``allow `vps:*` ``, `condition`, … */
  readonly what: string
  /** The policy, or the group, that was edited. */
  readonly name: string
  /** For a part removed from a policy that still exists: the present place of that policy. */
  readonly near?: Span
  /** The address of the policy in the tool that describes it. */
  readonly address?: string
  /** Whose edit it is, where two sides are merged. */
  readonly by?: string
}

/** Something that can be undone by itself. */
interface Unit {
  readonly before: Policy | undefined
  readonly after: Policy | undefined
  /** Whether it may count for a question, where that is known: the groups of one identity are nothing to another. */
  readonly mayMatter?: (question: Question) => boolean
  /** The second world with this undone. */
  readonly undo: (after: World) => World
  readonly cause: Cause
}

/** The edits between two worlds. */
export interface Edits {
  readonly before: World
  readonly after: World
  readonly units: readonly Unit[]
  /** The policies of each side by the identities that they name. */
  readonly about: { readonly before: PoliciesByIdentity; readonly after: PoliciesByIdentity }
  /** How much may still be looked at for causes. */
  readonly steps: Allowance
  /** Who made them, where two sides are merged. */
  readonly by?: string
}

/** The edits that lead from one world to another: policies that differ are held together by content first, then by name, then by whom and what they are about. */
export function editsBetween(before: World, after: World, run: Budget, keep: Memoize = (make, key) => make(key)): Edits {
  // Of files that did not change the policies are the same objects.
  const [policiesBefore, there] = [new Set(before.policies), new Set(after.policies)]
  const olds = new Set(before.policies.filter((policy) => !there.has(policy)))
  const news = new Set(after.policies.filter((policy) => !policiesBefore.has(policy)))
  const pairs: [Policy, Policy][] = []
  const textOf = (policy: Policy) => keep(policyKey, policy)
  const nameAndText = (policy: Policy) => keyOf(policy.name.value, textOf(policy))
  for (const key of [nameAndText, textOf, placeOf, aboutOf]) {
    const waiting = new Map<string, Policy[]>()
    for (const policy of olds) pushTo(waiting, key(policy), policy)
    for (const policy of [...news]) {
      const match = waiting.get(key(policy))?.shift()
      if (!match) continue
      olds.delete(match)
      news.delete(policy)
      if (key !== nameAndText && key !== textOf) pairs.push([match, policy])
    }
  }
  const units: Unit[] = [
    ...pairs.map(
      ([old, now]): Unit => ({
        before: old,
        after: now,
        undo: (world) => ({ ...world, policies: world.policies.map((policy) => (policy === now ? old : policy)) }),
        cause: { span: now.name.span, side: 'after', change: 'changed', what: 'policy', name: now.name.value },
      }),
    ),
    ...[...news].map(
      (now): Unit => ({
        before: undefined,
        after: now,
        undo: (world) => ({ ...world, policies: world.policies.filter((policy) => policy !== now) }),
        cause: { span: now.name.span, side: 'after', change: 'added', what: 'policy', name: now.name.value },
      }),
    ),
    ...[...olds].map(
      (old): Unit => ({
        before: old,
        after: undefined,
        undo: (world) => ({ ...world, policies: [...world.policies, old] }),
        cause: { span: old.name.span, side: 'before', change: 'removed', what: 'policy', name: old.name.value },
      }),
    ),
    ...inventoryUnits(before, after),
  ]
  return editsOf(before, after, units, run)
}

/** A record for edits that are already known. */
export function editsOf(before: World, after: World, units: readonly Unit[], run: Budget): Edits {
  return {
    before,
    after,
    units,
    about: { before: new PoliciesByIdentity(before), after: new PoliciesByIdentity(after) },
    steps: run.share(mostSteps),
  }
}

/** The limit of the search for the causes of one difference: no answer depends on them. */
const mostSteps = 5_000_000

/** The key of a policy that stays the same while it changes: the address in the tool that describes it, else its name. */
function placeOf({ address, name }: Policy): string {
  return address === undefined ? `name ${name.value}` : `at ${address}`
}

/** Whom and what a policy without its name is about: what a lockfile holds has other names, and a policy may be renamed as it is edited. */
function aboutOf(policy: Policy): string {
  const { allow, deny } = policy.permissions
  return JSON.stringify([texts(policy.identities), texts(policy.resources), allow.length > 0, deny.length > 0])
}

/** Edits of the inventory: each group, each identity by itself. */
function inventoryUnits(before: World, after: World): readonly Unit[] {
  const units: Unit[] = []
  const compare = <T extends { readonly span?: Span; readonly urn: { readonly span: Span } }>(
    what: string,
    key: 'permissionsGroups' | 'resourceGroups' | 'identities' | 'resources',
    of: (world: World) => ReadonlyMap<string, T>,
    text: (item: T) => string,
    mayMatter: (urn: string) => (question: Question) => boolean = () => () => true,
  ) => {
    const [first, second] = [of(before), of(after)]
    for (const urn of [...new Set([...first.keys(), ...second.keys()])].sort()) {
      const [old, now] = [first.get(urn), second.get(urn)]
      if (old && now && text(old) === text(now)) continue
      const shown = (now ?? old) as T
      units.push({
        before: undefined,
        after: undefined,
        mayMatter: mayMatter(urn),
        undo: (world) => {
          const map = new Map<string, T>(of(world))
          if (old) map.set(urn, old)
          else map.delete(urn)
          return { ...world, [key]: map }
        },
        cause: {
          span: shown.urn.span,
          side: now ? 'after' : 'before',
          change: old ? (now ? 'changed' : 'removed') : 'added',
          what,
          name: urn,
        },
      })
    }
  }
  compare(
    'permissions group',
    'permissionsGroups',
    (world) => world.permissionsGroups,
    ({ permissions }) => permissionsText(permissions),
  )
  compare(
    'resource group',
    'resourceGroups',
    (world) => world.resourceGroups,
    ({ members, complete }) => keyOf(complete, [...members].sort()),
  )
  compare(
    'groups of the identity',
    'identities',
    (world) => world.identities,
    ({ groups }) => keyOf([...groups].sort()),
    (urn) =>
      ({ identity }) =>
        identity === urn,
  )
  compare(
    'tags or owner of the resource',
    'resources',
    (world) => world.resources,
    ({ owner, tags }) => JSON.stringify([owner ?? null, tags ? [...tags].sort() : null]),
    (urn) =>
      ({ resource }) =>
        resource === urn,
  )
  return units
}

type Written = Parameters<typeof writtenAs>[0]

const texts = (list: readonly { readonly value: Written }[]) => list.map(({ value }) => writtenAs(value)).sort()

function permissionsText({ allow, except, deny }: PermissionSet): string {
  return JSON.stringify([texts(allow), texts(except), texts(deny)])
}

function conditionText({ condition }: Policy): string {
  return printFormula(condition ? formulaOf(condition) : always)
}

/** All that counts of a policy but its name. */
export function policyKey(policy: Policy): string {
  return JSON.stringify([lists.map((list) => texts(entriesOf(policy, list))), conditionText(policy), policy.expiresAt?.value])
}

/** All that counts of a policy, and its name. */
export function contentOf(policy: Policy): string {
  return keyOf(policy.name.value, policyKey(policy))
}

/** How many questions are looked at for the causes of one region. */
export const mostQuestions = 40

/**
 * The edits that the answers to some questions rest on, each one checked: with it undone, the second world answers like
 * the first. Where several edits do the same, so that none alone counts, as few as have to be undone together. Once the
 * budget is used up no more are looked for.
 */
export function causesOf(questions: readonly Question[], edits: Edits): readonly Cause[] {
  const causes = new Map<string, Cause>()
  for (const question of questions.slice(0, mostQuestions)) {
    if (isExceeded(edits.steps)) break
    for (const cause of causesAt(question, edits)) {
      const { source, start } = cause.span
      causes.set(keyOf(source.path, start, cause.side, cause.what), edits.by === undefined ? cause : { ...cause, by: edits.by })
    }
  }
  return [...causes.values()].sort((a, b) => compareText(a.span.source.path, b.span.source.path) || a.span.start - b.span.start)
}

/** How many comparisons it takes to ask one policy. */
const perPolicy = 30

function causesAt(question: Question, edits: Edits): readonly Cause[] {
  const { units, steps } = edits
  // A policy about others has no say, on neither side.
  const ownGroups = [edits.before, edits.after].flatMap(({ identities }) => identities.get(question.identity)?.groups ?? [])
  const asked = { ...question, groups: [...new Set([...question.groups, ...ownGroups])] }
  const before = { ...edits.before, policies: edits.about.before.of(asked) }
  const after = { ...edits.after, policies: edits.about.after.of(asked) }
  spend(steps, perPolicy * (before.policies.length + after.policies.length))
  const [tracesBefore, tracesAfter] = [traces(before, question), traces(after, question)]
  const [sayBefore, sayAfter] = [policiesWithSay(tracesBefore), policiesWithSay(tracesAfter)]
  const relevant = units.filter(
    (unit) => (isOfInventory(unit) && unit.mayMatter?.(question) !== false) || has(sayBefore, unit.before) || has(sayAfter, unit.after),
  )
  // Where inventories differ, undoing that may give any policy a say.
  const keptPolicies = relevant.some(isOfInventory) ? new Set(after.policies) : sayAfter
  const edited = new Set(relevant.map((unit) => unit.after))
  const part: World = { ...after, policies: edits.after.policies.filter((policy) => keptPolicies.has(policy) || edited.has(policy)) }
  // Undone are each unit, and where that does nothing each set with one unit less.
  spend(steps, perPolicy * relevant.length * (part.policies.length + 1))
  const [wanted, verdictAfter] = [verdictOf(before, question, tracesBefore), verdictOf(after, question, tracesAfter)]
  const isUndone = (world: World) => sameAnswer(verdictOf(world, question), wanted, verdictAfter)
  const without = withoutUnits(question, part)
  const isUndoneBy = (some: readonly Unit[]) => sameAnswer(without(some), wanted, verdictAfter)
  const single = relevant.filter((unit) => isUndoneBy([unit]))
  const chosen = single.length > 0 ? single : fewest(relevant, isUndoneBy)
  return chosen.flatMap((unit) => entryCauses(unit, question, part, isUndone, before, after))
}

function policiesWithSay(all: readonly Trace[]): ReadonlySet<Policy> {
  return new Set(all.filter(({ stoppedAt }) => stoppedAt === undefined).map(({ policy }) => policy))
}

/**
 * The verdict of a world with some units undone. One policy does not depend on the others, so that each is asked
 * once, and not again for each unit.
 */
function withoutUnits(question: Question, world: World): (units: readonly Unit[]) => Verdict {
  const all = traces(world, question)
  const traceOf = memoizeByObject((policy: Policy) => traces({ ...world, policies: [policy] }, question))
  return (units) => {
    if (units.some(isOfInventory))
      return verdictOf(
        units.reduce((each, { undo }) => undo(each), world),
        question,
      )
    const afterPolicies = new Set(units.map(({ after }) => after))
    const back = units.flatMap(({ before }) => (before ? traceOf(before) : []))
    return verdictOf(world, question, [...all.filter(({ policy }) => !afterPolicies.has(policy)), ...back])
  }
}

function isOfInventory({ before, after }: Unit): boolean {
  return !before && !after
}

function has(policies: ReadonlySet<Policy>, policy: Policy | undefined): boolean {
  return policy !== undefined && policies.has(policy)
}

/** The policies of a world by the identities that they name; looked up once for the same members. */
export class PoliciesByIdentity {
  private readonly world: World
  private readonly known = new Map<string, readonly Policy[]>()
  private readonly index = lazy(() => {
    const patterns = new PatternIndex()
    const policies = new Map<number, Set<Policy>>()
    for (const policy of this.world.policies) for (const { value } of policy.identities) addTo(policies, patterns.add(value.glob), policy)
    return { patterns, policies, places: new Map(this.world.policies.map((policy, place) => [policy, place])) }
  })

  constructor(world: World) {
    this.world = world
  }

  /** Those that name the identity of a question or one of its groups, in the order of the world. */
  of({ identity, groups }: Pick<Question, 'identity' | 'groups'>): readonly Policy[] {
    const members = [identity, ...groups, ...(this.world.identities.get(identity)?.groups ?? [])]
    return madeIn(this.known, keyOf(members), () => {
      const { patterns, policies, places } = this.index()
      const found = members.flatMap((member) => patterns.matching(member)).flatMap((pattern) => [...(policies.get(pattern) ?? [])])
      return [...new Set(found)].sort((a, b) => (places.get(a) as number) - (places.get(b) as number))
    })
  }
}

/** Whether an edited world answers as the first one did, and not as the second one does. */
function sameAnswer(verdict: Verdict, wanted: Verdict, given: Verdict): boolean {
  return verdict === wanted || ((verdict === 'allow') === (wanted === 'allow') && verdict !== given)
}

/** As few units as are to be undone together: one after the other is done again where that does no harm. */
function fewest<T>(units: readonly T[], isUndoneBy: (some: readonly T[]) => boolean): readonly T[] {
  let remaining = units
  for (const unit of units) {
    const less = remaining.filter((each) => each !== unit)
    if (isUndoneBy(less)) remaining = less
  }
  return remaining
}

/**
 * The entries of a policy that a unit comes down to: each that undoes it without the others, else as few as undo it together. The unit
 * itself where no entries do.
 */
function entryCauses(
  unit: Unit,
  question: Question,
  world: World,
  isUndone: (world: World) => boolean,
  before: World,
  after: World,
): readonly Cause[] {
  const { before: old, after: now, cause } = unit
  if (old && now) {
    const edits = entryEdits(old, now, question, world)
    const isUndoneBy = (some: readonly EntryEdit[]) => {
      const policy = some.reduce((each, { undo }) => undo(each), now)
      return isUndone({ ...world, policies: world.policies.map((each) => (each === now ? policy : each)) })
    }
    const single = edits.filter((edit) => isUndoneBy([edit]))
    const causing = single.length > 0 || !isUndoneBy(edits) ? single : fewest(edits, isUndoneBy)
    return causing.length > 0 ? causing.map((each) => each.cause) : [cause]
  }
  const current = now ?? old
  if (!current) return [cause]
  // Of a policy that was added or removed whole, the entries that count for the question.
  const clauses = decide(now ? after : before, question).clauses.filter(({ policy }) => policy === current)
  if (clauses.length === 0) return [cause]
  return clauses.map(({ entry, list, group }) =>
    group === undefined ? { ...cause, span: entry.span, what: `${list} \`${writtenAs(entry.value)}\`` } : cause,
  )
}

/** The word for an entry of a list, where it is not the name of the list. */
const words: Partial<Record<List, string>> = { identities: 'identity', resources: 'resource', permissionsGroups: 'permissions group' }

interface EntryEdit {
  /** A policy with this edit undone: that after, or one in which others are undone. */
  readonly undo: (policy: Policy) => Policy
  readonly cause: Cause
}

/** The edits of entries that may count for a question: an entry about something else does not. */
function entryEdits(old: Policy, now: Policy, question: Question, world: World): readonly EntryEdit[] {
  const out: EntryEdit[] = []
  const name = now.name.value
  for (const list of lists) {
    const [first, second] = [entriesOf(old, list), entriesOf(now, list)]
    const whatOf = ({ value }: Entry) => `${words[list] ?? list} \`${writtenAs(value)}\``
    const textsOf = (entries: readonly Entry[]) => new Set(entries.map(({ value }) => writtenAs(value)))
    const [texts, otherTexts] = [textsOf(first), textsOf(second)]
    for (const entry of second) {
      if (texts.has(writtenAs(entry.value)) || !mayCount(list, entry, question, world)) continue
      out.push({
        undo: (policy) =>
          withEntries(
            policy,
            list,
            entriesOf(policy, list).filter((each) => each !== entry),
          ),
        cause: { span: entry.span, side: 'after', change: 'added', what: whatOf(entry), name },
      })
    }
    for (const entry of first) {
      if (otherTexts.has(writtenAs(entry.value)) || !mayCount(list, entry, question, world)) continue
      out.push({
        undo: (policy) => withEntries(policy, list, [...entriesOf(policy, list), entry]),
        cause: { span: entry.span, side: 'before', change: 'removed', what: whatOf(entry), name, near: now.name.span },
      })
    }
  }
  if (conditionText(old) !== conditionText(now)) {
    out.push({
      undo: ({ condition: _condition, ...rest }) => ({ ...rest, ...(old.condition && { condition: old.condition }) }),
      cause: sided(old.condition?.span, now.condition?.span, 'condition', now),
    })
  }
  if (old.expiresAt?.value !== now.expiresAt?.value) {
    out.push({
      undo: ({ expiresAt: _expiresAt, ...rest }) => ({ ...rest, ...(old.expiresAt && { expiresAt: old.expiresAt }) }),
      cause: sided(old.expiresAt?.span, now.expiresAt?.span, 'expiry', now),
    })
  }
  return out
}

/** Whether an entry of a list may be about a question; one that names a group of resources or of permissions may. */
function mayCount(list: List, entry: Entry, { identity, action, resource, groups }: Question, world: World): boolean {
  if (list === 'permissionsGroups' || (list === 'resources' && entry.value.text.includes(':resourceGroup:'))) return true
  const members = [identity, ...groups, ...(world.identities.get(identity)?.groups ?? [])]
  const asked = list === 'identities' ? members : list === 'resources' ? [resource] : [action]
  return asked.some((name) => matches(globOf(entry), name))
}

function sided(old: Span | undefined, now: Span | undefined, what: string, { name }: Policy): Cause {
  const change = old ? (now ? 'changed' : 'removed') : 'added'
  return { span: now ?? old ?? name.span, side: now ? 'after' : 'before', change, what, name: name.value, ...(!now && { near: name.span }) }
}
