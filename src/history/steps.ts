import type { Commit } from './commit.ts'

/**
 * The commits at which an answer changed. It is not looked for by halves: an answer may change any number of times, so that each commit
 * counts (docs/history.md).
 */

/** The policies at a commit: a state, or why it could not be read. */
export type Known<S> = { readonly state: S; readonly why?: undefined } | { readonly state?: undefined; readonly why: string }

/** A commit and its state. */
export interface Point<S> {
  readonly commit: Commit
  /** The places of the earlier points that it is compared with: those of its parents. */
  readonly parents: readonly number[]
  /** The places of points with which no later one is compared. */
  readonly done: readonly number[]
  readonly known: Known<S>
}

/** A commit that could not be read, and why. */
export interface Unread {
  readonly commit: Commit
  readonly why: string
}

/** A commit with which the answer is another one. */
export interface Step<C> {
  readonly commit: Commit
  readonly change: C
  /** The commits right before it that could not be read, oldest first: any of them may have changed the answer instead. */
  readonly unread: readonly Unread[]
}

/** A stretch that could not be read, with the same answer before and after it. */
export interface Gap {
  readonly unread: readonly Unread[]
  /** Undefined where there is no readable commit on that side. */
  readonly after: Commit | undefined
  readonly until: Commit | undefined
}

/** The last readable point on the way to one, by first parents, and the unreadable ones since then, those of merged branches included. */
interface Before<S> {
  readonly commit: Commit | undefined
  readonly state: S | undefined
  readonly unread: readonly Unread[]
}

const nothingBefore = { commit: undefined, state: undefined, unread: [] }

/**
 * Finds the steps among points, which come in the order of their commits: parents first. A point with several parents is a step where
 * its answer is another one than that of each: otherwise a commit of the side that was merged is the step.
 */
export class StepFinder<S, C> {
  /** Oldest first. */
  readonly steps: Step<C>[] = []
  private readonly found: Gap[] = []
  /** By the places of points, as long as later ones are compared with them. */
  private readonly ends = new Map<number, Before<S>>()
  private readonly compare: (before: S | undefined, after: S) => C | undefined
  private last: Before<S> = nothingBefore
  private count = 0

  /** `compare`: undefined where two states give the same answer. */
  constructor(compare: (before: S | undefined, after: S) => C | undefined) {
    this.compare = compare
  }

  add({ commit, parents, done, known }: Point<S>): void {
    const all = parents.map((parent) => this.ends.get(parent) ?? nothingBefore)
    const [first = nothingBefore] = all
    const unread = [...new Set(all.flatMap((each) => each.unread))]
    for (const place of done) this.ends.delete(place)
    this.last =
      known.why === undefined ? { commit, state: known.state, unread: [] } : { ...first, unread: [...unread, { commit, why: known.why }] }
    this.ends.set(this.count++, this.last)
    if (known.why !== undefined) return
    const changes = (all.length === 0 ? [first] : all).map(({ state }) => this.compare(state, known.state))
    const [change] = changes
    if (change !== undefined && changes.every((each) => each !== undefined)) this.steps.push({ commit, change, unread })
    else if (unread.length > 0) this.found.push({ unread, after: first.commit, until: commit })
  }

  /** The stretches that could not be read. */
  get gaps(): readonly Gap[] {
    const { unread, commit } = this.last
    return unread.length === 0 ? this.found : [...this.found, { unread, after: commit, until: undefined }]
  }
}
