import { referenceWords } from '../../answers/history.ts'
import type { Commit } from '../../history/commit.ts'
import { instantsOf } from '../../history/past.ts'
import type { PageGrowth } from '../../page/data.ts'
import { type AccessInput, sampled, sensitiveCounts } from '../../page/growth.ts'
import type { World } from '../../policy.ts'
import { plural } from '../../report/words.ts'
import { notBefore } from '../../symbolic/formula.ts'
import { Windows } from '../../symbolic/windows.ts'
import { emptyWorld } from '../../world.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, type Io, ioWith } from '../app/io.ts'
import type { PastCommit } from './as-of.ts'
import { branchOf } from './branch.ts'
import { commitDates } from './commits.ts'
import type { PastState } from './past.ts'
import { type PastOptions, pastPoints } from './past.ts'

interface GrowthAsked {
  readonly then: PastCommit
  /** The commits since then, by first parents. */
  readonly ids: readonly string[]
  /** Paths of the policies of the present. */
  readonly given: readonly string[]
  readonly options: PastOptions['options']
  /** Puts the tags that are supposed on the resources of a world. */
  readonly tagged: (world: World) => World
  readonly access: Omit<AccessInput, 'times' | 'run' | 'world'>
  /** The policies of the present, and when that is. */
  readonly world: World
  readonly now: number
}

/** The states of a branch, from when on it had each. */
interface DatedState {
  readonly at: number
  readonly commit: Commit
  readonly state: PastState
}

/** `report --since`: how many identities had sensitive access at the commits since then. */
export async function sensitiveGrowth(
  { then, ids, given, options, tagged, access, world, now }: GrowthAsked,
  around: Io,
): Promise<PageGrowth> {
  const io = ioWith(around, { git: new GitMemory() })
  const { paths } = branchOf(given, '--since')
  const dates = commitDates(ids, io)
  const from = Math.min(then.at ?? (dates[0] as number), now)
  const instants = instantsOf(dates, from, now)
  const states: DatedState[] = []
  let unread = 0
  let place = 0
  for await (const { commit, known } of pastPoints(ids, false, { options, paths }, io)) {
    const instant = instants[place++] as number
    if (!known.state) unread++
    else if (known.state !== states.at(-1)?.state) states.push({ at: instant, commit, state: known.state as PastState })
  }
  const run = budgetFor(io)
  const pointOf = (at: number, commit: string, of: World) => {
    const times = { at: undefined, from: at, time: notBefore(at), windows: new Windows({ from: at }) }
    const counts = sensitiveCounts({ ...access, world: of, times, run })
    return counts && { at, commit, counts }
  }
  const chosen = sampled(states)
  const points = chosen.flatMap(({ at, commit, state }) => pointOf(at, referenceWords(commit), tagged(state.world() ?? emptyWorld)) ?? [])
  const last = pointOf(now, '', world)
  if (!last) return { points: [], notes: ['there is too much to look at in one run: sensitive access over time is not shown'] }
  const all = [...points, last]
  const omitted = chosen.length + 1 - all.length
  return {
    points: all,
    notes: [
      ...(chosen.length < states.length
        ? [`${chosen.length} of ${plural(states.length, 'state')} of the policies are shown, at equal distances`]
        : []),
      ...(unread > 0 ? [`${plural(unread, 'commit')} cannot be read`] : []),
      ...(omitted > 0 ? [`there is too much to look at in one run: ${omitted} of ${plural(chosen.length + 1, 'point')} left out`] : []),
    ],
  }
}
