import type { Budget } from '../budget.ts'
import { Memo } from '../memo.ts'
import type { Policy, World } from '../policy.ts'
import { emptyWorld } from '../world.ts'
import type { Moment } from './blame.ts'
import type { Commit } from './commit.ts'
import { meets, type Reach, reachOf } from './effects.ts'
import { type ComparedWorld, comparedWorlds, novelty } from './new-access.ts'
import { deltaBetween, policiesIn, type State } from './state.ts'
import type { Known, Unread } from './steps.ts'

/** Since when all of the access exists that a part of a policy grants. */
export type Age =
  /** The last commit does not grant all of it. */
  | { readonly kind: 'uncommitted' }
  /** It is not decided whether the last commit grants all of it. */
  | { readonly kind: 'undecided' }
  | {
      readonly kind: 'since'
      /** The commit with which the last of it was granted. */
      readonly commit: Commit
      /** It may be older: not all commits were compared, or an earlier comparison is not decided. */
      readonly isCut: boolean
      /** The commits right before that one that could not be read: it may be of one of them. */
      readonly unread: readonly Unread[]
      /** The commits since then that could not be read. */
      readonly between: readonly Unread[]
    }

/** A commit at which access may be other than before, and the parts whose access that may be. */
interface TouchingMoment extends Moment {
  readonly touched: ReadonlySet<number>
}

export interface AgeOptions {
  /** Access that ended before this instant does not count. */
  readonly from: number
  /** Of all comparisons together. */
  readonly run: Budget
}

/** Follows the access that parts of the policies of a world grant through the commits before it. */
export class AccessAges {
  private readonly parts: readonly Policy[]
  private readonly reaches: readonly Reach[]
  private readonly now: World
  private readonly moments: TouchingMoment[] = []
  private readonly memo = new Memo()
  private before: State | undefined
  private unread: Unread[] = []

  constructor(parts: readonly Policy[], now: World) {
    this.parts = parts
    this.reaches = parts.map(reachOf)
    this.now = now
  }

  /** Add the next commit, oldest first. */
  add(commit: Commit, reading: Known<State>): void {
    if (reading.why !== undefined) {
      this.unread.push({ commit, why: reading.why })
      return
    }
    const { state } = reading
    if (this.before !== state || this.unread.length > 0) {
      const touched = this.touched(state)
      if (touched.size > 0) {
        this.moments.push({ commit, state, unread: this.unread, touched })
        this.unread = []
      }
    }
    this.before = state
  }

  /** The age of each part, in their order. */
  results({ from, run }: AgeOptions): readonly Age[] {
    const ages: (Age | undefined)[] = this.parts.map(() => undefined)
    /** The last moment at which all access of a part was there. */
    const since = new Map<number, { readonly moment: TouchingMoment; readonly between: readonly Unread[] }>()
    const open = new Set(this.parts.keys())
    const end = (i: number, isCut: boolean) => {
      open.delete(i)
      const start = since.get(i)
      ages[i] = start
        ? { kind: 'since', commit: start.moment.commit, isCut, unread: start.moment.unread, between: start.between }
        : { kind: isCut ? 'undecided' : 'uncommitted' }
    }
    for (let place = this.moments.length - 1; place >= 0 && open.size > 0; place--) {
      const moment = this.moments[place] as TouchingMoment
      const asked = [...moment.touched].filter((i) => open.has(i))
      if (asked.length === 0) continue
      const worlds = this.comparedAt(moment)
      for (const i of asked) {
        const noveltyKind = run.isSpent ? 'undecided' : novelty(this.parts[i] as Policy, worlds, { from, run }).kind
        if (noveltyKind !== 'old') {
          end(i, noveltyKind === 'undecided')
          continue
        }
        const later = since.get(i)
        since.set(i, { moment, between: later ? [...later.moment.unread, ...later.between] : this.unread })
      }
    }
    for (const i of open) end(i, false)
    return ages as readonly Age[]
  }

  private comparedAt({ state }: Moment): readonly [ComparedWorld, ComparedWorld] {
    return comparedWorlds(state.world() ?? emptyWorld, this.now, this.memo.keep)
  }

  /** The parts whose access may be other in a state than in the one before it. */
  private touched(state: State): ReadonlySet<number> {
    const delta = this.unread.length > 0 ? undefined : deltaBetween(this.before, state)
    const changed = delta && policiesIn(delta).map((policy) => this.memo.keep(reachOf, policy))
    return new Set([...this.reaches.keys()].filter((i) => !changed || changed.some((each) => meets(each, this.reaches[i] as Reach))))
  }
}
