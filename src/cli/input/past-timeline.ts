import type { Catalogue } from '../../actions/catalogue.ts'
import type { TimelineOptions } from '../../diff/timeline.ts'
import type { Commit } from '../../history/commit.ts'
import { Differences } from '../../history/differences.ts'
import { instantsOf, type Past, PastFinder } from '../../history/past.ts'
import type { State } from '../../history/state.ts'
import type { World } from '../../policy.ts'
import type { ActionsByType } from '../../symbolic/described.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, type Io, ioWith } from '../app/io.ts'
import { progressOf } from '../output/progress.ts'
import { lineSince, type PastCommit } from './as-of.ts'
import { branchOf } from './branch.ts'
import { commitDates, commitsRead } from './commits.ts'
import { type PastOptions, pastPoints } from './past.ts'

interface Asked {
  /** The identities that are asked about, by a URN or a pattern; `*` for all. */
  readonly identity: string
  /** See `PastFinder`. */
  readonly time: (world: World) => Omit<TimelineOptions, 'from' | 'to' | 'run'>
  readonly catalogue: Catalogue
  readonly actions: ActionsByType
  /** The end of the past, and the policies then. */
  readonly to: number
  readonly now: World
}

/** The commit of `--since`, and that as it was given. */
export interface SinceCommit extends PastCommit {
  readonly text: string
}

/** `--since`: the changes of access since the commit that the branch was at. */
export async function pastSince(
  { text, commit, at }: SinceCommit,
  options: PastOptions['options'],
  asked: Asked,
  around: Io,
): Promise<Past> {
  const io = ioWith(around, { git: new GitMemory() })
  const { branch, paths } = branchOf(options.policies, '--since')
  const ids = lineSince(branch, { commit, at }, text, io)
  const dates = commitDates(ids, io)
  const from = Math.min(at ?? (dates[0] as number), asked.to)
  const { to, identity, catalogue, actions, time } = asked
  const run = budgetFor(io)
  const differences = new Differences({ identity, action: '*', resource: '*' }, { catalogue, described: actions, budget: () => run })
  const finder = new PastFinder({ change: differences.change, time, run })
  const instants = instantsOf(dates, from, to)
  const progress = progressOf({ progress: true }, io, 'commits')
  const commits: Commit[] = []
  let isCut = false
  let state: State | undefined
  for await (const point of pastPoints(ids, false, { options, paths }, io)) {
    progress?.(commits.length, ids.length)
    isCut = run.isSpent
    if (isCut) break
    finder.add(point, instants[commits.length] as number)
    commits.push(point.commit)
    state = point.known.state
  }
  progress?.end()
  const [first, newest] = [commits[0], commits.at(-1)] as [Commit, Commit]
  const [last = newest] = isCut ? commitsRead(ids.slice(-1), io) : []
  const now: State = { isEmpty: false, world: () => asked.now, facts: () => [], id: Symbol('now'), delta: undefined }
  const edited = isCut || !state ? undefined : differences.change({ state, at: undefined }, { state: now, at: undefined, from: to })
  return {
    branch,
    isEdited: edited?.difference.verdict === 'changed',
    since: first,
    last,
    count: ids.length - 1,
    looked: commits.length - 1,
    from,
    to,
    ...finder.end(isCut ? (instants[commits.length] as number) : to),
    ...(isCut && { cut: newest }),
  }
}
