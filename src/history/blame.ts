import type { Budget } from '../budget.ts'
import type { Commit } from './commit.ts'
import { type Effect, effectOf, entryIn, isUntouched, type PolicyEntry } from './effects.ts'
import type { State } from './state.ts'
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
  /** The commits right before `since` that could not be read: that may have begun with one of them. */
  readonly unread: readonly Unread[]
}

/** A commit at which the effect of an entry may be another one than before. */
interface Moment {
  readonly commit: Commit
  readonly state: State
  /** The commits since the moment before that could not be read. */
  readonly unread: readonly Unread[]
}

/** Follows the entries of one state through the commits before it. */
export class Blame {
  private readonly trails: readonly { readonly entry: PolicyEntry; readonly moments: Moment[] }[]
  private before: State | undefined
  private unread: Unread[] = []

  constructor(entries: readonly PolicyEntry[]) {
    this.trails = entries.map((entry) => ({ entry, moments: [] }))
  }

  /** Add the next commit, oldest first. */
  add(commit: Commit, known: Known<State>): void {
    if (known.why !== undefined) {
      this.unread.push({ commit, why: known.why })
      return
    }
    const { state } = known
    const { before, unread } = this
    for (const { entry, moments } of this.trails) {
      const isSame = before !== undefined && (before === state || isUntouched(before, state, entry))
      if (!isSame || unread.length > 0) moments.push({ commit, state, unread })
    }
    this.before = state
    this.unread = []
  }

  /** The commits after the last one that could be read. */
  get unreadSince(): readonly Unread[] {
    return this.unread
  }

  /** Every entry with the commit since which its effect is what it is in the last commit. */
  results(budget: () => Budget): readonly Blamed[] {
    return this.trails.flatMap(({ entry, moments }) => blamed(entry, moments, budget) ?? [])
  }
}

function blamed(entry: PolicyEntry, moments: readonly Moment[], budget: () => Budget): Blamed | undefined {
  const effectAt = ({ state }: Moment): Effect | undefined => {
    const world = state.world()
    const there = world && entryIn(world, entry)
    return there && effectOf(world, there, budget)
  }
  const last = moments.at(-1)
  const effect = last && effectAt(last)
  if (!last || !effect) return undefined
  let since = last
  let place = moments.length - 2
  for (; place >= 0; place--) {
    const earlier = moments[place] as Moment
    if (effectAt(earlier)?.kind !== effect.kind) break
    since = earlier
  }
  const isNever = effect.kind === 'none' && !moments.slice(0, place + 1).some((moment) => effectAt(moment)?.kind === 'effective')
  return { entry, effect, since: since.commit, isNever, unread: since.unread }
}
