import { keyOf } from '../keys.ts'
import type { Policy } from '../policy.ts'
import type { Blocks } from './blocks.ts'
import { groupOf } from './decide.ts'
import type { Question } from './decision.ts'
import type { Limits } from './limits.ts'
import { Scan } from './scan.ts'
import { head } from './table.ts'
import { type IdentityEntry, type Unit, UnitPool, type Units } from './units.ts'

/** The units that name groups of accounts: those of one account, and those of every account whose name a pattern matches. */
interface OverridingGroups {
  readonly named: ReadonlyMap<string, UnitPool>
  readonly open: readonly { readonly value: IdentityEntry; readonly source: UnitPool }[]
}

/** A question by its classes. */
interface Classed {
  readonly question: Question
  readonly resource: number
  readonly action: number
}

/** As in `decide.ts`: whether one more group of an account would turn a default deny. */
export class Overrides {
  private lifters: OverridingGroups | undefined
  /** Groups known to lift a denial, and not to: by an account, a class of resources and a class of actions. */
  private cached = new Map<string, boolean>()
  private epoch = 0
  /** Whether the last search depended only on the classes of its strings. */
  private isGeneral = false
  private readonly scan: Scan
  private readonly units: Units
  private readonly blocks: Blocks
  private readonly limits: Limits

  constructor(units: Units, blocks: Blocks, limits: Limits) {
    this.scan = new Scan(units, blocks)
    this.units = units
    this.blocks = blocks
    this.limits = limits
  }

  /** To be called whenever blocks are forgotten: their places are lost. */
  forget(): void {
    for (const source of this.lifters?.named.values() ?? []) source.blocks.clear()
    for (const { source } of this.lifters?.open ?? []) source.blocks.clear()
    this.cached = new Map()
  }

  /** To be called when units have come or gone, before blocks are forgotten. */
  findAnew(): void {
    this.lifters = undefined
  }

  /** Whether a group of the account with a number would lift the question. */
  would(account: number, classed: Classed): boolean {
    const { resource, action } = classed
    const epoch = this.units.resources.epoch + this.units.actions.epoch
    if (this.epoch !== epoch || this.cached.size > this.limits.lifts) this.cached = new Map()
    this.epoch = epoch
    const key = keyOf(account, resource, action)
    const cachedAnswer = this.cached.get(key)
    if (cachedAnswer !== undefined) return cachedAnswer
    this.isGeneral = true
    const answer = this.find(this.blocks.accounts[account] as string, classed)
    if (this.isGeneral) this.cached.set(key, answer)
    return answer
  }

  private find(account: string, classed: Classed): boolean {
    this.lifters ??= overridingGroupsOf(this.units)
    const ownPool = this.lifters.named.get(account)
    if (ownPool && this.findIn(ownPool, account, classed)) return true
    for (const { value, source } of this.lifters.open) {
      const group = groupOf(value, account)
      if (group !== undefined && this.findIn(source, account, classed, group)) return true
    }
    return false
  }

  /** Whether a unit of a source lifts: by a group that it names of the account, or by the one group that is given. */
  private findIn(source: UnitPool, account: string, classed: Classed, group?: string): boolean {
    const { resource } = classed
    const { pool } = this.units.resources
    const end = resource + (pool[resource] as number)
    for (let position = resource + 1; position <= end; position++) {
      const part = this.blocks.ofShared(source, pool[position] as number)
      if (part < 0) continue
      for (const unit of this.grantingIn(part, classed)) {
        if (!this.mayApply(unit, classed.question)) continue
        if (group !== undefined) return this.lifts(group, classed)
        if (this.anyLifts(unit.policy, account, classed)) return true
      }
    }
    return false
  }

  /** The units of a block that allow the action, or of which it is not known. */
  private *grantingIn(block: number, { resource, action }: Classed): Generator<Unit, undefined> {
    const words = this.blocks.store.data[block + head.words] as number
    for (let word = 0; word < words; word++) {
      this.scan.locate(block, resource, action)
      const open = this.blocks.store.data[block + head.length + words + word] as number
      for (let bits = (open | this.scan.allows(word)) & ~this.scan.excepts(word); bits !== 0; bits &= bits - 1)
        yield this.units.all[this.blocks.unitAt(block, word, bits & -bits)] as Unit
    }
  }

  private mayApply({ applies }: Unit, question: Question): boolean {
    if (!applies) return true
    this.isGeneral = false
    return applies(question) !== 0
  }

  private anyLifts({ identities }: Policy, account: string, classed: Classed): boolean {
    return identities.some(({ value }) => {
      const group = groupOf(value, account)
      return group !== undefined && this.lifts(group, classed)
    })
  }

  /** Whether being in a group would turn the default deny, where something that the group is granted applies. */
  private lifts(group: string, { question, resource, action }: Classed): boolean {
    const { scan } = this
    scan.start()
    scan.add(this.blocks.ofGroup(group), resource, action, question)
    if (scan.weighed) this.isGeneral = false
    return scan.denied !== 1
  }
}

/** Made of what the world names alone, so that accounts that questions bring cost nothing. */
function overridingGroupsOf({ all }: Units): OverridingGroups {
  const ofAccounts = new Map<string, Set<number>>()
  const ofPatterns = new Map<string, { readonly value: IdentityEntry; readonly units: Set<number> }>()
  for (const [number, { policy, set, isRemoved: isGone }] of all.entries()) {
    if (isGone || set?.allow.length === 0) continue
    for (const { value } of policy.identities) {
      if (value.kind !== 'group') continue
      if (value.account === undefined) entryOf(ofPatterns, value.text, () => ({ value, units: new Set<number>() })).units.add(number)
      else entryOf(ofAccounts, value.account, () => new Set<number>()).add(number)
    }
  }
  return {
    named: new Map(Array.from(ofAccounts, ([account, found]) => [account, new UnitPool([...found])])),
    open: Array.from(ofPatterns.values(), ({ value, units }) => ({ value, source: new UnitPool([...units]) })),
  }
}

/** The value of a key in a map, made if there is none. */
function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const made = make()
  map.set(key, made)
  return made
}
