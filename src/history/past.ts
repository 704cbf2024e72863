import type { Budget } from '../budget.ts'
import { type Timeline, type TimelineOptions, timeline } from '../diff/timeline.ts'
import type { World } from '../policy.ts'
import type { Commit } from './commit.ts'
import type { AccessChange } from './differences.ts'
import type { Moment, State } from './state.ts'
import { type Gap, type Point, type Step, StepFinder } from './steps.ts'

/** A commit that opened or closed access, and the instant from which on the branch had it. */
export interface DatedStep extends Step<AccessChange> {
  readonly at: number
}

/** A time in which no commit changed the policies, with the changes that time made to access. */
export interface Stretch {
  readonly commit: Commit
  readonly world: World
  readonly timeline: Timeline
}

/** The changes of access from an instant to another, by the commits of a branch and by time. */
export interface Past {
  readonly branch: string
  /** The commit that the branch had at first, and the last one. */
  readonly since: Commit
  readonly last: Commit
  /** How many commits followed the first one, and how many of them were looked at. */
  readonly count: number
  readonly looked: number
  readonly from: number
  readonly to: number
  /** Oldest first. */
  readonly steps: readonly DatedStep[]
  readonly stretches: readonly Stretch[]
  readonly gaps: readonly Gap[]
  /** Access is another one now than the policies of the last commit grant: files were edited, or something is supposed. */
  readonly isEdited: boolean
  /** The last commit that was looked at, where the budget of the run was used up with it; undefined: all were. */
  readonly cut?: Commit
}

/**
 * From when on a branch had each of its commits, between two instants: as for `--as-of`, at an instant it had the newest one of those
 * that were made by then. Dates of commits may go back; a later commit with an earlier date takes its place from then on.
 */
export function instantsOf(dates: readonly number[], from: number, to: number): readonly number[] {
  let least = to
  return dates
    .toReversed()
    .map((date) => {
      least = Math.min(least, date)
      return Math.max(least, from)
    })
    .reverse()
}

export interface PastOptions {
  /** How access changes: see `Differences`. */
  readonly change: (before: Moment | undefined, after: Moment) => AccessChange | undefined
  /** Options of the time in a world, apart from when. */
  readonly time: (world: World) => Omit<TimelineOptions, 'from' | 'to' | 'run'>
  /** For all of the past. */
  readonly run: Budget
}

/** Collects the changes of access from commits in their order, the oldest first. Access at the first of them is what the others are compared with. */
export class PastFinder {
  private readonly options: PastOptions
  private readonly finder: StepFinder<Moment, AccessChange>
  private readonly instants: number[] = []
  private readonly stretches: Stretch[] = []
  private open: { readonly commit: Commit; readonly state: State; readonly from: number } | undefined

  constructor(options: PastOptions) {
    this.options = options
    this.finder = new StepFinder((before, after) => (before === undefined ? undefined : options.change(before, after)))
  }

  /** `at`: from when on the branch had the commit. */
  add({ commit, known, ...point }: Point<State>, instant: number): void {
    const { state } = known
    this.finder.add({ commit, ...point, known: state ? { state: { state, at: undefined, from: instant } } : { why: known.why as string } })
    const isStep = this.finder.steps.length > this.instants.length
    if (isStep) this.instants.push(instant)
    // Policies that grant the same may still name other resources.
    if (state !== this.open?.state) this.close(instant)
    if (state) this.open ??= { commit, state, from: instant }
  }

  /** All that was found, up to an instant. */
  end(to: number): Pick<Past, 'steps' | 'stretches' | 'gaps'> {
    this.close(to)
    const steps = this.finder.steps.map((step, i) => ({ ...step, at: this.instants[i] as number }))
    return { steps, stretches: this.stretches, gaps: this.finder.gaps }
  }

  /** Look at the time since the last change. What the time changes at the instant of a commit is before what the commit changes. */
  private close(to: number): void {
    const { open } = this
    this.open = undefined
    const world = open && to > open.from ? open.state.world() : undefined
    if (!open || !world) return
    const { commit, from } = open
    this.stretches.push({ commit, world, timeline: timeline(world, { ...this.options.time(world), from, to, run: this.options.run }) })
  }
}
