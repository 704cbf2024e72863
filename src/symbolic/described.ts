import type { Catalogue } from '../actions/catalogue.ts'
import { cannotServe, servedTypes } from '../actions/serves.ts'
import type { Budget, Searched } from '../budget.ts'
import { madeIn, partitionPoint } from '../collections.ts'
import { type Glob, isPattern, matches } from '../glob.ts'
import { keyOf } from '../keys.ts'
import type { Condition, Policy, World } from '../policy.ts'
import type { Clause } from '../simulate/decision.ts'
import { PatternIndex } from '../simulate/pattern-index.ts'
import { readIdentity } from '../urn/identity.ts'
import type { ResourceGroupUrn } from '../urn/resource.ts'
import { typeAndName } from '../urn/resource.ts'
import { groupsNamed, inResourceGroup } from '../world.ts'
import { allOf, always, anyOf, atomsOf, type Formula, formulaOf, isNever, never, noneOf } from './formula.ts'
import type { RequestFacts } from './known.ts'
import { clausesOf, permissionsOf, type Region, regions } from './regions.ts'

/**
 * The access of described identities to described resources with the actions of the catalogue (docs/analysis.md, Known things):
 * the part of all requests that exists today. Identities that the same policies are about, and resources that the same policies
 * are about in the same way, are one class, so that each pair of classes is looked at once.
 */
export interface KnownNames {
  readonly identities: readonly string[]
  readonly resources: readonly string[]
}

/** The given facts of every request: the address, the instant, tags; groups of all identities, and the owner. */
export type RequestContext = Pick<RequestFacts, 'at' | 'ip' | 'tags' | 'owner'> & Partial<Pick<RequestFacts, 'groups'>>

/**
 * Identities and resources that exist as far as is known: those that a world describes, and those that a policy names by a whole
 * URN. A group counts when no described identity is in it, and then represents its members.
 */
export function knownNamesIn(worlds: readonly World[]): KnownNames {
  const identities = new Set<string>()
  const resources = new Set<string>()
  const named = new Set<string>()
  const inhabited = new Set<string>()
  for (const world of worlds) {
    for (const [urn, { groups: ownGroups }] of world.identities) {
      identities.add(urn)
      for (const group of ownGroups) inhabited.add(group)
    }
    for (const urn of world.resources.keys()) resources.add(urn)
    for (const { members } of world.resourceGroups.values()) for (const member of members) resources.add(member)
    for (const policy of world.policies) {
      for (const { value } of policy.identities) if (!isPattern(value.glob)) named.add(value.text)
      for (const { value } of policy.resources) if (value.kind === 'resource' && !isPattern(value.glob)) resources.add(value.text)
    }
  }
  for (const each of named) if (!inhabited.has(each)) identities.add(each)
  return { identities: [...identities].sort(), resources: [...resources].sort() }
}

/** Whether worlds describe identities and resources, so that an answer about what is described says something of the account. */
export function isDescribed(worlds: readonly World[]): boolean {
  return (
    worlds.some(({ identities }) => identities.size > 0) &&
    worlds.some(({ resources }) => [...resources.values()].some(({ mentioned }) => !mentioned))
  )
}

/** The catalogue actions that are about a resource type, sorted; none for a type that no product is known to serve. */
export class ActionsByType {
  private readonly catalogue: Pick<Catalogue, 'products' | 'typesOf' | 'actionsOf'>
  private readonly cached = new Map<string, readonly string[]>()
  private served: ReadonlySet<string> | undefined

  constructor(catalogue: Pick<Catalogue, 'products' | 'typesOf' | 'actionsOf'>) {
    this.catalogue = catalogue
  }

  /** The resource types that products are known to serve, sorted. */
  types(): readonly string[] {
    return [...new Set(this.catalogue.products.flatMap(this.catalogue.typesOf))].sort()
  }

  /** Whether an action of a product can be about a resource of a type, as far as is known. */
  mayServe(product: string, type: string): boolean {
    this.served ??= servedTypes(this.catalogue)
    const served = this.served
    return !cannotServe(product, type, this.catalogue, () => served)
  }

  /** Whether the catalogue has an action that a pattern matches, about whatever type. */
  knows(pattern: Glob): boolean {
    const { products, actionsOf } = this.catalogue
    const [head = ''] = pattern.pieces
    const colon = head.indexOf(':')
    // Most entries name their product: those of the others are not looked through.
    const able = colon < 0 ? products : [head.slice(0, colon)]
    return able.some((product) => actionsOf(product).some((action) => matches(pattern, action)))
  }

  of(type: string): readonly string[] {
    const cached = this.cached.get(type)
    if (cached) return cached
    const { products, typesOf, actionsOf } = this.catalogue
    const list = products.filter((product) => typesOf(product).includes(type)).flatMap(actionsOf)
    this.cached.set(type, list)
    return list
  }
}

/** Names that no policy distinguishes. */
export interface Class {
  readonly names: readonly string[]
  /** The policies about them, by their number in each world, sorted. */
  readonly policies: readonly (readonly number[])[]
  /** Of resources: their type. */
  readonly type: string
  /** Whether an account is among them, which may do everything on what it owns. */
  readonly isAccount: boolean
}

/** When an identity of one class may do an action on a resource of another. */
export interface Cell {
  readonly allows: readonly Region[]
  readonly denies: readonly Region[]
  /** The account asks for what it owns. */
  readonly isRoot: boolean
}

/** Actions that a cell allows at the same times, with the regions that grant and that deny them. */
export interface EquivalentActions extends Pick<Cell, 'allows' | 'denies'> {
  readonly actions: readonly string[]
}

/** When a cell allows an action. */
export function whenAllowed({ allows, denies, isRoot }: Cell, action: string): Formula {
  if (isRoot) return always
  return whenGranted({
    allows: allows.filter((region) => isGranting(region, action)),
    denies: denies.filter((region) => isAbout(region, action)),
  })
}

/** When regions allow what all of them are about. */
export function whenGranted({ allows, denies }: Pick<Cell, 'allows' | 'denies'>): Formula {
  const granted = anyOf(allows.map(({ formula }) => formula))
  return isNever(granted) ? never : allOf([granted, noneOf(anyOf(denies.map(({ formula }) => formula)))])
}

/** Whether a region grants, or denies, an action where its formula holds. */
export function isGranting(region: Region, action: string): boolean {
  return isAbout(region, action) && !region.except.some((pattern) => matches(pattern, action))
}

/** Whether an entry of a region is about an action. */
export function isAbout({ actions }: Region, action: string): boolean {
  return actions.some(({ value }) => matches(value, action))
}

/** Which of some actions the entries of a region grant, or deny: bit 0 is the first action. */
interface Hits {
  readonly except: readonly Glob[]
  readonly bits: bigint
}

/** Caches of one search over worlds: a world in it may be compared with many. */
export class Lookups {
  private readonly indices = new WeakMap<World, PolicyIndex>()
  /** By lists of entries, since those of one policy occur in the regions of many cells, and by lists of actions. */
  private readonly hits = new WeakMap<Region['actions'], WeakMap<readonly string[], Hits[]>>()
  private readonly entries = new WeakMap<Region['actions'], WeakMap<readonly string[], Region['actions']>>()
  /** By lists of actions: which of them an entry matches, by its text. Entries of many policies are the same. */
  private readonly matched = new WeakMap<readonly string[], Map<string, bigint>>()
  /** Some of a list of actions, by their bits: the same array each time. */
  private readonly lists = new WeakMap<readonly string[], Map<string, readonly string[]>>()

  indexOf(world: World): PolicyIndex {
    const index = this.indices.get(world) ?? new PolicyIndex(world)
    this.indices.set(world, index)
    return index
  }

  hitsOf(region: Region, actions: readonly string[]): bigint {
    const hitsBefore = madeIn(
      madeIn(this.hits, region.actions, () => new WeakMap()),
      actions,
      () => [],
    )
    const isSame = ({ except }: Hits) => except.length === region.except.length && except.every((each, i) => each === region.except[i])
    const sameHits = hitsBefore.find(isSame)
    if (sameHits) return sameHits.bits
    const about = this.matchedBy(
      region.actions.map(({ value }) => value),
      actions,
    )
    const bits = about ^ (about & this.matchedBy(region.except, actions))
    hitsBefore.push({ except: region.except, bits })
    return bits
  }

  /** Which of a list of actions one of some patterns matches. */
  private matchedBy(patterns: readonly Glob[], actions: readonly string[]): bigint {
    const byText = madeIn(this.matched, actions, () => new Map<string, bigint>())
    return unionOf(patterns.map((pattern) => madeIn(byText, pattern.text, () => bitsOf(actions, (action) => matches(pattern, action)))))
  }

  /** The entries of a region that are about some of a list of actions. */
  entriesAbout(region: Region, actions: readonly string[]): Region['actions'] {
    const known = madeIn(this.entries, region.actions, () => new WeakMap())
    return madeIn(known, actions, () => region.actions.filter(({ value }) => actions.some((action) => matches(value, action))))
  }

  actionsAt(bits: bigint, all: readonly string[]): readonly string[] {
    const listsByBits = madeIn(this.lists, all, () => new Map<string, readonly string[]>())
    // By a text: a map finds large integers only by their last 64 bits, which are the same for many.
    return madeIn(listsByBits, bits.toString(16), () => withBits(bits, all))
  }
}

/** A bit for each item, the lowest for the first: whether it is so. */
function bitsOf<T>(items: readonly T[], isSo: (item: T) => boolean): bigint {
  return BigInt(
    `0b0${items
      .map((item) => (isSo(item) ? 1 : 0))
      .reverse()
      .join('')}`,
  )
}

const unionOf = (sets: readonly bigint[]) => sets.reduce((union, bits) => union | bits, 0n)

/** A set in parts, each of which is within or outside of each of some sets; in the order of their lowest bits. */
function dividedBy(all: bigint, sets: ReadonlySet<bigint>): readonly bigint[] {
  let parts = all === 0n ? [] : [all]
  for (const bits of sets) {
    parts = parts.flatMap((part) => {
      const inside = part & bits
      return inside === 0n || inside === part ? [part] : [inside, part ^ inside]
    })
  }
  return parts.length < 2
    ? parts
    : parts
        .map((part) => [part & -part, part] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, part]) => part)
}

function withBits<T>(bits: bigint, items: readonly T[]): readonly T[] {
  const digits = bits.toString(2)
  return items.filter((_, i) => digits[digits.length - 1 - i] === '1')
}

/** The policies of each world that the others do not have, by their numbers; and the actions that count. */
export interface PolicyChanges {
  readonly policies: readonly ReadonlySet<number>[]
  readonly actions: ActionsByType
}

/** The data of a pair of classes. */
export interface ClassPair {
  readonly key: string
  /** By their numbers in each world. */
  readonly policies: readonly (readonly number[])[]
}

/** The cost of finding and keeping one more cell, in steps. */
const stepsOfCell = 64

/** The names of the policies that a cell rests on. */
export function policiesOf({ allows, denies }: Cell): readonly string[] {
  return [...new Set([...allows, ...denies].map(({ policy }) => policy.name.value))]
}

/** The searched classes, as their names. */
export function namesIn({ found, left, culprits }: Searched<Class, unknown>, all: readonly Class[]): Searched<string, string> {
  const names = (classes: readonly Class[]) => classes.flatMap((each) => each.names)
  return { found: names(all.slice(0, found.length)), left: names(left), culprits }
}

const nothingSaid: Cell = { allows: [], denies: [], isRoot: false }
const ownedCell: Cell = { allows: [], denies: [], isRoot: true }

/** The described part of one world, or of two that are compared. */
export class Described {
  readonly identities: readonly Class[]
  readonly resources: readonly Class[]
  private readonly worlds: readonly World[]
  private readonly given: RequestContext
  private readonly lookups: Lookups
  private readonly policiesOf: readonly PolicyIndex[]
  private readonly open: readonly ResourceGroupUrn[]
  private readonly lists: readonly PolicyLists[]
  private readonly bits = new Map<string, bigint[]>()
  private readonly run: Budget | undefined

  /**
   * `lookups`: those of the search that it belongs to. `run`: what cells are counted against; none where pairs are counted already.
   * `isWhole`: resources also name the policies that are about none of the identities.
   */
  constructor(
    worlds: readonly World[],
    things: KnownNames,
    givenContext: RequestContext = {},
    lookups = new Lookups(),
    run?: Budget,
    isWhole = false,
  ) {
    this.worlds = worlds
    this.run = run
    this.given = givenContext
    this.lookups = lookups
    this.policiesOf = worlds.map((world) => lookups.indexOf(world))
    this.open = this.policiesOf.flatMap(({ open }) => open)
    this.lists = this.policiesOf.map((index) => new PolicyLists(index, givenContext.tags))
    this.identities = classes(things.identities, (identity) => this.identityKey(identity))
    const counting = worlds.map((_, side) => {
      return isWhole ? undefined : new Set(this.identities.flatMap(({ policies }) => policies[side] as readonly number[]))
    })
    const among = this.policiesOf.map((index, side) => index.among(counting[side]))
    if (run) affordable(things.resources, among, run)
    this.resources = classes(things.resources, (resource) => this.resourceKey(resource, among))
  }

  /**
   * The cell of a pair of classes in one of the worlds, or of the policies of it that are `shared`: the same object for pairs
   * that are alike.
   */
  cell(side: number, identity: Class, resource: Class, shared = this.shared(side, identity, resource)): Cell {
    const world = this.worlds[side] as World
    const [who, on] = [identity.names[0] as string, resource.names[0] as string]
    if (identity.isAccount && isRoot(world, who, on, this.given.owner)) return ownedCell
    if (this.run) this.run.left -= 1 + shared.length
    if (shared.length === 0) return nothingSaid
    const list = (this.lists[side] as PolicyLists).of(shared)
    const facts = list.attributes.factsOf(on)
    const knownCell = list.cells.get(facts)
    if (knownCell) return knownCell
    const foundCell = this.findCell(side, shared, who, on)
    list.cells.set(facts, foundCell)
    if (this.run) this.run.left -= stepsOfCell
    return foundCell
  }

  /**
   * Actions in groups of which each is allowed at the same time in some cells: the same regions are about all of them. In the
   * order of their first actions. `among`: only those that one of these regions grants or denies.
   */
  alikeActions(cells: readonly Cell[], all: readonly string[], among?: readonly Region[]): readonly (readonly string[])[] {
    const counted = among ? unionOf(this.hitsOfAll(among, all)) : (1n << BigInt(all.length)) - 1n
    const sets = new Set(cells.flatMap(({ allows, denies }) => this.hitsOfAll([...allows, ...denies], all)))
    return dividedBy(counted, sets).map((group) => this.lookups.actionsAt(group, all))
  }

  /** Those of some actions that a cell grants, in groups as of `alikeActions`. */
  alikeParts({ allows, denies }: Cell, all: readonly string[]): readonly EquivalentActions[] {
    const [granting, denying] = [this.hitsOfAll(allows, all), this.hitsOfAll(denies, all)]
    return dividedBy(unionOf(granting), new Set([...granting, ...denying])).map((group) => ({
      actions: this.lookups.actionsAt(group, all),
      // A group is within the subject of a region, or outside of it.
      allows: allows.filter((_, i) => ((granting[i] as bigint) & group) !== 0n),
      denies: denies.filter((_, i) => ((denying[i] as bigint) & group) !== 0n),
    }))
  }

  /** The entries of a region that are about some actions, as clauses. */
  clausesAbout(region: Region, actions: readonly string[]): readonly Clause[] {
    return clausesOf(region, this.lookups.entriesAbout(region, actions))
  }

  private hitsOfAll(regions: readonly Region[], all: readonly string[]): readonly bigint[] {
    return regions.map((region) => this.lookups.hitsOf(region, all))
  }

  private findCell(side: number, shared: readonly number[], identity: string, resource: string): Cell {
    const all = shared.flatMap((number) => this.regionsOf(side, number, identity, resource))
    return {
      allows: all.filter(({ effect }) => effect === 'allow'),
      denies: all.filter(({ effect }) => effect === 'deny'),
      isRoot: false,
    }
  }

  /** The regions of one policy that is about an identity and a resource: the same objects for resources in which it sees no difference. */
  private regionsOf(side: number, number: number, identity: string, resource: string): readonly Region[] {
    const list = (this.lists[side] as PolicyLists).of([number])
    const facts = list.attributes.factsOf(resource)
    const regions = list.regions.get(facts) ?? this.findRegions(this.worlds[side] as World, number, identity, resource)
    list.regions.set(facts, regions)
    return regions
  }

  private findRegions(world: World, number: number, identity: string, resource: string): readonly Region[] {
    const policies = [world.policies[number] as Policy]
    return regions({ ...world, policies }, { ...this.given, identity, groups: this.given.groups ?? [], resource }, this.open)
  }

  /** The policies of one of the worlds about a pair of classes. */
  private shared(side: number, identity: Class, resource: Class): readonly number[] {
    return commonOf(identity.policies[side] as readonly number[], resource.policies[side] as readonly number[])
  }

  /** The policies about a pair of classes that count, and a text that is the same for pairs of which the worlds say the same. */
  pair(identity: Class, resource: Class, edited?: PolicyChanges): ClassPair {
    const [who, on] = [identity.names[0] as string, resource.names[0] as string]
    const root = this.worlds.map((world) => identity.isAccount && isRoot(world, who, on, this.given.owner))
    const all = this.worlds.map((_, side) => this.shared(side, identity, resource))
    const policies = edited ? this.aboutEditedActions(all, resource.type, edited) : all
    const parts = this.lists.map((lists, side) => {
      const { number, attributes } = lists.of(policies[side] as readonly number[])
      return [number, attributes.factsOf(on)]
    })
    return { policies, key: keyOf(resource.type, root, parts) }
  }

  /** Those of some policies that are about an action that one of them which was edited is about. */
  private aboutEditedActions(all: ClassPair['policies'], type: string, { policies, actions }: PolicyChanges): ClassPair['policies'] {
    const bits = all.map((numbers, side) => numbers.map((number) => this.actionBits(side, number, type, actions)))
    let touched = 0n
    for (const [side, numbers] of all.entries())
      for (const [i, number] of numbers.entries()) if (policies[side]?.has(number)) touched |= bits[side]?.[i] as bigint
    return all.map((numbers, side) => numbers.filter((_, i) => ((bits[side]?.[i] as bigint) & touched) !== 0n))
  }

  /** The actions for a resource type that a policy is about, a bit for each. */
  private actionBits(side: number, number: number, type: string, actions: ActionsByType): bigint {
    const place = keyOf(side, type)
    const bitsByNumber = this.bits.get(place) ?? []
    this.bits.set(place, bitsByNumber)
    bitsByNumber[number] ??= this.findBits(side, number, actions.of(type))
    return bitsByNumber[number] as bigint
  }

  private findBits(side: number, number: number, actions: readonly string[]): bigint {
    const world = this.worlds[side] as World
    const patterns = permissionsOf(world.policies[number] as Policy, world).flatMap(({ set }) => [...set.allow, ...set.deny])
    return bitsOf(actions, (action) => patterns.some(({ value }) => matches(value, action)))
  }

  private identityKey(identity: string) {
    const policies = this.worlds.map((world, side) => {
      const members = [identity, ...(this.given.groups ?? []), ...(world.identities.get(identity)?.groups ?? [])]
      return (this.policiesOf[side] as PolicyIndex).aboutIdentities(members)
    })
    // An account may do everything on what it owns: each is looked at by itself.
    const isAccount = readIdentity(identity, { pattern: false }).value?.kind === 'account'
    return { policies, isAccount, type: '', key: keyOf(isAccount ? identity : '', policies) }
  }

  private resourceKey(resource: string, among: readonly ResourceIndex[]) {
    const aboutEach = among.map((index) => index.about(resource, this.given, this.run))
    const owners = this.worlds.map((world) => world.resources.get(resource)?.owner)
    const { type } = typeAndName(resource)
    const key = keyOf(
      type,
      owners,
      aboutEach.map(({ key }) => key),
    )
    return { policies: aboutEach.map(({ policies }) => policies), isAccount: false, type, key }
  }
}

function classes(names: readonly string[], keyOf: (name: string) => Omit<Class, 'names'> & { readonly key: string }): readonly Class[] {
  const byKey = new Map<string, Class & { readonly names: string[] }>()
  for (const name of names) {
    const { key, ...rest } = keyOf(name)
    const sameClass = byKey.get(key)
    if (sameClass) sameClass.names.push(name)
    else byKey.set(key, { names: [name], ...rest })
  }
  return [...byKey.values()]
}

/** Throws `Undecided` before anything is looked at where it is plain that it will be too much. */
function affordable(resources: readonly string[], among: readonly ResourceIndex[], run: Budget): void {
  let least = 0
  for (const resource of resources) {
    for (const index of among) least += index.leastSteps(resource)
    if (least > run.left) run.spend(least, () => [resource])
  }
}

/** The intersection of two sorted lists, sorted. */
function commonOf(a: readonly number[], b: readonly number[]): readonly number[] {
  const out: number[] = []
  const [few, many] = a.length < b.length ? [a, b] : [b, a]
  if (few.length * 16 < many.length) return few.filter((number) => isIn(many, number))
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const one = a[i] as number
    const other = b[j] as number
    if (one === other) out.push(one)
    if (one <= other) i++
    if (other <= one) j++
  }
  return out
}

/** Whether a sorted list holds a number. */
function isIn(sorted: readonly number[], number: number): boolean {
  return sorted[partitionPoint(sorted, (each) => each < number)] === number
}

/** Actions that neither side distinguishes, together; `among`: only those that one of these regions grants or denies. */
export function groupsOf(
  described: Described,
  actions: readonly string[],
  first: Cell,
  second: Cell,
  among?: readonly Region[],
): readonly (readonly string[])[] {
  return isEmpty(first) && isEmpty(second) ? [] : described.alikeActions([first, second], actions, among)
}

function isEmpty({ allows, isRoot }: Cell): boolean {
  return allows.length === 0 && !isRoot
}

/** The account asks for what it owns (docs/semantics.md, Decision). */
export function isRoot(world: World, identity: string, resource: string, owner?: string): boolean {
  const read = readIdentity(identity, { pattern: false }).value
  if (read?.kind !== 'account') return false
  return (owner ?? world.resources.get(resource)?.owner ?? world.account) === read.account
}

/** The policies that are, or may be, about a resource; the key says all that they look at of it. */
interface AboutResource {
  readonly policies: readonly number[]
  readonly key: string
}

/** The policies of a world by the names that they are about. */
class PolicyIndex {
  /** Entries of resource groups of which not all members are known. */
  readonly open: readonly ResourceGroupUrn[]
  private readonly world: World
  private readonly identities = new PatternIndex()
  private readonly resources = new PatternIndex()
  /** Policies by the number of a pattern. */
  private readonly byIdentity: number[][] = []
  private readonly byResource: number[][] = []
  private readonly groups: { readonly entry: ResourceGroupUrn; readonly policies: number[]; readonly members: ReadonlySet<string> }[] = []
  private readonly facts: (Attributes | undefined)[] = []
  private all: ResourceIndex | undefined
  /** The policies that name such a group. */
  private readonly openNumbers: ReadonlySet<number>

  constructor(world: World) {
    this.world = world
    const groups = new Map<string, { entry: ResourceGroupUrn; policies: number[]; members: ReadonlySet<string> }>()
    world.policies.forEach((policy, number) => {
      for (const { value } of policy.identities) put(this.byIdentity, this.identities.add(value.glob), number)
      for (const { value } of policy.resources) {
        if (value.kind === 'resource') put(this.byResource, this.resources.add(value.glob), number)
        else {
          const members = new Set(groupsNamed(world, value).flatMap(({ members }) => [...members]))
          const group = groups.get(value.text) ?? { entry: value, policies: [], members }
          group.policies.push(number)
          groups.set(value.text, group)
        }
      }
    })
    this.groups = [...groups.values()]
    const open = this.groups.filter(({ entry }) => inResourceGroup(world, entry, '') === undefined)
    this.open = open.map(({ entry }) => entry)
    this.openNumbers = new Set(open.flatMap(({ policies }) => policies))
  }

  aboutIdentities(members: readonly string[]): readonly number[] {
    const patterns = members.flatMap((member) => this.identities.matching(member))
    return [...new Set(patterns.flatMap((pattern) => this.byIdentity[pattern] ?? []))].sort((a, b) => a - b)
  }

  /** Its policies by the resources that they are about: all, or those that count. What is found of all is found once. */
  among(counting: ReadonlySet<number> | undefined): ResourceIndex {
    if (!counting || counting.size === this.world.policies.length) {
      this.all ??= this.resourceIndex((numbers) => numbers)
      return this.all
    }
    return this.resourceIndex((numbers) => numbers.filter((number) => counting.has(number)))
  }

  private resourceIndex(keep: (numbers: readonly number[]) => readonly number[]): ResourceIndex {
    const groups = this.groups.map(({ entry, policies, members }) => ({
      isOpen: this.open.includes(entry),
      policies: keep(policies),
      members,
    }))
    return new ResourceIndex(this, this.resources, this.byResource, keep, groups)
  }

  /** Whether one of some policies names a resource group of which not all members are known. */
  isOpen(policies: readonly number[]): boolean {
    return policies.some((number) => this.openNumbers.has(number))
  }

  /** The tags of a resource that are looked at, and its name where that is: a text that is the same for resources of which these are. */
  factsKey(resource: string, { tags: looked, name }: Attributes, tags: RequestContext['tags']): string {
    const own = tags ?? this.world.resources.get(resource)?.tags
    return keyOf(own && looked.map((key) => own.get(key)), name && resource)
  }

  /** The attributes that some policies look at. */
  lookedBy(policies: readonly number[]): Attributes {
    const all = policies.map((number) => this.looksAt(number))
    return { tags: [...new Set(all.flatMap(({ tags }) => tags))].sort(), name: all.some(({ name }) => name) }
  }

  private looksAt(number: number): Attributes {
    const cached = this.facts[number]
    if (cached) return cached
    const { condition } = this.world.policies[number] as Policy
    const attributes = condition ? attributesOf(condition) : noAttributes
    this.facts[number] = attributes
    return attributes
  }
}

/** A resource group that policies name. */
interface NamedGroup {
  /** Not all of its members are known. */
  readonly isOpen: boolean
  readonly policies: readonly number[]
  readonly members: ReadonlySet<string>
}

/** The cost of looking at one resource, in steps, besides those for the policies about it. */
const stepsOfResource = 8

/** Policies of a world by the resources that they are about. */
class ResourceIndex {
  private readonly index: PolicyIndex
  private readonly patterns: PatternIndex
  private readonly byPattern: readonly (readonly number[])[]
  private readonly keep: (numbers: readonly number[]) => readonly number[]
  private readonly groups: readonly NamedGroup[]
  /** Those under a pattern that are kept. */
  private readonly kept = new Map<number, readonly number[]>()
  private readonly known = new Map<string, AboutResource>()

  constructor(
    index: PolicyIndex,
    patterns: PatternIndex,
    byPattern: readonly (readonly number[])[],
    keep: (numbers: readonly number[]) => readonly number[],
    groups: readonly NamedGroup[],
  ) {
    this.index = index
    this.patterns = patterns
    this.byPattern = byPattern
    this.keep = keep
    this.groups = groups
  }

  about(resource: string, { tags }: RequestContext, run?: Budget): AboutResource {
    const knownAbout = tags ? undefined : this.known.get(resource)
    if (knownAbout) return knownAbout
    const sure = new Set(this.patterns.matching(resource).flatMap((pattern) => this.under(pattern)))
    const perhaps = new Set<number>()
    for (const { isOpen, policies, members } of this.groups) {
      if (members.has(resource)) for (const number of policies) sure.add(number)
      else if (isOpen) for (const number of policies) perhaps.add(number)
    }
    const policies = [...new Set([...sure, ...perhaps])].sort((a, b) => a - b)
    const parts = policies.map((number) => [number, sure.has(number)])
    const attributes = this.index.lookedBy(policies)
    run?.spend(stepsOfResource + policies.length + 3 * attributes.tags.length, () => [resource])
    const about = { policies, key: keyOf(parts, this.index.factsKey(resource, attributes, tags)) }
    if (!tags) this.known.set(resource, about)
    return about
  }

  /** The steps that `about` takes at least. */
  leastSteps(resource: string): number {
    if (this.known.has(resource)) return 0
    return this.patterns.matching(resource).reduce((most, pattern) => Math.max(most, this.under(pattern).length), 0) + stepsOfResource
  }

  private under(pattern: number): readonly number[] {
    return madeIn(this.kept, pattern, () => this.keep(this.byPattern[pattern] ?? []))
  }
}

/** Some policies of a world, with what was found of them. */
interface PolicyList {
  readonly number: number
  readonly attributes: AttributeIndex
  /** Their cells, by the facts that they look at: the same object for pairs with the same result. */
  readonly cells: Map<number, Cell>
  /** Of a single policy: its regions, by these facts. */
  readonly regions: Map<number, readonly Region[]>
}

/** The start of a list, with the one that is just this, once it is asked for. */
interface ListStart {
  list: PolicyList | undefined
  /** Those with one more policy, by its number. */
  readonly longer: Map<number, ListStart>
}

/** The lists of policies that pairs of classes share, each once. */
class PolicyLists {
  private readonly index: PolicyIndex
  private readonly tags: RequestContext['tags']
  private readonly empty: ListStart = { list: undefined, longer: new Map() }
  private readonly indexes = new Map<string, AttributeIndex>()
  private count = 0

  constructor(index: PolicyIndex, tags: RequestContext['tags']) {
    this.index = index
    this.tags = tags
  }

  of(policies: readonly number[]): PolicyList {
    let start = this.empty
    for (const number of policies) {
      const longer = start.longer.get(number) ?? { list: undefined, longer: new Map() }
      start.longer.set(number, longer)
      start = longer
    }
    start.list ??= this.make(policies)
    return start.list
  }

  private make(policies: readonly number[]): PolicyList {
    const [policyAttributes, isOpen] = [this.index.lookedBy(policies), this.index.isOpen(policies)]
    const key = JSON.stringify([policyAttributes, isOpen])
    const attributes = this.indexes.get(key) ?? new AttributeIndex((resource) => this.factsOf(resource, policyAttributes, isOpen))
    this.indexes.set(key, attributes)
    return { number: this.count++, attributes, cells: new Map(), regions: new Map() }
  }

  private factsOf(resource: string, looked: Attributes, isOpen: boolean): string {
    return keyOf(typeAndName(resource).type, isOpen && resource, this.index.factsKey(resource, looked, this.tags))
  }
}

/** Numbers for what is looked at of resources: equal ones where all of it is. */
class AttributeIndex {
  private readonly textOf: (resource: string) => string
  private readonly numbers = new Map<string, number>()
  private readonly byResource = new Map<string, number>()

  constructor(textOf: (resource: string) => string) {
    this.textOf = textOf
  }

  factsOf(resource: string): number {
    const knownFacts = this.byResource.get(resource)
    if (knownFacts !== undefined) return knownFacts
    const text = this.textOf(resource)
    const number = this.numbers.get(text) ?? this.numbers.size
    this.numbers.set(text, number)
    this.byResource.set(resource, number)
    return number
  }
}

/** The attributes of a resource, apart from its type, that a condition looks at. */
interface Attributes {
  readonly tags: readonly string[]
  readonly name: boolean
}

const noAttributes: Attributes = { tags: [], name: false }

function attributesOf(condition: Condition): Attributes {
  const subjects = [...atomsOf(formulaOf(condition))].flatMap((atom) => (atom.kind === 'test' ? [atom.test.subject] : []))
  return {
    tags: subjects.flatMap(({ kind, parameter }) => (kind === 'tag' ? [parameter] : [])),
    name: subjects.some(({ kind }) => kind === 'name'),
  }
}

function put(lists: number[][], index: number, number: number): void {
  const list = lists[index]
  if (list) list.push(number)
  else lists[index] = [number]
}
