import { resolve } from 'node:path'
import type { BlameReport } from '../../answers/blame.ts'
import { Blame, type Blamed } from '../../history/blame.ts'
import type { Commit } from '../../history/commit.ts'
import { type PolicyEntry, policiesByFile, policyEntries } from '../../history/effects.ts'
import type { State } from '../../history/state.ts'
import type { Known } from '../../history/steps.ts'
import type { World } from '../../policy.ts'
import { emptyWorld } from '../../world.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, type Io, ioWith } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { branchOf } from './branch.ts'
import { commitIds } from './commits.ts'
import { lastState, lookThrough, type PastOptions } from './past.ts'
import { gitPathOf } from './policies.ts'

/** Entries of policies with the commits of a branch since which they have their effect. */
export interface BlameRead {
  readonly report: Omit<BlameReport, 'path'>
  /** Of the last commit. */
  readonly world: World
  /** Of all commits, oldest first. */
  readonly ids: readonly string[]
  /** How many entries the budget did not suffice for. */
  readonly left: number
}

export interface BlameRequest {
  /** Paths of policies, which may be in commits. */
  readonly given: readonly string[]
  /** The command or option that asks, as it is written. */
  readonly asker: string
  readonly options: PastOptions['options']
  /** The entries to look up, of the policies of the last commit. */
  readonly select: (world: World, branch: string) => readonly PolicyEntry[]
  /**
   * The proofs of all entries together have a tenth of the budget of a run, some ten seconds, in the place of one each: entries that it does
   * not suffice for are left out.
   */
  readonly isBounded?: boolean
  /** Looks at each commit as well, oldest first. */
  readonly also?: ((commit: Commit, known: Known<State>) => void) | undefined
  /** Called between two pieces of work; a server answers other requests meanwhile. */
  readonly pause?: () => Promise<void>
}

/** How many proofs are made for an entry; of all entries of the policies, fewer for each. */
const mostProofs = 200
const fewProofs = 5

/** Since when entries have their effect. Throws a refusal where there is no past, and where the last commit cannot be read. */
export async function readBlame({ given, asker, options, select, isBounded, also, pause }: BlameRequest, around: Io): Promise<BlameRead> {
  const io = ioWith(around, { git: new GitMemory() })
  const { branch, paths } = branchOf(given, asker)
  const past = { options, paths }
  const ids = commitIds(branch, asker, false, io)
  const last = await lastState(ids, past, io)
  if (last.why !== undefined) throw new Refusal(`${asker}: the last commit of \`${branch}\` cannot be read: ${last.why}`)
  const world = last.state.world() ?? emptyWorld
  const entries = select(world, branch)
  const blame = new Blame(entries)
  const ends = await lookThrough(ids, { allParents: false, given: past }, io, async ({ commit, known }) => {
    blame.add(commit, known)
    also?.(commit, known)
    await pause?.()
  })
  const run = isBounded ? budgetFor(io, 1 / 10) : undefined
  const blamed: Blamed[] = []
  const limits = { budget: () => run ?? budgetFor(io), proofs: isBounded ? fewProofs : mostProofs }
  for (const each of blame.results(limits)) {
    if (run?.isSpent) break
    blamed.push(each)
    await pause?.()
  }
  const report = { branch, blamed, ...ends, count: ids.length, unread: blame.unreadSince }
  return { report, world, left: entries.length - blamed.length, ids }
}

/** Since when the entries of a file have their effect. Throws a refusal where the last commit has no policy there. */
export async function readFileBlame(
  file: string,
  { given, asker, options, pause }: Omit<BlameRequest, 'select'>,
  io: Io,
): Promise<BlameRead & { readonly report: BlameReport }> {
  const path = displayPath(resolve(io.cwd, file), io.cwd)
  const select = (world: World, branch: string) => {
    const policies = policiesByFile(world).get(path)
    if (policies) return policies.flatMap(policyEntries)
    throw new Refusal(
      `${path}: the last commit of \`${branch}\` has no policy there`,
      gitPathOf(file)
        ? 'name the branch with `-p git:BRANCH`, and the file by its path'
        : 'name a file of policies as it is called in that commit',
    )
  }
  const { report, ...others } = await readBlame({ given, asker, options, select, ...(pause && { pause }) }, io)
  return { report: { ...report, path }, ...others }
}
