import { matches } from '../glob.ts'
import type { World } from '../policy.ts'
import { readIdentity } from '../urn/identity.ts'
import type { Limits } from './limits.ts'
import { bitsPerWord, head, Marks, Store, writeBlock } from './table.ts'
import type { Source, Unit, UnitPool, Units } from './units.ts'

/** The cost of a cached identity that neither policies nor the inventory name, in addition to its block: its text, and places in maps. */
const uncachedCost = 1 << 8

/** The blocks of identities, of groups and of shared sources, each written when it is first needed. */
export class Blocks {
  /** Replaced when it is time to forget: read it anew for each use. */
  store = new Store()
  /** Changes when places of blocks lose their meaning. */
  epoch = 0
  /** The accounts of the identities that were asked about, by the number in a block. */
  readonly accounts: string[] = []
  private readonly accountNumbers = new Map<string, number>()
  private identities = new Map<string, number>()
  private groups = new Map<string, number>()
  private inventory: ReadonlySet<string> | undefined
  private strange = 0
  private readonly marks = new Marks()
  private readonly units: Units
  private readonly world: World
  private readonly limits: Limits

  constructor(units: Units, world: World, limits: Limits) {
    this.units = units
    this.world = world
    this.limits = limits
  }

  /** Whether it is time to forget. */
  isFull(): boolean {
    return this.strange > this.limits.strange
  }

  /** Drop what questions made grow, so that memory does not follow them. Between questions only: places of blocks are lost. */
  forget(): void {
    this.store = new Store()
    this.identities = new Map()
    this.groups = new Map()
    this.accounts.length = 0
    this.accountNumbers.clear()
    for (const source of this.units.shared) source.blocks.clear()
    this.strange = 0
    this.epoch++
  }

  /** The block of an identity with the groups that the world gives it. */
  ofIdentity(identity: string): number {
    const known = this.identities.get(identity)
    return known === undefined ? this.learn(identity) : known
  }

  /** The same where it was asked for before. */
  known(identity: string): number | undefined {
    return this.identities.get(identity)
  }

  /** The block of a group that comes with a question. */
  ofGroup(group: string): number {
    const groupNumber = this.groups.get(group)
    if (groupNumber !== undefined) return groupNumber
    const before = this.store.length
    const block = this.blockFor([group], -1)
    if (!this.units.named.has(group) && !this.isInInventory(group)) this.strange += uncachedCost + this.store.length - before
    this.groups.set(group, block)
    return block
  }

  /** The block of those units of a shared source that name a resource pattern; -1 when there are none. */
  ofShared(source: UnitPool, resource: number): number {
    const existing = source.blocks.get(resource)
    if (existing !== undefined) return existing
    const units = source.about(resource, this.units)
    const block = units ? this.write(units, [], -1, false) : -1
    source.blocks.set(resource, block)
    return block
  }

  /** Below -1: the number of the account that the identity is; from 0: of the account it belongs to. */
  accountOf(block: number): number {
    return this.store.data[block + head.account] as number
  }

  /** The number of the unit of a bit. */
  unitAt(block: number, word: number, bit: number): number {
    const { data } = this.store
    return data[block + head.length + 2 * (data[block + head.words] as number) + word * bitsPerWord + 31 - Math.clz32(bit)] as number
  }

  private learn(identity: string): number {
    const before = this.store.length
    const { kind, account } = readIdentity(identity, { pattern: false }).value ?? {}
    const isOfOne = account !== undefined && (kind === 'account' || kind === 'user' || kind === 'credential')
    const number = isOfOne ? this.accountNumber(account) : -1
    const { identities } = this.world
    const block = this.blockFor([identity, ...(identities.get(identity)?.groups ?? [])], kind === 'account' ? -2 - number : number)
    if (!this.units.named.has(identity) && !identities.has(identity)) this.strange += uncachedCost + this.store.length - before
    this.identities.set(identity, block)
    return block
  }

  private accountNumber(account: string): number {
    let number = this.accountNumbers.get(account)
    if (number === undefined) {
      number = this.accounts.length
      this.accounts.push(account)
      this.accountNumbers.set(account, number)
    }
    return number
  }

  /** Whether the world puts an identity into a group. */
  private isInInventory(group: string): boolean {
    this.inventory ??= new Set(Array.from(this.world.identities.values()).flatMap(({ groups }) => groups))
    return this.inventory.has(group)
  }

  private blockFor(members: readonly string[], account: number): number {
    const { named, byPattern } = this.units
    const ownUnits = new Set<number>()
    const from = new Set<number>()
    const add = (source: Source) => {
      if (source.shared >= 0) from.add(source.shared)
      else for (const unit of source.units) ownUnits.add(unit)
    }
    for (const member of members) {
      const source = named.get(member)
      if (source) add(source)
    }
    for (const { pattern, source } of byPattern.values()) if (members.some((member) => matches(pattern.glob, member))) add(source)
    return this.write([...ownUnits], [...from], account, true)
  }

  private write(ownUnits: readonly number[], from: readonly number[], account: number, byResource: boolean): number {
    const { all, lists } = this.units
    const placeOf = (unit: number) => (all[unit] as Unit).place
    const marksOf = (unit: number) => {
      const { applies, set } = all[unit] as Unit
      return (applies ? 1 : 0) | (set ? 0 : 2)
    }
    return writeBlock(this.store, this.marks, { units: ownUnits, shared: from, account, byResource, placeOf, marksOf, lists: lists.data })
  }
}
