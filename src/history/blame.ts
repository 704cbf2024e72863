import type { Budget } from '../budget.ts'
import { groupedBy, pushTo } from '../collections.ts'
import { keyOf } from '../keys.ts'
import { Memo } from '../memo.ts'
import type { Policy } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import type { Commit } from './commit.ts'
import { type Effect, effectOf, entryIn, meets, type PolicyEntry, type Reach, reachOf } from './effects.ts'
import { deltaBetween, policiesIn, type State } from './state.ts'
import type { Known, Unread } from './steps.ts'

/** Since when an entry has had its effect, or has had none. */
export interface Blamed {
  readonly entry: PolicyEntry
  /** As it is under the policies of the last commit. */
  readonly effect: Effect
  /** The commit with which that began. */
  readonly since: Commit
  /** It has never had an effect, in any commit that could be read. */
  readonly isNever: boolean
  /** It may have begun earlier: there are too many commits to prove it for each. */
  readonly isCut: boolean
  /** The commits right before `since` that could not be read: that may have begun with one of them. */
  readonly unread: readonly Unread[]
  /** The commits since then that could not be read, between others with this effect. */
  readonly between: readonly Unread[]
}

/** A commit at which the effect of an entry may be another one than before. */
export interface Moment {
  readonly commit: Commit
  readonly state: State
  /** The commits since the moment before that could not be read. */
  readonly unread: readonly Unread[]
}

/** The entries of a policy on the way through the commits. */
interface Trail {
  readonly name: string
  readonly entries: readonly PolicyEntry[]
  readonly moments: Moment[]
  /** The reach of each version of the policy, in the states since all policies were last looked at. */
  reaches: Reach[]
}

/** Follows the entries of one state through the commits before it. */
export class Blame {
  private readonly trails: readonly Trail[]
  private readonly memo = new Memo()
  private before: State | undefined
  private unread: Unread[] = []

  constructor(entries: readonly PolicyEntry[]) {
    const byPolicy = groupedBy(entries, ({ policy }) => policy)
    this.trails = [...byPolicy].map(([{ name }, own]) => ({ name: name.value, entries: own, moments: [], reaches: [] }))
  }

  /** Add the next commit, oldest first. */
  add(commit: Commit, reading: Known<State>): void {
    if (reading.why !== undefined) {
      this.unread.push({ commit, why: reading.why })
      return
    }
    const { state } = reading
    const { before, unread } = this
    if (before !== state || unread.length > 0) {
      const delta = deltaBetween(before, state)
      const changed = delta && policiesIn(delta)
      const moment = { commit, state, unread }
      for (const trail of this.trails) if (isTouched(trail, changed, state, this.memo) || unread.length > 0) trail.moments.push(moment)
    }
    this.before = state
    this.unread = []
  }

  /** The commits after the last one that could be read. */
  get unreadSince(): readonly Unread[] {
    return this.unread
  }

  /** Every entry with the commit since which its effect is what it is in the last commit. */
  *results(limits: BlameLimits): Iterable<Blamed> {
    for (const { entries, moments } of this.trails)
      for (const entry of entries) {
        const blamedEntry = blamed(entry, moments, limits, this.memo)
        if (blamedEntry) yield blamedEntry
      }
  }
}

/** Whether entries may have another effect in a state. `changed`: the policies that are others than before; undefined where that may be all. */
function isTouched(trail: Trail, changed: readonly Policy[] | undefined, state: State, { keep }: Memo): boolean {
  const all = changed ?? state.world()?.policies ?? []
  const sameName = all.filter((policy) => policy.name.value === trail.name)
  if (!changed) trail.reaches = []
  trail.reaches.push(...sameName.map(reachOf))
  return !changed || sameName.length > 0 || changed.some((policy) => trail.reaches.some((reach) => meets(keep(reachOf, policy), reach)))
}

/** Finds the results for entries of another state, such as the working tree, as `entryIn` finds entries. */
export function blamedIn(results: Iterable<Blamed>): (entry: PolicyEntry) => Blamed | undefined {
  const byEntry = new Map<string, Blamed[]>()
  const policies = new Set<string>()
  const keyIn = ({ policy, list, text, nth }: PolicyEntry) => keyOf(policy.name.value, list, text, nth)
  const pathOf = ({ policy }: PolicyEntry) => policy.span.source.path
  const policyKey = ({ policy }: PolicyEntry) => keyOf(policy.name.value, policy.span.source.path)
  for (const each of results) {
    pushTo(byEntry, keyIn(each.entry), each)
    policies.add(policyKey(each.entry))
  }
  return (entry) => {
    const same = byEntry.get(keyIn(entry)) ?? []
    return same.find((each) => pathOf(each.entry) === pathOf(entry)) ?? (policies.has(policyKey(entry)) ? undefined : same[0])
  }
}

/** How far the effect of an entry is followed. */
export interface BlameLimits {
  /** The budget of a proof. */
  readonly budget: () => Budget
  /** How many proofs are made for one entry: past them, its effect is not followed further back. */
  readonly proofs: number
}

function blamed(
  entry: PolicyEntry,
  moments: readonly Moment[],
  { budget, proofs: mostProofs }: BlameLimits,
  { keep }: Memo,
): Blamed | undefined {
  let proofs = 0
  const effectAt = ({ state }: Moment, hint?: Question): Effect | undefined => {
    const world = state.world()
    const there = world && entryIn(world, entry)
    if (!there) return undefined
    const effect = effectOf(world, there, { budget, hint, keep })
    if (effect.kind !== 'effective' || effect.question !== hint) proofs++
    return effect
  }
  const last = moments.at(-1)
  const effect = last && effectAt(last)
  if (!last || !effect) return undefined
  let since = last
  let current: Effect = effect
  const between: Unread[] = []
  // Where an earlier effect is not decided, it may have been this one.
  let isCut = false
  let place = moments.length - 2
  for (; place >= 0 && proofs < mostProofs; place--) {
    const moment = moments[place] as Moment
    const earlier = effectAt(moment, current.kind === 'effective' ? current.question : undefined)
    if (earlier?.kind !== effect.kind) {
      isCut = earlier?.kind === 'undecided'
      break
    }
    current = earlier
    between.unshift(...since.unread)
    since = moment
  }
  isCut ||= place >= 0 && proofs >= mostProofs
  let wasEffective = false
  for (; effect.kind === 'none' && !wasEffective && !isCut && place >= 0; place--) {
    const earlier = effectAt(moments[place] as Moment)?.kind
    wasEffective = earlier === 'effective'
    isCut = !wasEffective && (earlier === 'undecided' || (proofs >= mostProofs && place > 0))
  }
  const isNever = effect.kind === 'none' && !wasEffective && !isCut
  return { entry, effect, since: since.commit, isNever, isCut, unread: since.unread, between }
}
