import { madeIn } from '../collections.ts'
import { type Glob, glob, matches, overlaps } from '../glob.ts'
import type { Reach } from '../history/effects.ts'
import { keyOf } from '../keys.ts'
import type { World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import { areGroupsKnown } from '../world.ts'
import type { Need, Recorded } from './record.ts'
import { kindOf } from './tally.ts'

/**
 * How a call is related to a target. `elsewhere`: it is about the same, at a time, from an address or with tags for which the target
 * does not hold. `open`: cannot be determined.
 */
export type Relation = 'in' | 'open' | 'elsewhere' | 'out'

/** The facts of a call that a record may lack. */
export interface KnownOfCall {
  /** The one time of the call. Of calls that are counted together only the first and the last time are known. */
  readonly time: boolean
  /** All groups of the identity. */
  readonly groups: boolean
}

/** Something whose use in recorded calls is counted: an entry, a change of access, a row of an answer. */
export interface CallTarget extends Reach {
  /** Whether the time or the address of a call matters, so that each call is judged by itself. */
  readonly isOfEachCall: boolean
  readonly judge: (question: Question, known: KnownOfCall) => Relation
}

/** Calls that are counted together. */
export interface CallTimes {
  readonly count: number
  /** The last time, milliseconds since 1970; undefined where there is none, or no record has one. */
  readonly last: number | undefined
  /** The identity that made the last call. */
  readonly by: string | undefined
}

/** The recorded calls about a target. */
export interface CallUse {
  /** Calls that were let through. */
  readonly used: CallTimes
  readonly refused: CallTimes
  /** Calls that were let through, for which it does not hold by their time, address or tags. */
  readonly elsewhere: number
  /** Calls that were let through, for which it cannot be determined. */
  readonly open: number
}

/** Calls that nothing is counted of, and the first few of their actions. */
export interface LeftCalls {
  readonly count: number
  readonly actions: readonly string[]
}

/** All records that were counted. */
export interface CallTotals {
  readonly calls: number
  /** The first and the last time, milliseconds since 1970; undefined where no record has one. */
  readonly first: number | undefined
  readonly last: number | undefined
  /** Calls without a time. */
  readonly undated: number
  /** Calls with an action that was recorded as neither allowed nor refused. */
  readonly undecided: LeftCalls
  /** Calls that were let through, with an action whose resource no record names. */
  readonly unplaced: LeftCalls
  /** Calls of the owning account, which needs no entry. */
  readonly root: number
}

/** How many distinct questions are remembered; the memory of a run does not grow with its records. */
const mostRemembered = 50_000
/** How many actions of calls that nothing is counted of are named. */
const mostNamed = 3

const anyGroup = glob('urn:v1:*:identity:group:*')

type Counts = { -readonly [K in keyof CallTimes]: CallTimes[K] }

interface MutableUse {
  readonly used: Counts
  readonly refused: Counts
  elsewhere: number
  open: number
}

/** Several targets together: a call that is about more than one of them counts once. */
export interface CallGroup {
  readonly use: CallUse
}

interface Counted extends MutableUse {
  readonly target: CallTarget
  readonly group: MutableUse | undefined
}

const noCalls = (): MutableUse => {
  const none = () => ({ count: 0, last: undefined, by: undefined })
  return { used: none(), refused: none(), elsewhere: 0, open: 0 }
}

/** A question that agrees in all but time and address, and the targets that it may be about, with their relation where it is always the same. */
type Remembered = readonly (readonly [counted: Counted, relation: Relation | undefined])[]

/**
 * Counts recorded calls by what they are about, in one pass: targets are asked for first, then the records are added, then the results
 * are read. Memory grows with the targets, and not with the records.
 */
export class CallCounter {
  private readonly worlds: readonly World[]
  private readonly all: Counted[] = []
  private index: TargetIndex | undefined
  private readonly remembered = new Map<string, Remembered>()
  private calls = 0
  private first: number | undefined
  private last: number | undefined
  private undated = 0
  private root = 0
  private readonly undecided = { count: 0, actions: new Set<string>() }
  private readonly unplaced = { count: 0, actions: new Set<string>() }

  /** `worlds`: who is in which groups, and who owns which resources. */
  constructor(...worlds: readonly World[]) {
    this.worlds = worlds
  }

  /** Counts the calls about a target among the records that are added from now on. The result is to be read in the end. */
  ask(target: CallTarget, group?: CallGroup): () => CallUse {
    const counted: Counted = { target, group: group?.use as MutableUse | undefined, ...noCalls() }
    this.all.push(counted)
    this.index = undefined
    this.remembered.clear()
    return () => counted
  }

  /** A group to ask for targets of, whose calls together are in `use` in the end. */
  group(): CallGroup {
    return { use: noCalls() }
  }

  readonly add = (record: Recorded): void => {
    const { at, several, identity, needs } = record
    const count = several?.count ?? 1
    this.calls += count
    if (at === undefined) this.undated += count
    for (const instant of [several?.first, at]) {
      if (instant === undefined) continue
      this.first = Math.min(this.first ?? instant, instant)
      this.last = Math.max(this.last ?? instant, instant)
    }
    if (isOfOwner(record, this.worlds)) {
      this.root += count
      return
    }
    const knowledge: KnownOfCall = {
      time: at !== undefined && (count === 1 || several?.first === at),
      groups: record.groups !== undefined || this.worlds.every((world) => areGroupsKnown(world, identity)) || !mayBeInGroups(identity),
    }
    const kinds = needs.map((need) => kindOf(record, need))
    leave(this.undecided, record, kinds, 'undecided', count)
    leave(this.unplaced, record, kinds, 'unknown-resource', count)
    // A call counts once for a target, whichever of its actions are about it.
    const best = new Map<MutableUse, Found>()
    const note = (use: MutableUse, relation: Found['relation'], isRefused: boolean) => {
      const found = best.get(use)
      if (!found || ranks[relation] < ranks[found.relation]) best.set(use, { relation, isRefused })
    }
    for (const [i, need] of needs.entries()) {
      const kind = kinds[i]
      if (kind !== 'used' && kind !== 'refused' && kind !== 'unknown-resource') continue
      for (const [counted, relation] of this.relations(record, need, knowledge)) {
        if (relation === 'out') continue
        note(counted, relation, kind === 'refused')
        if (counted.group) note(counted.group, relation, kind === 'refused')
      }
    }
    for (const [counted, { relation, isRefused }] of best) {
      if (relation === 'in') again(isRefused ? counted.refused : counted.used, count, record)
      else if (!isRefused) counted[relation] += count
    }
  }

  /** The numbers of all records. */
  end(): CallTotals {
    const { calls, first, last, undated, root, undecided, unplaced } = this
    const left = ({ count, actions }: typeof undecided): LeftCalls => ({ count, actions: [...actions] })
    return { calls, first, last, undated, root, undecided: left(undecided), unplaced: left(unplaced) }
  }

  private *relations(record: Recorded, need: Need, knowledge: KnownOfCall): Iterable<readonly [counted: Counted, relation: Relation]> {
    const { identity, groups = [], ip, at } = record
    const { action, resource } = need
    const key = keyOf(identity, groups, action, resource ?? undefined, knowledge.groups)
    let remembered = this.remembered.get(key)
    if (!remembered) {
      if (this.remembered.size >= mostRemembered) this.remembered.clear()
      remembered = this.candidates(record, need, knowledge)
      this.remembered.set(key, remembered)
    }
    const question = { identity, groups, action, resource: resource ?? '', at: at ?? 0, ...(ip && { ip }) }
    for (const [counted, fixed] of remembered) {
      yield [counted, fixed ?? counted.target.judge(question, knowledge)]
    }
  }

  /** The targets that a question may be about. */
  private candidates({ identity, groups = [] }: Recorded, { action, resource }: Need, knowledge: KnownOfCall): Remembered {
    this.index ??= new TargetIndex(this.all)
    const members = [identity, ...groups, ...this.worlds.flatMap((world) => world.identities.get(identity)?.groups ?? [])]
    return this.index.about(members, action, resource, !knowledge.groups).flatMap((counted): Remembered => {
      // A call on a resource that is not recorded may be about any.
      if (resource === null) return [[counted, 'open']]
      const { isOfEachCall, judge } = counted.target
      if (isOfEachCall) return [[counted, undefined]]
      const relation = judge({ identity, groups, action, resource, at: 0 }, { ...knowledge, time: true })
      return relation === 'out' ? [] : [[counted, relation]]
    })
  }
}

interface Found {
  readonly relation: Exclude<Relation, 'out'>
  readonly isRefused: boolean
}

const ranks: Readonly<Record<Found['relation'], number>> = { in: 0, open: 1, elsewhere: 2 }

function again(times: Counts, count: number, { at, identity }: Recorded): void {
  times.count += count
  if (times.by === undefined) times.by = identity
  if (at === undefined || (times.last !== undefined && at < times.last)) return
  times.last = at
  times.by = identity
}

function leave(
  excluded: { count: number; readonly actions: Set<string> },
  { needs, verdict }: Recorded,
  kinds: readonly string[],
  kind: string,
  count: number,
): void {
  const isWhole = kind === 'undecided' && verdict === 'unknown' && needs.length === 0
  if (!isWhole && !kinds.includes(kind)) return
  excluded.count += count
  for (const [i, { action }] of needs.entries()) if (kinds[i] === kind && excluded.actions.size < mostNamed) excluded.actions.add(action)
}

const mayBeInGroups = (identity: string) => identity.split(':')[4] !== 'account'

/** Whether the owning account made a call: it may do everything. */
function isOfOwner({ identity, account, needs }: Recorded, worlds: readonly World[]): boolean {
  const [, , , , kind, owner] = identity.split(':')
  if (kind !== 'account') return false
  return needs.every(({ resource }) =>
    worlds.every((world) => (world.resources.get(resource ?? '')?.owner ?? world.account ?? account) === owner),
  )
}

/** Finds the targets that a question may be about: for each of its names the set of those that have a pattern for it. */
class TargetIndex {
  private readonly all: readonly Counted[]
  private readonly sets = new Map<string, Uint32Array>()

  constructor(all: readonly Counted[]) {
    this.all = all
  }

  about(members: readonly string[], action: string, resource: string | null, isGroupOpen: boolean): readonly Counted[] {
    // Bounded as well: the sets of a million names would not fit.
    if (this.sets.size * this.all.length > mostBits) this.sets.clear()
    const names = [
      this.set(
        'identities',
        keyOf(members, isGroupOpen),
        (pattern) => members.some((member) => matches(pattern, member)) || (isGroupOpen && overlaps(pattern, anyGroup)),
      ),
      this.set('actions', action, (pattern) => matches(pattern, action)),
      ...(resource === null ? [] : [this.set('resources', resource, (pattern) => matches(pattern, resource))]),
    ]
    const out: Counted[] = []
    const [first = new Uint32Array(), ...others] = names
    for (const [word, wordBits] of first.entries()) {
      let bits = others.reduce((sum, other) => sum & (other[word] as number), wordBits)
      for (let bit = 0; bits !== 0; bit++, bits >>>= 1) if (bits & 1) out.push(this.all[word * 32 + bit] as Counted)
    }
    return out
  }

  private set(of: keyof Reach, name: string, has: (pattern: Glob) => boolean): Uint32Array {
    return madeIn(this.sets, keyOf(of, name), () => {
      const bits = new Uint32Array(Math.ceil(this.all.length / 32))
      for (const [i, { target }] of this.all.entries()) {
        if (target[of]?.some(has) !== false) bits[i >> 5] = (bits[i >> 5] as number) | (1 << (i & 31))
      }
      return bits
    })
  }
}

/** How many bits the sets of an index have together: some 32 MB. */
const mostBits = 256_000_000
