import type { Budget } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import { compareText } from '../diagnostic.ts'
import { matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { type Memoize, memoizeByObject, memoizeByText } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { verdictOf } from '../simulate/decide.ts'
import type { Question } from '../simulate/decision.ts'
import {
  type ActionsByType,
  type Cell,
  type Class,
  type ClassPair,
  Described,
  groupsOf,
  type KnownNames,
  knownNamesIn,
  type Lookups,
  type RequestContext,
  whenAllowed,
} from '../symbolic/described.ts'
import {
  allOf,
  always,
  type Formula,
  isAlways,
  isNever,
  type Model,
  noneOf,
  printFormula,
  satisfy,
  tooMany,
  withTime,
} from '../symbolic/formula.ts'
import type { Region } from '../symbolic/regions.ts'
import { simplified } from '../symbolic/simplify.ts'
import { questionAt, withTagsOf } from '../symbolic/witness.ts'
import { typeAndName } from '../urn/resource.ts'
import { inResourceGroup } from '../world.ts'
import { type Cause, causesOf, type Edits, policyKey } from './causes.ts'

/** Access that one side has and the other has not, of what both describe: each identity, action and resource of it. */
export interface DescribedChange {
  readonly identities: readonly string[]
  /** Actions of the catalogue that are about the resources. */
  readonly actions: readonly string[]
  readonly resources: readonly string[]
  /** When it is so. */
  readonly condition: Formula
  /** False: it depends on facts that cannot be known. */
  readonly certain: boolean
  /** One question of it, for an instant at which the sides differ. */
  readonly witness: Question
  readonly causes: readonly Cause[]
  /** From the instant that was asked about on there is nothing of it. */
  readonly isPast?: boolean
}

/** The difference for the described identities and resources and the actions of the catalogue. */
export interface DescribedDifference {
  readonly gained: readonly DescribedChange[]
  readonly lost: readonly DescribedChange[]
  /** Some conditions have too many combinations of facts to try them all: there may be more. */
  readonly undecided: boolean
  /** There are more combinations than were asked for: none is listed. */
  readonly isCut?: boolean
  /** The first instant that counts; undefined where all do. */
  readonly from?: number
}

export interface DescribedOptions {
  readonly actions: ActionsByType
  /** The instants that count; all when not given. */
  readonly time?: Formula
  readonly given?: RequestContext
  /** The names to look at; by default all that the worlds describe or name. */
  readonly things?: KnownNames
  /** Nothing more is looked for once there are more combinations. */
  readonly most?: number
  /** Those of the search that it belongs to. */
  readonly lookups?: Lookups
  /** Keeps what is made of policies, where a world is compared with several. */
  readonly keep?: Memoize
  /** The budget of the whole run. */
  readonly run: Budget
}

/** How many steps the conditions of one pair may take: the same number on every machine. */
const mostSteps = 20_000

/** The difference between the cells of a pair of classes. */
interface Differing {
  readonly side: 'gained' | 'lost'
  readonly actions: readonly string[]
  readonly condition: Formula
  readonly key: string
  readonly model: Model
  readonly certain: boolean
}

/** The same with the names that it is about, on the way to a change. */
interface Found extends Omit<Differing, 'side'> {
  readonly identities: readonly string[]
  readonly resources: readonly string[]
}

/**
 * The exact difference of two worlds for the things that they describe (docs/analysis.md, Known things). Unlike the
 * difference over all requests, each side has the groups, tags and owners that it describes.
 */
export function describedDifference(before: World, after: World, edits: Edits, options: DescribedOptions): DescribedDifference {
  const worlds = [before, after]
  const changed = [changedPolicies(before, after, edits, options.keep), changedPolicies(after, before, edits, options.keep)]
  const concerned = concernedBy(changed, worlds, options.things ?? knownNamesIn(worlds), options.given?.groups ?? [])
  // Of a resource no action is about nothing can differ.
  const hasActions = memoizeByText(
    (type: string) => type,
    (type) => options.actions.of(type).length > 0,
  )
  const things = { ...concerned, resources: concerned.resources.filter((resource) => hasActions(typeAndName(resource).type)) }
  if (things.resources.length === 0) return { gained: [], lost: [], undecided: false }
  const described = new Described(worlds, things, options.given, options.lookups)
  const [gained, lost]: [Found[], Found[]] = [[], []]
  const { run } = options
  let undecided = false
  // Where the worlds describe both alike, only policies about actions of an edited one count.
  const others = new Set([
    ...described.identities.filter(({ names }) => names.some((name) => hasOtherGroups(name, worlds))),
    ...described.resources.filter(({ names }) => names.some((name) => hasOtherFacts(name, worlds))),
  ])
  const edited = { policies: changed.map((numbers) => new Set(numbers)), actions: options.actions }
  const keyOf = memoizeByObject(regionKey)
  const differencesIn = (pair: readonly [Class, Class], { policies }: ClassPair): readonly Differing[] => {
    const [first, second] = [described.cell(0, ...pair, policies[0]), described.cell(1, ...pair, policies[1])]
    const touched = touching(first, second, keyOf)
    if (touched?.length === 0) return []
    const catalogue = options.actions.of(typeAndName(pair[1].names[0] as string).type)
    const out: Differing[] = []
    for (const actions of groupsOf(described, catalogue, first, second, touched)) {
      const [old, now] = [first, second].map((cell) => whenAllowed(cell, actions[0] as string)) as [Formula, Formula]
      if (printFormula(old) === printFormula(now)) continue
      for (const side of ['gained', 'lost'] as const) {
        const [here, there] = side === 'gained' ? [now, old] : [old, now]
        const differingParts = differing(here, there, options.time ?? always, run)
        if (differingParts === tooMany) undecided = true
        else if (differingParts) out.push({ side, actions, ...differingParts })
      }
    }
    return out
  }
  // The result for a pair depends on the policies about both, and on the facts these look at: it is computed once for all pairs that have
  // the same.
  const byPolicies = new Map<string, readonly Differing[]>()
  let combinations = 0
  for (const pair of candidates(described, others, changed)) {
    if (run.isSpent) {
      undecided = true
      break
    }
    run.left -= policiesIn(pair)
    const said = described.pair(...pair, others.has(pair[0]) || others.has(pair[1]) ? undefined : edited)
    const knownDifferences = byPolicies.get(said.key) ?? differencesIn(pair, said)
    byPolicies.set(said.key, knownDifferences)
    for (const { side, ...difference } of knownDifferences) {
      ;(side === 'gained' ? gained : lost).push({ identities: pair[0].names, resources: pair[1].names, ...difference })
      combinations += pair[0].names.length * pair[1].names.length * difference.actions.length
    }
    if (combinations > (options.most ?? Number.POSITIVE_INFINITY)) return { gained: [], lost: [], undecided, isCut: true }
  }
  const shown = (list: readonly Found[], sides: readonly World[]) =>
    folded(list)
      .map((each) => changeOf(each, sides, edits, options))
      .sort(firstThingsFirst)
  return { gained: shown(gained, [after, before]), lost: shown(lost, [before, after]), undecided }
}

/** How many policies are about a pair of classes, on both sides. */
function policiesIn(pair: readonly [Class, Class]): number {
  return 1 + pair.reduce((sum, { policies }) => sum + policies.reduce((count, { length }) => count + length, 0), 0)
}

/** The regions that one of two cells has and the other has not; undefined where all actions may differ. */
function touching(first: Cell, second: Cell, keyOf: (region: Region) => string): readonly Region[] | undefined {
  if (first.isRoot || second.isRoot) return first.isRoot && second.isRoot ? [] : undefined
  const remaining = new Map<string, Region[]>()
  const [old, now] = [first, second].map(({ allows, denies }) => [...allows, ...denies]) as [Region[], Region[]]
  for (const region of old) {
    const key = keyOf(region)
    pushTo(remaining, key, region)
  }
  const fresh = now.filter((region) => !remaining.get(keyOf(region))?.pop())
  return [...[...remaining.values()].flat(), ...fresh]
}

/** The same for regions that say the same of a pair. */
function regionKey(region: Region): string {
  const { effect, actions, except, formula } = region
  return keyOf(
    effect,
    printFormula(formula),
    actions.map(({ value }) => value.text),
    except.map(({ text }) => text),
  )
}

/** When one side allows and the other does not; undefined when there is no such context. */
export function differing(
  here: Formula,
  there: Formula,
  time: Formula,
  run: Budget,
): Pick<Found, 'condition' | 'key' | 'model' | 'certain'> | undefined | typeof tooMany {
  const condition = allOf([here, noneOf(there)])
  if (isNever(condition)) return undefined
  const formulas = withTime([condition], time)
  const sure = satisfy(formulas, { assume: false, allowance: run.share(mostSteps) })
  const model = sure && sure !== tooMany ? sure : satisfy(formulas, { allowance: run.share(mostSteps) })
  if (model === undefined || model === tooMany) return model
  return { condition, key: printFormula(condition), model, certain: model === sure }
}

/** The pairs of classes whose access may differ: a policy about both does, or what the worlds describe of them does. */
function* candidates(
  described: Described,
  others: ReadonlySet<Class>,
  changed: readonly (readonly number[])[],
): Iterable<readonly [Class, Class]> {
  const { identities, resources } = described
  const done = new Set<number>()
  const fresh = function* (who: Iterable<number>, on: readonly number[]): Iterable<readonly [Class, Class]> {
    for (const i of who) {
      for (const j of on) {
        const pair = i * resources.length + j
        if (done.has(pair)) continue
        done.add(pair)
        yield [identities[i] as Class, resources[j] as Class]
      }
    }
  }
  const all = ({ length }: readonly Class[]) => Array.from({ length }, (_, i) => i)
  for (const [side, numbers] of changed.entries()) {
    const [who, on] = [byPolicy(identities, side), byPolicy(resources, side)]
    for (const number of numbers) yield* fresh(who.get(number) ?? [], on.get(number) ?? [])
  }
  const which = (list: readonly Class[]) => all(list).filter((i) => others.has(list[i] as Class))
  yield* fresh(which(identities), all(resources))
  yield* fresh(all(identities), which(resources))
}

/** Whether worlds have an identity in different groups. */
export function hasOtherGroups(identity: string, worlds: readonly World[]): boolean {
  const [old, now] = worlds.map(({ identities }) => textOf(identities.get(identity)?.groups))
  return old !== now
}

/** Whether worlds have different owners or tags of a resource. */
export function hasOtherFacts(resource: string, worlds: readonly World[]): boolean {
  const [old, now] = worlds.map(({ resources, account }) => {
    const known = resources.get(resource)
    return keyOf(known?.owner ?? account, known?.tags && [...known.tags].map((tag) => keyOf(tag)).sort())
  })
  return old !== now
}

/** Up to how many changed policies the things that they are about are looked for first. */
const mostNarrowed = 16

/** The things for which something may differ: policies that changed are about them, or the worlds describe them differently. */
function concernedBy(
  changed: readonly (readonly number[])[],
  worlds: readonly World[],
  things: KnownNames,
  groups: readonly string[],
): KnownNames {
  if (changed.flat().length > mostNarrowed) return things
  const { identities, resources } = things
  const [who, on] = [new Set<string>(), new Set<string>()]
  const others = identities.filter((identity) => hasOtherGroups(identity, worlds))
  const retagged = resources.filter((resource) => hasOtherFacts(resource, worlds))
  for (const [side, numbers] of changed.entries()) {
    const world = worlds[side] as World
    for (const number of numbers) {
      const policy = world.policies[number] as Policy
      for (const identity of retagged.length > 0 ? [] : identities) {
        const members = [identity, ...groups, ...(world.identities.get(identity)?.groups ?? [])]
        if (policy.identities.some(({ value }) => members.some((member) => matches(value.glob, member)))) who.add(identity)
      }
      for (const resource of others.length > 0 ? [] : resources)
        if (policy.resources.some(({ value }) => isPerhapsAbout(value, resource, world))) on.add(resource)
    }
  }
  return {
    identities: retagged.length > 0 ? identities : identities.filter((identity) => who.has(identity) || others.includes(identity)),
    resources: others.length > 0 ? resources : resources.filter((resource) => on.has(resource) || retagged.includes(resource)),
  }
}

function isPerhapsAbout(entry: Policy['resources'][number]['value'], resource: string, world: World): boolean {
  return entry.kind === 'resource' ? matches(entry.glob, resource) : inResourceGroup(world, entry, resource) !== false
}

/** The places of classes in their list, by the policies of one side that are about them. */
function byPolicy(list: readonly Class[], side: number): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>()
  for (const [i, { policies }] of list.entries()) {
    for (const number of policies[side] ?? []) {
      pushTo(places, number, i)
    }
  }
  return places
}

function textOf(list: readonly string[] | undefined): string | undefined {
  return list && keyOf([...list].sort())
}

/** The numbers of the policies of a world that another one does not have, and of those whose groups mean something else there. */
function changedPolicies(world: World, other: World, { before, after, units }: Edits, keep: DescribedOptions['keep']): readonly number[] {
  const edited =
    world === before || world === after ? new Set(units.map((unit) => (world === before ? unit.before : unit.after))) : undefined
  const isEdited = edited ? (policy: Policy) => edited.has(policy) : missingIn(other, world, keep)
  const others = changedGroups(world, other)
  return world.policies.flatMap((policy, number) => {
    const names = [...policy.permissionsGroups.map(({ value }) => value.text), ...policy.resources.map(({ value }) => value.text)]
    return isEdited(policy) || names.some(others) ? [number] : []
  })
}

/** Whether a world does not have a policy, under any name. Asked of each policy once. */
function missingIn(world: World, from: World, keep: Memoize = (make, key) => make(key)): (policy: Policy) => boolean {
  const textOf = (policy: Policy) => keep(policyKey, policy)
  const countsLeft = new Map<string, number>()
  const countOf = (key: string) => countsLeft.get(key) ?? 0
  // Of files that did not change the policies are the same objects.
  const [policiesHere, there] = [new Set(from.policies), new Set(world.policies)]
  for (const policy of world.policies) {
    if (policiesHere.has(policy)) continue
    const text = textOf(policy)
    countsLeft.set(text, countOf(text) + 1)
  }
  return (policy) => {
    if (there.has(policy)) return false
    const key = textOf(policy)
    const count = countOf(key)
    countsLeft.set(key, count - 1)
    return count <= 0
  }
}

/** Whether an entry may name a group that two worlds describe differently. */
function changedGroups(world: World, other: World): (text: string) => boolean {
  const changed = new Set<string>()
  const compare = <T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>, text: (item: T) => string) => {
    for (const urn of new Set([...a.keys(), ...b.keys()])) {
      const [first, second] = [a.get(urn), b.get(urn)]
      if ((first && text(first)) !== (second && text(second))) changed.add(urn.replace(/^(urn:v1:)[^:]*/, '$1*'))
    }
  }
  compare(world.permissionsGroups, other.permissionsGroups, ({ permissions: { allow, except, deny } }) =>
    JSON.stringify([allow, except, deny].map((list) => list.map(({ value }) => value.text).sort())),
  )
  compare(world.resourceGroups, other.resourceGroups, ({ complete, members }) => keyOf(complete, [...members].sort()))
  // A pattern over groups may name any of them.
  return (text) =>
    changed.size > 0 && ((text.includes('*') && !text.includes(':resource:')) || changed.has(text.replace(/^(urn:v1:)[^:]*/, '$1*')))
}

/** Few changes in place of many cells: those that differ in the resources alone, or in the identities alone, made one. */
function folded(differences: readonly Found[]): readonly Found[] {
  // Lists are the same objects in many of them.
  const textOf = memoizeByObject((list: readonly string[]) => keyOf(list))
  const join = (list: readonly Found[], same: (each: Found) => string, merge: (each: readonly Found[]) => Partial<Found>) =>
    [...groupedBy(list, (each) => keyOf(each.certain, each.key, same(each))).values()].map(
      (group): Found => ({ ...(group[0] as Found), ...merge(group) }),
    )
  const union = (group: readonly Found[], of: (each: Found) => readonly string[]) => [...new Set(group.flatMap(of))].sort()
  const byResources = join(
    differences,
    ({ identities, actions }) => keyOf(textOf(identities), textOf(actions)),
    (group) => ({ resources: union(group, ({ resources }) => resources) }),
  )
  const byIdentities = join(
    byResources,
    ({ resources, actions }) => keyOf(textOf(resources), textOf(actions)),
    (group) => ({ identities: union(group, ({ identities }) => identities) }),
  )
  return join(
    byIdentities,
    ({ identities, resources }) => keyOf(textOf(identities), textOf(resources)),
    (group) => ({ actions: union(group, ({ actions }) => actions) }),
  )
}

/** `worlds`: the side that has it, and the other one. */
function changeOf(difference: Found, worlds: readonly World[], edits: Edits, { given = {}, time }: DescribedOptions): DescribedChange {
  const { identities, resources, actions, condition, model } = difference
  const [identity, action, resource] = [identities[0] as string, actions[0] as string, resources[0] as string]
  const asked: Question = questionAt({ identity, action, resource }, model, given)
  const isDescribed = given.tags === undefined && worlds.some(({ resources: known }) => known.get(resource)?.tags !== undefined)
  const { witness, isSure } = asked.tags && isDescribed ? shownBy(asked, worlds) : { witness: asked, isSure: true }
  const whole = withTagsOf(witness, worlds)
  const [certain, causes] = [difference.certain && isSure, causesOf([whole], edits)]
  return { identities, actions, resources, condition: simplified(condition, time), certain, witness: whole, causes }
}

/**
 * A question about a resource of which one side describes the tags: with tags where both sides answer it as they must, else
 * without, so that those count that are described. Where the other side is the one that has the access, it is not sure then.
 */
function shownBy(asked: Question, worlds: readonly World[]): { readonly witness: Question; readonly isSure: boolean } {
  const [here, there] = worlds.map((world) => verdictOf(world, asked))
  if (here === 'allow' && there !== 'allow') return { witness: asked, isSure: true }
  const { tags: _, ...witness } = asked
  return { witness, isSure: verdictOf(worlds[0] as World, witness) === 'allow' }
}

/** Certain changes before uncertain ones, unconditional before conditional ones. */
function firstThingsFirst(a: DescribedChange, b: DescribedChange): number {
  return (
    Number(b.certain) - Number(a.certain) ||
    Number(isAlways(b.condition)) - Number(isAlways(a.condition)) ||
    compareText(a.identities.join(' '), b.identities.join(' ')) ||
    compareText(a.resources.join(' '), b.resources.join(' ')) ||
    compareText(a.actions.join(' '), b.actions.join(' '))
  )
}
