import { hasInnerWildcard } from '../glob.ts'
import type { PermissionSet, Policy, World } from '../policy.ts'
import { Blocks } from './blocks.ts'
import { judge } from './decide.ts'
import type { Caveat, Clause, Decision, Question, Verdict } from './decision.ts'
import { type Limits, usualLimits } from './limits.ts'
import { Overrides } from './overrides.ts'
import { RecentVerdicts } from './recent.ts'
import { inFileOrder, traces } from './reference.ts'
import { Scan } from './scan.ts'
import { bitsPerWord, head } from './table.ts'
import { type Unit, Units } from './units.ts'

/**
 * The meaning of `reference.ts`, fast: patterns become numbers (`pattern-index.ts`, `units.ts`), the policies of an identity
 * become a block of bits (`table.ts`, `blocks.ts`), and a decision looks up three strings and combines bits (`scan.ts`). It
 * shares types and the wildcard code with the reference and nothing that judges; the tests compare the two. Only where
 * three-valued logic says unknown is the question handed to the exact completion. Blocks are written when they are first needed.
 */
export interface Engine {
  /** Only the verdict: nothing is allocated where the strings are known and no unknown fact counts. */
  verdict(question: Question): Verdict
  /** The whole decision, equal to that of `decide`. An entry is the same object in all decisions that rest on it. */
  decide(question: Question): Decision
  /**
   * The same, where identity, action and resource were all asked about before; else undefined. For callers that read names
   * by their grammar first: these have been read. Also undefined when it is time to forget, which `decide` does.
   */
  decideKnown(question: Question): Decision | undefined
  /** The verdict of it, under the same condition. */
  verdictKnown(question: Question): Verdict | undefined
  /**
   * Make it the engine of another world, which differs in these policies and in nothing else: much faster than building one
   * where few policies change. `gone` are those of the present world, the very objects.
   */
  change(world: World, removed: readonly Policy[], added: readonly Policy[]): void
}

/** How tables are built; answers do not depend on it. */
export interface EngineOptions {
  /** The number of permission sets above which a name or pattern gets separate tables, which its identities share. */
  readonly mostCopied?: number
  /** How much is remembered of questions, where it is not the usual. */
  readonly limits?: Partial<Limits>
}

/** Build the tables of a world (docs/semantics.md, Decision). */
export function compile(world: World, options: EngineOptions = {}): Engine {
  const tables = new Tables(world, options)
  return {
    verdict: (question) => tables.verdict(question),
    decide: (question) => tables.decide(question),
    decideKnown: (question) => tables.decideKnown(question),
    verdictKnown: (question) => tables.verdictKnown(question),
    change: (other, removed, added) => tables.change(other, removed, added),
  }
}

/** Where the three names of a question are in the tables of an engine. */
export interface Places {
  readonly identity: number
  readonly resource: number
  readonly action: number
}

/** An engine with the places of names in its tables, for callers that remember these: looking up three strings takes most of a decision. */
export class Tables implements Engine {
  private world: World
  private readonly units: Units
  private readonly blocks: Blocks
  private readonly scan: Scan
  private readonly lifts: Overrides
  private readonly recent = new RecentVerdicts()
  private recentEpoch = 0

  constructor(world: World, { mostCopied = bitsPerWord, limits: ownLimits = {} }: EngineOptions = {}) {
    const limits: Limits = { ...usualLimits, ...ownLimits }
    this.world = world
    this.units = new Units(world, mostCopied, limits)
    this.blocks = new Blocks(this.units, world, limits)
    this.scan = new Scan(this.units, this.blocks)
    this.lifts = new Overrides(this.units, this.blocks, limits)
  }

  /** Changes when places lose their meaning. */
  get epoch(): number {
    return this.blocks.epoch + this.units.resources.epoch + this.units.actions.epoch
  }

  /** Whether it is time to forget, which `decide` and `verdict` do. */
  isFull(): boolean {
    return this.blocks.isFull()
  }

  /** The place of one name of a question. The text of an action or resource is not remembered: callers remember its place. */
  placeOf(kind: keyof Places, name: string): number {
    if (kind === 'identity') return this.blocks.ofIdentity(name)
    return (kind === 'resource' ? this.units.resources : this.units.actions).find(name)
  }

  /** The places of names that were all asked about before; undefined for others, and when it is time to forget. */
  placesOf({ identity, resource, action }: Question): Places | undefined {
    const places = {
      identity: this.blocks.known(identity),
      resource: this.units.resources.known(resource),
      action: this.units.actions.known(action),
    }
    const isKnown = places.identity !== undefined && places.resource !== undefined && places.action !== undefined
    return isKnown && !this.isFull() ? (places as Places) : undefined
  }

  verdict(question: Question): Verdict {
    if (this.isFull()) this.forget()
    const { resources, actions } = this.units
    return this.verdictAt(question, this.blocks.ofIdentity(question.identity), resources.of(question.resource), actions.of(question.action))
  }

  verdictKnown(question: Question): Verdict | undefined {
    const places = this.placesOf(question)
    return places && this.verdictAt(question, places.identity, places.resource, places.action)
  }

  /** The verdict by the places of the names of a question. */
  verdictAt(question: Question, block: number, resource: number, action: number): Verdict {
    if (question.groups.length > 0) return this.verdictScanned(question, block, resource, action)
    const { epoch, recent } = this
    if (epoch !== this.recentEpoch) {
      recent.forget()
      this.recentEpoch = epoch
    }
    const before = recent.of(block, resource, action)
    if (before !== 0) return before === 1 ? 'deny' : 'allow'
    const verdict = this.verdictScanned(question, block, resource, action)
    // Otherwise more of the question decides: its owner, its time, what it says of the request.
    if (!this.scan.weighed && this.blocks.accountOf(block) >= -1) recent.keep(block, resource, action, verdict === 'deny' ? 1 : 2)
    return verdict
  }

  private verdictScanned(question: Question, block: number, resource: number, action: number): Verdict {
    const account = this.blocks.accountOf(block)
    if (account < -1 && this.blocks.accounts[-2 - account] === this.ownerOf(question)) return 'allow'
    this.scanAll(block, resource, action, question)
    const { denied, granted } = this.scan
    if (denied === 1 || granted === 0) return 'deny'
    if (denied === 0 && granted === 1) return 'allow'
    return this.exactly(question, block, resource).verdict
  }

  decide(question: Question): Decision {
    if (this.isFull()) this.forget()
    const { resources, actions } = this.units
    return this.decideAt(question, this.blocks.ofIdentity(question.identity), resources.of(question.resource), actions.of(question.action))
  }

  decideKnown(question: Question): Decision | undefined {
    const places = this.placesOf(question)
    return places && this.decideAt(question, places.identity, places.resource, places.action)
  }

  /** The decision by the places of the names of a question. */
  decideAt(question: Question, block: number, resource: number, action: number): Decision {
    const { blocks, scan, units } = this
    const account = blocks.accountOf(block)
    const owner = account < -1 ? this.ownerOf(question) : undefined
    if (account < -1 && blocks.accounts[-2 - account] === owner) return root
    this.scanAll(block, resource, action, question)
    const { denied, granted } = scan
    const isRootUnknown = account < -1 && owner === undefined
    if (denied === 1) {
      const { clauses, caveats } = this.resting(question, action, 'deny', isRootUnknown)
      return { verdict: 'deny', reason: 'denied', clauses, missing: none.missing, caveats }
    }
    if (denied === 0 && granted === 1) {
      const { clauses, caveats } = this.resting(question, action, 'allow', isRootUnknown)
      return { verdict: 'allow', reason: 'granted', clauses, missing: none.missing, caveats }
    }
    if (granted !== 0 || units.hasInnerExcept) return this.exactly(question, block, resource)
    const lifts = account >= 0 && this.lifts.would(account, { question, resource, action })
    return defaults[(lifts ? 1 : 0) + (units.hasReadOnly ? 0 : 2) + (isRootUnknown ? 4 : 0)] as Decision
  }

  /** Scan for the identity and the groups it brings. */
  private scanAll(block: number, resource: number, action: number, question: Question): void {
    const { blocks, scan } = this
    const { groups } = question
    scan.start()
    scan.add(block, resource, action, question)
    for (let i = 0; i < groups.length; i++) scan.add(blocks.ofGroup(groups[i] as string), resource, action, question)
  }

  private ownerOf(question: Question): string | undefined {
    return question.owner ?? this.world.resources.get(question.resource)?.owner ?? this.world.account
  }

  change(world: World, removed: readonly Policy[], added: readonly Policy[]): void {
    this.world = world
    this.units.change(world, removed, added)
    this.lifts.findAnew()
    this.forget()
  }

  private forget(): void {
    this.blocks.forget()
    this.lifts.forget()
  }

  /**
   * The entries by which units that certainly apply allow, or deny, among those found by the last scan, in file order; and their
   * caveats.
   */
  private resting(
    question: Question,
    action: number,
    list: 'allow' | 'deny',
    isRootUnknown: boolean,
  ): Pick<Decision, 'clauses' | 'caveats'> {
    const met = this.met(list)
    let hasInner = false
    let last = -1
    const clauses: Clause[] = []
    for (let i = 0; i < met.length; i++) {
      const number = met[i] as number
      const unit = this.units.all[number] as Unit
      // An identity meets a unit twice where it is in several groups that the policy names.
      if (number === last || (unit.applies && unit.applies(question) !== 1)) continue
      last = number
      hasInner ||= unit.hasInner
      this.addClauses(clauses, unit, action, list)
    }
    const restsOnInner = hasInner && clauses.some(({ entry }) => hasInnerWildcard(entry.value))
    const caveats = restingOn[(restsOnInner ? 1 : 0) + (isRootUnknown ? 2 : 0)] as readonly Caveat[]
    return { clauses: inFileOrder(clauses), caveats }
  }

  /** The units that the last scan met, in order; some of them twice. */
  private met(list: 'allow' | 'deny'): readonly number[] {
    const { blocks } = this
    const { hits, hitsEnd } = this.scan
    const met: number[] = []
    for (let hit = 0; hit < hitsEnd; hit += 4) {
      for (let bits = hits[hit + (list === 'allow' ? 2 : 3)] as number; bits !== 0; bits &= bits - 1)
        met.push(blocks.unitAt(hits[hit] as number, hits[hit + 1] as number, bits & -bits))
    }
    return met.sort((a, b) => a - b)
  }

  /** Add the entries of a unit that match the action. */
  private addClauses(clauses: Clause[], unit: Unit, action: number, list: 'allow' | 'deny'): void {
    const { policy, group, place } = unit
    // A unit without a set allows and denies nothing, so that it is not met.
    const set = unit.set as PermissionSet
    unit[list] ??= set[list].map((entry) => (group === undefined ? { policy, list, entry } : { policy, list, entry, group }))
    const { data } = this.units.lists
    const { pool } = this.units.actions
    let position = place + 4 + (data[place] as number)
    if (list === 'deny') position += (data[place + 1] as number) + (data[place + 2] as number)
    const last = action + (pool[action] as number)
    for (let i = 0; i < set[list].length; i++) {
      for (let j = action + 1; j <= last; j++)
        if (pool[j] === data[position + i]) clauses.push((unit[list] as readonly Clause[])[i] as Clause)
    }
  }

  /** The exact answer where the quick one does not say: by the policies that are about the resource, in written order. */
  private exactly(question: Question, block: number, resource: number): Decision {
    const { blocks, scan, world } = this
    const policiesByNumber = new Map<number, Policy>()
    const addPolicies = (part: number) => {
      const { data } = blocks.store
      if (!scan.locateResource(part, resource)) return
      const count = data[part + head.units] as number
      for (let index = 0; index < count; index++) {
        const word = Math.floor(index / bitsPerWord)
        const bit = 1 << (index % bitsPerWord)
        if ((scan.about(part, word) & bit) === 0) continue
        const { order, policy } = this.units.all[blocks.unitAt(part, word, bit)] as Unit
        policiesByNumber.set(order, policy)
      }
    }
    for (const whole of [block, ...question.groups.map((group) => blocks.ofGroup(group))]) scan.eachPart(whole, resource, addPolicies)
    const policies = [...policiesByNumber].sort(([a], [b]) => a - b).map(([, policy]) => policy)
    return judge(world, question, traces({ ...world, policies }, question))
  }
}

const none = { missing: [], clauses: [] } as const

const root: Decision = { verdict: 'allow', reason: 'root', ...none, caveats: [] }

/** Caveats of what rests on entries: bit 0 inner-wildcard, bit 1 root-unknown. */
const restingOn: readonly (readonly Caveat[])[] = [[], ['inner-wildcard'], ['root-unknown'], ['inner-wildcard', 'root-unknown']]

/** Default denies by their caveats: bit 0 groups-unknown, bit 1 managed-policies, bit 2 root-unknown. */
const defaults: readonly Decision[] = Array.from({ length: 8 }, (_, bits) => ({
  verdict: 'deny',
  reason: 'default',
  ...none,
  caveats: (['groups-unknown', 'managed-policies', 'root-unknown'] as const).filter((_, bit) => (bits & (1 << bit)) !== 0),
}))
