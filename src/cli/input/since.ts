import type { Commit } from '../../history/commit.ts'
import type { World } from '../../policy.ts'
import { shown } from '../../report/safe.ts'
import { firstFew, presentParts } from '../../report/words.ts'
import { GitMemory } from '../app/git-memory.ts'
import { type Io, ioWith } from '../app/io.ts'
import { sinceThen } from './as-of.ts'
import { commitsRead } from './commits.ts'
import { type Config, loadConfig } from './config.ts'
import { changedDeployment } from './deployed.ts'
import { inPlaces } from './places.ts'
import { policySelection } from './policies.ts'
import { assumedEqual } from './taken.ts'
import {
  decidable,
  decidedOf,
  type FilesRead,
  type LoadedWorld,
  openedOf,
  type QuestionOptions,
  readFiles,
  settingsOf,
  worldIn,
} from './world.ts'

/** The policies of now, and those of the commit that a branch was at. */
export interface Compared {
  readonly now: LoadedWorld
  readonly before: World
  readonly commit: Commit
  /** Why there may be other differences: what is assumed, and how the two are deployed. `isSame`: no access was found to differ. */
  readonly openReasons: (isSame: boolean) => Promise<readonly string[]>
}

/** The files of now, and those of the commit that a branch was at, as they are compared. */
export interface SidesSince {
  readonly commit: Commit
  /** The configuration of now. */
  readonly config: Config
  /** The paths of both sides. */
  readonly sides: readonly [then: readonly string[], now: readonly string[]]
  readonly reads: readonly [then: FilesRead, now: FilesRead]
  /** Undefined where a file has an error, which was printed. `nothing`: see `decidable`. */
  readonly worldOf: (side: 0 | 1, nothing?: string) => World | undefined
}

/** Read both sides of `--since`, or of another option that asks. */
export async function sidesSince(since: string, options: QuestionOptions, around: Io, asker?: string): Promise<SidesSince> {
  const io = ioWith(around, { git: new GitMemory() })
  const { commit: id, paths } = sinceThen(since, options.policies, io, asker)
  const [commit] = commitsRead([id], io) as Iterable<Commit> as [Commit]
  // The policies of the past are where the configuration of that time says.
  const [then, config] = [await loadConfig({ ...options, configAt: id }, io), await loadConfig(options, io)]
  const sides = [paths, options.policies] as const
  const all: FilesRead[] = [
    await readFiles(await policySelection(paths, then, io, { mayBeEmpty: true }), settingsOf(then, options), io),
    await readFiles(
      await policySelection(options.policies, config, io, { added: options.with ?? [], mayBeEmpty: true }),
      settingsOf(config, options),
      io,
    ),
  ]
  const reads = inPlaces(await decidedOf(all, options, io), sides, io.cwd, options.root.length > 1) as [FilesRead, FilesRead]
  const compared = reads.flatMap(({ facts }) => facts)
  const worldOf: SidesSince['worldOf'] = (side, nothing) =>
    decidable(reads[side], io, { compared, ...(nothing !== undefined && { nothing }) })
  return { commit, config, sides, reads, worldOf }
}

/** The worlds that `--since` compares; undefined where a file of one has an error, which was printed. `problems`: see `worldIn`. */
export async function comparedSince(
  since: string,
  options: QuestionOptions,
  around: Io,
  problems: Parameters<typeof worldIn>[3],
): Promise<Compared | undefined> {
  const io = ioWith(around, { git: new GitMemory() })
  const { commit, config, sides, reads, worldOf } = await sidesSince(since, options, io)
  const [before, world] = [worldOf(0), worldOf(1)]
  if (!before) return undefined
  const opened = openedOf({ config, settings: settingsOf(config, options), read: reads[1], world }, options, io)
  const now = await worldIn(opened, options, io, problems)
  if (!now) return undefined
  const openReasons = async (isSame: boolean) => {
    const taken = assumedEqual(reads).map(shown)
    const deployment = (await changedDeployment(sides, reads, config, io, isSame)).deployment.map(({ path }) => shown(path))
    return presentParts(
      taken.length > 0 && `compared as if the same on both sides: ${firstFew(taken, 3)}`,
      deployment.length > 0 && `what is deployed may differ by ${firstFew(deployment, 3)}: \`grantwise diff --since\` says why`,
    )
  }
  return { now, before, commit, openReasons }
}
