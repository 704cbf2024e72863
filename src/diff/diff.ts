import type { Catalogue } from '../actions/catalogue.ts'
import { Budget, Undecided } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import { type Glob, isPattern, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import { lazy, type Memoize, memoizeByObject, memoizeByText } from '../memo.ts'
import type { World } from '../policy.ts'
import { verdictOf } from '../simulate/decide.ts'
import type { Question, Verdict } from '../simulate/decision.ts'
import { dependsOnTime } from '../simulate/why.ts'
import { type Box, boxesOf, boxText, holdsUrn } from '../symbolic/boxes.ts'
import { type ActionsByType, type KnownNames, knownNamesIn, type Lookups } from '../symbolic/described.ts'
import { allOf, always, conjunction, type Formula, type Model, notBefore, until } from '../symbolic/formula.ts'
import { actionText, type GainedRegion, holdsQuestion, findNewAccess as newAccess, type RegionExclusion } from '../symbolic/gained.ts'
import { type Caller, callerText, defaultBudget, type NewAccess } from '../symbolic/search.ts'
import { type Side, sideOf } from '../symbolic/side.ts'
import { simplified } from '../symbolic/simplify.ts'
import { anyInstant, withTagsOf, witnessOf } from '../symbolic/witness.ts'
import { type Cause, causesOf, type Edits, editsBetween, mostQuestions, type PoliciesByIdentity } from './causes.ts'
import { type DescribedChange, type DescribedDifference, describedDifference } from './described.ts'
import { atInstant } from './instant.ts'

/** Subject and limits of a comparison. */
export interface DiffOptions {
  /** Only at this instant, in milliseconds since 1970. Not given: at any time. */
  readonly at?: number
  /** Only between two instants, both included. Access that ended before is neither new nor lost. */
  readonly within?: { readonly from: number; readonly to?: number }
  /** Also what changes for the things that the worlds describe: with the catalogue actions by the types that they are about. */
  readonly described?: ActionsByType
  /** The names that count as described; by default all that the worlds describe or name. */
  readonly things?: KnownNames
  /** The difference for described resources, if it is already computed. */
  readonly found?: DescribedDifference
  /** Known actions: for counts of actions, and for witnesses with existing ones. */
  readonly catalogue?: Pick<Catalogue, 'expand'>
  /** How many steps the search may take on each side: the same number gives the same answer on every machine. */
  readonly budget?: number
  /** The budget of the whole run; by default a new one. */
  readonly run?: Budget
  /**
   * Access that this world has, too, is not new: only what neither it nor the first world allows. `by`: who made the edits since the
   * first world, and since this one.
   */
  readonly third?: { readonly world: World; readonly by: readonly [string, string] }
  /** Only new access, or only lost access. By default both. */
  readonly only?: 'gained' | 'lost'
  /** Those of the search that it belongs to. */
  readonly lookups?: Lookups
  /** Keeps what is made of policies, where a world is compared with several. */
  readonly keep?: Memoize
}

/** The same with the budget of the run. */
type Bounded = DiffOptions & Required<Pick<DiffOptions, 'run'>>

/** Part of a region in which it does not hold: requests that agree in all that is given; null is everything. */
export interface Except {
  /**
   * `denied`: the granting side denies it. `already`: the other side allows it, too. `except`: left out by the entries that grant
   * it. `apart`: an identity whose groups differ between the sides; separate regions are about it.
   */
  readonly why: RegionExclusion['why']
  readonly identities: readonly string[] | null
  readonly resources: readonly Resources[] | null
  readonly actions: readonly string[] | null
  /** Actions and resources that are no part of this exception. */
  readonly unless: readonly (readonly [dimension: 'action' | 'type' | 'name', pattern: string])[]
  readonly condition: Formula
  /** The policy that makes the exception. */
  readonly policy?: World['policies'][number]
}

/** Resources: a pattern, and where that matches too much, patterns for the type and the name in addition. */
export interface Resources {
  readonly pattern: string
  readonly type?: string
  readonly name?: string
}

/** Requests that are allowed on one side only: all that are in the region and in none of its exceptions. */
export interface DiffRegion {
  /** Identities, groups for all their members, or patterns over these. */
  readonly identities: readonly string[]
  /** Groups that the identity is also in, all of them. */
  readonly groups: readonly string[]
  readonly actions: readonly string[]
  readonly resources: readonly Resources[]
  readonly condition: Formula
  readonly except: readonly Except[]
  /** False: it may be allowed on that side, depending on facts that cannot be known. */
  readonly certain: boolean
  /** A question that the granting side allows (or perhaps, if not certain) and the other does not. */
  readonly witness: Question
  readonly causes: readonly Cause[]
  /** The catalogue's actions in the region; undefined without a catalogue. */
  readonly catalogue: readonly string[] | undefined
  /** How many of its identities and resources the inventories of both sides describe. */
  readonly known: { readonly identities: number; readonly resources: number }
  /** Whether it contains a change for described resources; undefined where none was asked for. */
  readonly isDescribed?: boolean
  /** From the instant that was asked about on there is nothing of it. */
  readonly isPast?: boolean
}

/** A stretch that was not decided: on which side, and the patterns at which the search was given up. */
export interface Open {
  readonly side: 'gained' | 'lost'
  readonly culprits: readonly string[]
}

export interface Difference {
  /** `same` is a proof over all identities, actions, resources and contexts. */
  readonly verdict: 'same' | 'changed' | 'undecided'
  /** Access that the second world allows and the first does not. */
  readonly gained: readonly DiffRegion[]
  /** Access that the first world allows and the second does not. */
  readonly lost: readonly DiffRegion[]
  /** Where there may be more. */
  readonly undecided: readonly Open[]
  /** The difference for described identities and resources, where it was asked for. */
  readonly described?: DescribedDifference
  /** Assumptions that the same holds on both sides, in the user's words: no claim holds without them. */
  readonly taken?: readonly string[]
  /** Other changes by which what is deployed may differ: with any, that nothing changes is not proved. */
  readonly deployment?: readonly { readonly path: string; readonly why: string }[]
  /** The other files that differ: nothing shows that they have a part in what is deployed. */
  readonly others?: readonly string[]
  /** Those that differ and that the configuration leaves out: what they do is not checked, either. */
  readonly ignored?: readonly string[]
  /** The requested part: nothing is claimed about the rest. */
  readonly selection?: { readonly identities?: readonly string[]; readonly actions?: readonly string[] }
  /** Names of BEFORE that were read as others, as `OLD=NEW`: what is said holds of it so. */
  readonly mapped?: readonly string[]
  /** Neither side has a policy. */
  readonly isEmpty?: boolean
  /** The instants that were compared, where a policy looks at the time: nothing is said of others. Undefined: at any time. */
  readonly time?: ComparedTime
}

/** One instant, or those from one on, to another; or one instant of the first world and another of the second. */
export type ComparedTime =
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'from'; readonly from: number; readonly to?: number }
  | { readonly kind: 'between'; readonly before: number; readonly after: number }

/**
 * The exact difference of two worlds (docs/analysis.md, New access): the access that one allows and the other does not, in both
 * directions. Denied and unknown both count as not allowed; on the granting side, access that may be allowed counts as allowed,
 * marked as not certain. Requests are compared with every fact of a question given; the owning account, which may do everything
 * on both sides, is left out.
 */
export function diff(before: World, after: World, diffOptions: DiffOptions = {}): Difference {
  const run = diffOptions.run ?? new Budget()
  const options = { ...diffOptions, run }
  const { at } = options
  const third = options.third?.world
  const [first, second] = at === undefined ? [before, after] : [atInstant(before, at), atInstant(after, at)]
  const other = third && (at === undefined ? third : atInstant(third, at))
  const time = timeOf(options)
  // Most comparisons find nothing, and need no edits to blame.
  let made: Edits | undefined
  const edits = () => {
    made ??= { ...editsBetween(before, after, run, options.keep), ...(options.third && { by: options.third.by[0] }) }
    return made
  }
  const since = lazy(() => options.third && { ...editsBetween(options.third.world, after, run, options.keep), by: options.third.by[1] })
  // Names that only an ended policy has are described, too.
  const things = options.things ?? (at === undefined ? undefined : knownNamesIn([before, after]))
  const described =
    options.found ??
    (options.described && describedOf(first, second, edits(), options.described, { ...options, ...(things && { things }) }))
  const undecided: Open[] = []
  const sideAmong = (world: World, ...others: readonly (World | undefined)[]) =>
    sideOf(
      world,
      others.flatMap((each) => each ?? []),
      options.keep,
    )
  const sides = { first: sideAmong(first, second, other), second: sideAmong(second, first, other) }
  const regions = (side: Open['side'], from: Side, to: Side): readonly DiffRegion[] => {
    try {
      const beyond = other && side === 'gained' ? sideAmong(other, first, second) : undefined
      const { regions, culprits } = newAccess(to, from, options.budget ?? defaultBudget, time, run, beyond)
      if (culprits.length > 0) undecided.push({ side, culprits })
      if (regions.length === 0) return []
      const most = Math.max(1, Math.min(mostQuestions, Math.floor(mostAsked / regions.length)))
      const context = {
        ...contextOf(side, before, after, [to, from], edits(), described?.[side] ?? [], options, beyond && since()),
        mostQuestions: most,
      }
      return regions.flatMap((region) => shownRegions(region, context)).sort(firstThingsFirst)
    } catch (error) {
      if (!(error instanceof Undecided)) throw error
      undecided.push({ side, culprits: error.culprits })
      return []
    }
  }
  const gained = options.only === 'lost' ? [] : regions('gained', sides.first, sides.second)
  const lost = options.only === 'gained' ? [] : regions('lost', sides.second, sides.first)
  const all = gained.length + lost.length + (described ? described.gained.length + described.lost.length : 0)
  const verdict = all > 0 ? 'changed' : undecided.length > 0 || described?.undecided ? 'undecided' : 'same'
  const compared = comparedTime(options)
  const isLimited = compared !== undefined && [before, after].some(({ policies }) => policies.some(dependsOnTime))
  return { verdict, gained, lost, undecided, ...(described && { described }), ...(isLimited && { time: compared }) }
}

function comparedTime({ at, within }: DiffOptions): ComparedTime | undefined {
  if (at !== undefined) return { kind: 'at', at }
  return within && { kind: 'from', ...within }
}

/** The instants that are compared. */
export function timeOf({ within }: DiffOptions): Formula {
  if (!within) return always
  return within.to === undefined ? notBefore(within.from) : conjunction(notBefore(within.from), until(within.to))
}

export function describedOf(before: World, after: World, edits: Edits, actions: ActionsByType, options: Bounded): DescribedDifference {
  const { at, within, only, lookups, run, things } = options
  const described = describedDifference(before, after, edits, {
    actions,
    run,
    time: timeOf(options),
    ...(at !== undefined && { given: { at } }),
    ...(things && { things }),
    ...(lookups && { lookups }),
  })
  return {
    ...described,
    ...(within && { from: within.from }),
    ...(only === 'gained' && { lost: [] }),
    ...(only === 'lost' && { gained: [] }),
  }
}

/** Certain regions before uncertain ones, regions with known actions before those without; else in the order found. */
function firstThingsFirst(a: DiffRegion, b: DiffRegion): number {
  return Number(b.certain) - Number(a.certain) || Number(b.catalogue?.length !== 0) - Number(a.catalogue?.length !== 0)
}

/** How many requests are looked at for the causes of all regions of a side, as far as each has one. */
const mostAsked = 4_000

/** The context for describing regions. */
interface Context {
  /** The side that grants, and the one that does not. */
  readonly granting: World
  readonly other: World
  readonly sides: readonly [Side, Side]
  readonly options: Bounded
  /** How many requests of each region are looked at for its causes, and names of each kind for its witness. */
  readonly mostQuestions: number
  readonly edits: Edits
  /** The edits since the third world, where there is one. */
  readonly since: Edits | undefined
  readonly described: readonly DescribedChange[]
  readonly verdicts: (question: Question) => readonly [Verdict, Verdict]
  readonly knownActions: (region: GainedRegion) => readonly string[] | undefined
  readonly identities: ReadonlySet<string>
  readonly resources: ReadonlySet<string>
  /** The described resources in a box, and the described identities that a caller may be. */
  readonly within: (box: Box) => ReadonlySet<string>
  readonly bringing: (caller: Caller) => ReadonlySet<string>
  readonly exceptOf: (exclusion: RegionExclusion) => Except
  readonly textOf: (caller: Caller) => string
  /** How many resources that the sides describe are in some boxes. */
  readonly resourceCount: (boxes: readonly Box[]) => number
  /** The question of some new access: for one region it is asked for the witness, then for the causes. */
  readonly witnessAt: (access: NewAccess) => Question
}

function contextOf(
  side: Open['side'],
  before: World,
  after: World,
  sides: Context['sides'],
  edits: Edits,
  described: readonly DescribedChange[],
  options: Bounded,
  since: Edits | undefined,
): Omit<Context, 'mostQuestions'> {
  const [granting, other] = side === 'gained' ? [after, before] : [before, after]
  const policiesOfSides =
    side === 'gained' ? ([edits.about.after, edits.about.before] as const) : ([edits.about.before, edits.about.after] as const)
  // A question gives all tags of its resource, over those of an inventory.
  const verdictIn = (world: World, question: Question, policies: PoliciesByIdentity) =>
    verdictOf({ ...world, policies: policies.of(question) }, question)
  const members = [before, after].flatMap(({ resourceGroups }) => [...resourceGroups.values()].flatMap(({ members }) => [...members]))
  const identities = new Set([...before.identities.keys(), ...after.identities.keys()].sort())
  const resources = new Set([...before.resources.keys(), ...after.resources.keys(), ...members].sort())
  const who = new Set([...identities, ...described.flatMap((change) => change.identities)])
  const on = new Set([...resources, ...described.flatMap((change) => change.resources)])
  const byGroup = lazy(() => membersByGroup(who, granting))
  const byType = lazy(() => groupedBy(on, (resource) => resource.split(':')[4] ?? ''))
  const textOf = memoizeByObject(callerText)
  const within = memoizeByText(boxText, (box) => {
    const { region, type, name } = box
    const one = [region, type, name].some(isPattern) ? undefined : `urn:v1:${region.text}:resource:${type.text}:${name.text}`
    const candidates = one !== undefined ? [one] : isPattern(type) ? [...on] : (byType().get(type.text) ?? [])
    return new Set(candidates.filter((each) => on.has(each) && holdsUrn(box, each)))
  })
  return {
    granting,
    other,
    sides,
    options,
    edits,
    since,
    described,
    verdicts: memoizeByObject((question: Question) => {
      const there = verdictIn(other, question, policiesOfSides[1])
      const third = since ? verdictIn(since.before, question, since.about.before) : 'deny'
      return [verdictIn(granting, question, policiesOfSides[0]), either(there, third)] as const
    }),
    knownActions: knownIn(options.catalogue),
    identities,
    resources,
    witnessAt: memoizeByObject((access: NewAccess) => {
      const question = witnessOf(access)
      return options.at === undefined ? question : { ...question, at: options.at }
    }),
    within,
    bringing: memoizeByText(textOf, (caller) => {
      const { self, groups } = caller
      const group = groups.find((each) => !isPattern(each))
      const candidates = self && !isPattern(self) ? [self.text] : !self && group ? (byGroup().get(group.text) ?? []) : [...who]
      return new Set(candidates.filter((each) => who.has(each) && bringsCaller(caller, each, granting)))
    }),
    exceptOf: memoizeByObject(exceptOf),
    textOf,
    resourceCount: memoizeByText(
      (boxes: readonly Box[]) => keyOf(boxes.map(boxText)),
      (boxes) => countIn(resources, boxes.map(within)),
    ),
  }
}

/** The verdict where what one of two worlds allows is allowed. */
function either(one: Verdict, other: Verdict): Verdict {
  if (one === 'allow' || other === 'allow') return 'allow'
  return one === 'deny' ? other : one
}

/** The identities that are a group or in it, by each group, in their order. */
function membersByGroup(identities: Iterable<string>, world: World): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>()
  for (const identity of identities)
    for (const member of new Set([identity, ...(world.identities.get(identity)?.groups ?? [])])) pushTo(members, member, identity)
  return members
}

/** A region as it is reported: one for each set of groups that its identities have to be in. */
function shownRegions(region: GainedRegion, context: Context): readonly DiffRegion[] {
  const byGroups = new Map<string, { readonly groups: readonly string[]; readonly callers: Caller[] }>()
  for (const caller of region.callers) {
    const groups = (caller.self ? caller.groups : caller.groups.slice(1)).map(({ text }) => text).sort()
    const key = keyOf(groups)
    const list = byGroups.get(key) ?? { groups, callers: [] }
    list.callers.push(caller)
    byGroups.set(key, list)
  }
  const condition = simplified(allOf(region.formulas), timeOf(context.options))
  const resources = resourcesOf(region.boxes, region.newAccess)
  const except = region.excluded.map(context.exceptOf)
  const catalogue = context.knownActions(region)
  const within = region.boxes.map(context.within)
  const apart = new Set(
    region.excluded.flatMap(({ why, identities }) => (why === 'apart' ? (identities ?? []).map(({ text }) => text) : [])),
  )
  const out: DiffRegion[] = []
  for (const { groups, callers } of byGroups.values()) {
    // A region whose callers were combined has other caller objects, equal to those of its new access.
    const ownCallers = new Set(callers.map(context.textOf))
    const ownAccess = region.newAccess.filter((access) => ownCallers.has(context.textOf(access.region.caller)))
    const callerMembers = callers.map((caller) => setWithout(context.bringing(caller), apart))
    const described = context.described.filter((change) => meets(change, region, callerMembers, within))
    const shownAccess = ownAccess.length > 0 ? ownAccess : region.newAccess
    const places = { region, known: callerMembers, within, assumed: shownAccess[0]?.model.assumed ?? new Map() }
    const witness = lazy(() => {
      const found = describedWitness(described, places, context) ?? witnessIn(shownAccess, places, catalogue, context)
      return withTagsOf(found, [context.edits.before, context.edits.after, ...(context.since ? [context.since.before] : [])])
    })
    // A few of its requests, since no single one need show all that it rests on.
    const causes = lazy(() => {
      const others = ownAccess.slice(0, context.mostQuestions - 1).map(context.witnessAt)
      const asked = [witness(), ...others]
      return [context.edits, ...(context.since ? [context.since] : [])].flatMap((edits) => causesOf(asked, edits))
    })
    // Most regions are counted and not shown.
    out.push({
      identities: [...new Set(callers.map(({ self, groups: [first] }) => (self ?? (first as Glob)).text))].sort(),
      groups,
      actions: [...new Set(region.actions.map(actionText))].sort(),
      resources,
      condition,
      except,
      certain: region.certain,
      get witness() {
        return witness()
      },
      get causes() {
        return causes()
      },
      catalogue,
      known: { identities: countIn(context.identities, callerMembers), resources: context.resourceCount(region.boxes) },
      ...((context.options.described ?? context.options.found) && { isDescribed: described.length > 0 }),
    })
  }
  return out
}

/** How many names are in some of the sets. */
function countIn(names: ReadonlySet<string>, sets: readonly ReadonlySet<string>[]): number {
  const found = new Set<string>()
  for (const set of new Set(sets)) for (const name of set) if (names.has(name)) found.add(name)
  return found.size
}

/** Whether a region contains a part of a change for described resources. */
function meets(
  { identities, actions, resources }: DescribedChange,
  region: GainedRegion,
  who: readonly ReadonlySet<string>[],
  on: readonly ReadonlySet<string>[],
) {
  return (
    identities.some((identity) => who.some((set) => set.has(identity))) &&
    actions.some((action) => region.actions.some((pattern) => matches(pattern, action))) &&
    resources.some((resource) => on.some((set) => set.has(resource)))
  )
}

/** How many names of each kind are tried for a witness, and how many questions about described things. */
const [mostNames, mostDescribed] = [12, 60]

/** A region with the described identities and resources that its callers and boxes hold, and what is assumed in it. */
interface Places {
  readonly region: GainedRegion
  readonly known: readonly ReadonlySet<string>[]
  readonly within: readonly ReadonlySet<string>[]
  readonly assumed: Model['assumed']
}

/**
 * Whether a question shows a region: it is in the region, and each side answers it accordingly. The inventory's facts about its
 * resource count where the question does not give them, if both sides agree.
 */
function shows(question: Question, { region, assumed }: Places, context: Context): boolean {
  const { sides, verdicts } = context
  const tags = question.tags ?? describedTags(question.resource, context)
  if (!tags || !holdsQuestion(region, { ...question, tags }, sides[0], sides[1], assumed)) return false
  // The placeholder for any instant is not printed: what is said of it has to hold from the first one that counts, too.
  const { within } = context.options
  const asked = within && question.at === anyInstant ? [question, { ...question, at: within.from }] : [question]
  return asked
    .map(verdicts)
    .every(([here, there]) => (region.certain ? here === 'allow' && there === 'deny' : here !== 'deny' && there !== 'allow'))
}

/** The tags that the sides describe of a resource, none where neither does; undefined where they do not say the same. */
function describedTags(resource: string, { granting, other }: Context): Question['tags'] {
  const [here, there] = [granting, other].map(({ resources }) => resources.get(resource)?.tags)
  if (!here && !there) return new Map()
  const same = here && there && here.size === there.size && [...here].every(([key, value]) => there.get(key) === value)
  return same ? here : undefined
}

/** A question of a change for described things that shows a region. */
function describedWitness(described: readonly DescribedChange[], places: Places, context: Context): Question | undefined {
  const { region, known, within } = places
  let questionsLeft = mostDescribed
  for (const { certain, identities, actions, resources, witness } of described) {
    if (certain !== region.certain) continue
    const who = identities.filter((identity) => known.some((set) => set.has(identity))).slice(0, Math.min(mostNames, context.mostQuestions))
    const on = resources.filter((resource) => within.some((set) => set.has(resource))).slice(0, Math.min(mostNames, context.mostQuestions))
    const about = actions
      .filter((action) => region.actions.some((pattern) => matches(pattern, action)))
      .slice(0, Math.min(mostNames, context.mostQuestions))
    for (const identity of who) {
      for (const resource of on) {
        for (const action of about) {
          if (--questionsLeft < 0) return undefined
          const question = { ...witness, identity, action, resource }
          if (shows(question, places, context)) return question
        }
      }
    }
  }
  return undefined
}

/** A question in the region, with names that exist where such a question shows the region, too. */
function witnessIn(accesses: readonly NewAccess[], places: Places, catalogue: readonly string[] | undefined, context: Context): Question {
  const shown = accesses.find((each) => shows(context.witnessAt(each), places, context)) ?? (accesses[0] as NewAccess)
  let question = context.witnessAt(shown)
  const attempt = (change: Partial<Question>) => {
    const { tags, ...rest } = { ...question, ...change }
    // Of a resource that is described, its own tags count.
    const isKnown = [context.granting, context.other].some(({ resources }) => resources.get(rest.resource)?.tags !== undefined)
    const tried: Question = isKnown || !tags ? rest : { ...rest, tags }
    if (!shows(tried, places, context)) return false
    question = tried
    return true
  }
  const { caller, action, box } = shown.region
  const most = Math.min(mostNames, context.mostQuestions)
  if (isPattern(action)) firstOf(catalogue ?? [], (each) => matches(action, each), most).some((each) => attempt({ action: each }))
  if (isPattern(box.name) || isPattern(box.type)) {
    const inBox = context.within(box)
    firstOf(context.resources, (each) => inBox.has(each), most).some((each) => attempt({ resource: each }))
  }
  if (!caller.self || isPattern(caller.self)) {
    const bringing = context.bringing(caller)
    firstOf(context.identities, (each) => bringing.has(each), most).some((each) => attempt({ identity: each, groups: [] }))
  }
  const [here, there] = context.verdicts(question)
  if (here === 'deny' || there === 'allow') throw new Error(`a witness does not hold: ${places.region.actions.map(actionText).join(', ')}`)
  return question
}

/** The first few items of which something holds. */
function firstOf<T>(items: Iterable<T>, isOne: (item: T) => boolean, most: number): readonly T[] {
  const first: T[] = []
  for (const item of items) {
    if (first.length >= most) break
    if (isOne(item)) first.push(item)
  }
  return first
}

function setWithout<T>(set: ReadonlySet<T>, others: ReadonlySet<T>): ReadonlySet<T> {
  return others.size === 0 ? set : new Set([...set].filter((each) => !others.has(each)))
}

function bringsCaller({ self, groups }: Caller, identity: string, granting: World): boolean {
  const members = [identity, ...(granting.identities.get(identity)?.groups ?? [])]
  if (self) return matches(self, identity) && groups.every((group) => members.some((member) => matches(group, member)))
  return groups.every((group) => members.some((member) => matches(group, member)))
}

/** The action patterns that exceptions take away from a region whole. */
function takenFrom({ excluded }: GainedRegion): readonly Glob[] {
  return excluded.flatMap(({ why, actions }) => (why === 'except' ? (actions ?? []) : []))
}

/** The catalogue's actions in a region that no exception takes away whole: the same list for regions of the same patterns. */
function knownIn(catalogue: DiffOptions['catalogue']): Context['knownActions'] {
  if (!catalogue) return () => undefined
  const textOf = (patterns: readonly Glob[]) => patterns.map(({ text }) => text)
  return memoizeByText(
    (region: GainedRegion) => keyOf(textOf(region.actions), textOf(takenFrom(region))),
    (region) => {
      const left = takenFrom(region)
      const found = new Set(region.actions.flatMap((action) => catalogue.expand(action)))
      return [...found].filter((action) => !left.some((pattern) => matches(pattern, action))).sort()
    },
  )
}

// Resources.

/** Boxes as users write them: an entry in place of its boxes where all of them are there. */
function resourcesOf(boxes: readonly Box[], newAccess: readonly NewAccess[] = []): readonly Resources[] {
  const boxesLeft = new Map(boxes.map((box) => [boxText(box), box]))
  const out = new Map<string, Resources>()
  const entries = new Map(
    newAccess.flatMap(({ statement }) =>
      statement.policy.resources.flatMap(({ value }) => (value.kind === 'resource' ? [[value.text, value]] : [])),
    ),
  )
  for (const [text, entry] of entries) {
    const entryBoxes = boxesOf(entry)
    if (entryBoxes.length < 2 || !entryBoxes.every((box) => boxes.some((each) => boxText(each) === boxText(box)))) continue
    out.set(text, { pattern: text })
    for (const box of entryBoxes) boxesLeft.delete(boxText(box))
  }
  for (const box of boxesLeft.values()) {
    const written = resourceText(box)
    out.set(JSON.stringify(written), written)
  }
  return [...out.values()].sort((a, b) => (a.pattern < b.pattern ? -1 : a.pattern > b.pattern ? 1 : 0))
}

function resourceText({ region, type, name }: Box): Resources {
  if (region.text === '*' && type.text === '*' && name.text === '*') return { pattern: '*' }
  const head = `urn:v1:${region.text}:resource:`
  if (type.text === '*' && name.text === '*') return { pattern: `${head}*` }
  const pattern = `${head}${type.text}:${name.text}`
  if (!isPattern(type)) return { pattern }
  // The type's wildcard may not take the colon behind the type, as it would in a pattern.
  const isOpen = type.pieces.length === 2 && type.pieces[1] === '' && name.pieces[0] === ''
  return isOpen ? { pattern } : { pattern: `${head}*`, type: type.text, name: name.text }
}

function exceptOf({ why, identities, boxes, actions, exclusions, formula, statement }: RegionExclusion): Except {
  return {
    why,
    identities: identities ? identities.map(({ text }) => text).sort() : null,
    resources: boxes ? resourcesOf(boxes) : null,
    actions: actions ? actions.map(({ text }) => text).sort() : null,
    unless: exclusions.map(({ dimension, pattern }) => [dimension, pattern.text] as const),
    condition: formula,
    ...(statement && { policy: statement.policy }),
  }
}
