import { resolve } from 'node:path'
import { type BlameReport, blameAnswer, isOpenBlame } from '../../answers/blame.ts'
import { Blame } from '../../history/blame.ts'
import type { Commit } from '../../history/commit.ts'
import { policiesByFile, policyEntries } from '../../history/effects.ts'
import { Names } from '../../report/names.ts'
import { emptyWorld } from '../../world.ts'
import { exit } from '../app/exit.ts'
import { GitMemory } from '../app/git-memory.ts'
import { budgetFor, ioWith } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { branchOf } from '../input/branch.ts'
import { commitIds } from '../input/commits.ts'
import { lastState, pastPoints } from '../input/past.ts'
import { gitPathOf } from '../input/policies.ts'
import type { Answer } from '../input/world.ts'
import { writeAnswer } from '../output/answer.ts'
import { progressOf } from '../output/progress.ts'

/** `blame FILE`: every entry of the policies of a file, with the commit since which it has its effect. */
export const run: Answer<'blame'> = async ([file], options, around) => {
  const io = ioWith(around, { git: new GitMemory() })
  if (file === undefined) throw new Refusal('`blame` takes a file of policies', 'for example `grantwise blame policies/ops.yaml`')
  const { branch, paths } = branchOf(options.policies, 'blame')
  const given = { options, paths }
  const ids = commitIds(branch, 'blame', false, io)
  const last = await lastState(ids, given, io)
  if (last.why !== undefined) throw new Refusal(`the last commit of \`${branch}\` cannot be read: ${last.why}`)
  const world = last.state.world() ?? emptyWorld
  const path = displayPath(resolve(io.cwd, file), io.cwd)
  const entries = policiesByFile(world).get(path)?.flatMap(policyEntries)
  if (!entries)
    throw new Refusal(
      `${path}: the last commit of \`${branch}\` has no policy there`,
      gitPathOf(file)
        ? 'name the branch with `-p git:BRANCH`, and the file by its path'
        : 'name a file of policies as it is called in that commit',
    )
  const blame = new Blame(entries)
  const ends: Commit[] = []
  const progress = progressOf({ progress: true }, io, 'commits')
  let count = 0
  for await (const { commit, known } of pastPoints(ids, false, given, io)) {
    progress?.(count++, ids.length)
    ends[ends.length === 0 ? 0 : 1] = commit
    blame.add(commit, known)
  }
  progress?.end()
  const report: BlameReport = {
    path,
    branch,
    blamed: blame.results(() => budgetFor(io)),
    first: ends[0] as Commit,
    last: ends.at(-1) as Commit,
    count: ids.length,
    unread: blame.unreadSince,
  }
  writeAnswer(blameAnswer(report), { names: new Names([world], options.fullUrns) }, { ...options, title: 'grantwise blame' }, io)
  return isOpenBlame(report) ? exit.unknown : exit.success
}
