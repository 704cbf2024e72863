import { pushTo } from '../collections.ts'
import { hasInnerWildcard, isPattern } from '../glob.ts'
import { groupsOf, type PermissionSet, type Policy, type World } from '../policy.ts'
import { resourceGroupOf } from '../world.ts'
import { applicationOf, namesOpenGroup, type Predicate } from './application.ts'
import type { Clause } from './decision.ts'
import type { Limits } from './limits.ts'
import { PatternIndex } from './pattern-index.ts'
import { Store } from './table.ts'

/** A permission set of one policy, represented by a bit in a block. */
export interface Unit {
  readonly policy: Policy
  /** Grows in the order in which policies were written, or came. */
  readonly order: number
  /** Undefined: a permissions group that the world does not hold. */
  readonly set: PermissionSet | undefined
  readonly group: string | undefined
  /** Where its lists of pattern numbers are: see `BlockPlan`. */
  readonly place: number
  /** Undefined: it applies to all requests whose identity and resource match. */
  readonly applies: Predicate | undefined
  /** Whether one of its entries has a wildcard in the middle. */
  readonly hasInner: boolean
  /** Its policy is no longer one of the world. */
  isRemoved?: true
  /** One for each entry of the list, made when first asked for. */
  allow?: readonly Clause[]
  deny?: readonly Clause[]
}

export type IdentityEntry = Policy['identities'][number]['value']

/** Units that come together: those of one name, or of one pattern. */
export interface Source {
  readonly units: number[]
  /** Its number among those of many units; -1 for the others. */
  shared: number
}

/** Many units, found and put into blocks by the number of a resource pattern. */
export class UnitPool {
  readonly units: readonly number[]
  /** Blocks by the number of a resource pattern; -1 for one that no unit names. */
  readonly blocks = new Map<number, number>()
  private byResource: ReadonlyMap<number, readonly number[]> | undefined

  constructor(units: readonly number[]) {
    this.units = units
  }

  /** Those that name a resource pattern. */
  about(resource: number, all: Units): readonly number[] | undefined {
    this.byResource ??= all.byResource(this.units)
    return this.byResource.get(resource)
  }
}

/** The permission sets of a world with numbers for their patterns, by whom they are for. */
export class Units {
  readonly all: Unit[] = []
  readonly lists = new Store()
  readonly resources: PatternIndex
  readonly actions: PatternIndex
  readonly named = new Map<string, Source>()
  readonly byPattern = new Map<string, { readonly pattern: IdentityEntry; readonly source: Source }>()
  /** The sources of many units, which blocks name by their place here. */
  readonly shared: UnitPool[] = []
  hasReadOnly = false
  /** Whether an `except` has a wildcard in the middle. */
  hasInnerExcept = false
  /** The number of the pattern that matches every resource: for groups whose members are not all known. */
  private readonly anywhere: number
  private world: World
  private readonly mostCopied: number
  private nextOrder = 0

  /** `mostCopied`: a source of more units than this is shared. */
  constructor(world: World, mostCopied: number, limits: Limits) {
    this.world = world
    this.resources = new PatternIndex(limits)
    this.actions = new PatternIndex(limits)
    this.anywhere = this.resources.add({ text: '*', pieces: ['', ''] })
    this.mostCopied = mostCopied
    this.addPolicies(world.policies)
    this.share([...this.named.values(), ...Array.from(this.byPattern.values(), (each) => each.source)])
  }

  /** Have the units of other policies. What is made of units has to be made again. */
  change(world: World, removed: readonly Policy[], added: readonly Policy[]): void {
    this.world = world
    const touched = new Set<Source>()
    const removedPolicies = new Set(removed)
    for (const { value } of removed.flatMap((policy) => policy.identities)) {
      const source = this.sourceOf(value)
      if (touched.has(source)) continue
      touched.add(source)
      for (const number of source.units) {
        const unit = this.all[number] as Unit
        if (removedPolicies.has(unit.policy)) unit.isRemoved = true
      }
      keep(source.units, (number) => !(this.all[number] as Unit).isRemoved)
    }
    const patternsBefore = this.resources.count + this.actions.count
    this.addPolicies(added)
    for (const { value } of added.flatMap((policy) => policy.identities)) touched.add(this.sourceOf(value))
    this.share(touched)
    // The cached lists of strings are about the old patterns.
    if (this.resources.count + this.actions.count > patternsBefore) for (const index of [this.resources, this.actions]) index.forget()
  }

  private addPolicies(policies: readonly Policy[]): void {
    const { world } = this
    this.hasReadOnly = world.policies.some(({ readOnly }) => readOnly)
    for (const policy of policies) {
      const resources = this.resourceNumbers(policy)
      const common = { policy, order: this.nextOrder++, applies: applicationOf(policy, world) }
      this.add({ ...common, set: policy.permissions, group: undefined }, resources)
      for (const { value } of groupsOf(policy))
        this.add({ ...common, set: world.permissionsGroups.get(value.text)?.permissions, group: value.text }, resources)
    }
  }

  /** Give sources of many units separate tables, and add new units to those that have some. */
  private share(sources: Iterable<Source>): void {
    for (const source of sources) {
      if (source.shared >= 0) this.shared[source.shared] = new UnitPool(source.units)
      else if (source.units.length > this.mostCopied) source.shared = this.shared.push(new UnitPool(source.units)) - 1
    }
  }

  /** Units of a list by the numbers of the resource patterns that they name. */
  byResource(units: readonly number[]): ReadonlyMap<number, readonly number[]> {
    const unitsByResource = new Map<number, number[]>()
    const { data } = this.lists
    for (const unit of units) {
      const { place } = this.all[unit] as Unit
      const end = place + 4 + (data[place] as number)
      for (let position = place + 4; position < end; position++) {
        const number = data[position] as number
        pushTo(unitsByResource, number, unit)
      }
    }
    return unitsByResource
  }

  private add(unit: Pick<Unit, 'policy' | 'order' | 'set' | 'group' | 'applies'>, resources: ReadonlySet<number>): void {
    const { policy, set } = unit
    if (set && set.allow.length + set.deny.length === 0) return
    const number = this.all.length
    const isInner = (list: 'allow' | 'except' | 'deny') => set?.[list].some((entry) => hasInnerWildcard(entry.value)) === true
    this.all.push({ ...unit, place: this.writeLists(resources, set), hasInner: isInner('allow') || isInner('deny') })
    this.hasInnerExcept ||= isInner('except')
    // A name may be in a list twice.
    for (const { units } of new Set(policy.identities.map(({ value }) => this.sourceOf(value)))) units.push(number)
  }

  private sourceOf(identity: IdentityEntry): Source {
    const pattern = isPattern(identity.glob)
    const knownSource = pattern ? this.byPattern.get(identity.text)?.source : this.named.get(identity.text)
    if (knownSource) return knownSource
    const source: Source = { units: [], shared: -1 }
    if (pattern) this.byPattern.set(identity.text, { pattern: identity, source })
    else this.named.set(identity.text, source)
    return source
  }

  private resourceNumbers(policy: Policy): ReadonlySet<number> {
    const numbers = new Set<number>()
    for (const { value } of policy.resources) {
      if (value.kind === 'resource') numbers.add(this.resources.add(value.glob))
      else
        for (const member of resourceGroupOf(this.world, value.text)?.members ?? [])
          numbers.add(this.resources.add({ text: member, pieces: [member] }))
    }
    if (namesOpenGroup(policy, this.world)) numbers.add(this.anywhere)
    return numbers
  }

  private writeLists(resources: ReadonlySet<number>, set: PermissionSet | undefined): number {
    const { allow, except, deny } = set ?? { allow: [], except: [], deny: [] }
    const place = this.lists.take(4 + resources.size + allow.length + except.length + deny.length)
    const { data } = this.lists
    data.set([resources.size, allow.length, except.length, deny.length], place)
    let position = place + 4
    for (const number of resources) data[position++] = number
    for (const list of [allow, except, deny]) for (const entry of list) data[position++] = this.actions.add(entry.value)
    return place
  }
}

/** Leave out the items of a list for which a test fails. */
function keep(list: number[], test: (item: number) => boolean): void {
  let kept = 0
  for (const item of list) if (test(item)) list[kept++] = item
  list.length = kept
}
