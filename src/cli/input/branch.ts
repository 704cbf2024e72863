import { shown } from '../../report/safe.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { git, gitEnd, objectOf } from './git.ts'
import { gitPathOf } from './policies.ts'

/** A branch, and paths in its commits; none where those of the configuration count. */
export interface BranchPaths {
  readonly branch: string
  readonly paths: readonly string[]
}

/** The branch that paths of policies name, `git:REF` or `git:REF:PATH`, and the paths in it; `HEAD` for plain paths. `asker`: an option or a command. */
export function branchOf(policyPaths: readonly string[], asker: string): BranchPaths {
  if (policyPaths.includes('-')) throw new Refusal(`${asker}: standard input has no past`, 'name files and folders')
  const read = policyPaths.map((path) => gitPathOf(path) ?? { reference: 'HEAD', path })
  const [branch = 'HEAD', ...others] = new Set(read.map(({ reference }) => reference))
  if (others.length > 0)
    throw new Refusal(`${asker}: \`${shown(branch)}\` and \`${shown(others[0] as string)}\` are two branches`, 'name paths of one')
  const paths = read.flatMap(({ path }) => path ?? [])
  if (paths.length > 0 && paths.length < read.length)
    throw new Refusal(
      `${asker}: \`git:${shown(branch)}\` with a path and without one`,
      'name a path each time, or none for `policies` of the configuration',
    )
  return { branch, paths }
}

/** The newest commit of a branch. `asker`: see `branchOf`. */
export function headOf(branch: string, asker: string, io: Io): string {
  try {
    return objectOf(branch, 'commit', io, branch === 'HEAD' ? asker : `git:${branch}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw withoutCommits(branch, asker, io) ?? error
  }
}

/** The refusal of a branch that no commit was made on yet; undefined where it is another problem. */
function withoutCommits(branch: string, asker: string, io: Io): Refusal | undefined {
  if (git(['rev-list', '--max-count=1', '--all'], io).length === 0)
    return new Refusal(`${asker}: the repository has no commits, and so no past`, 'commit the policies first')
  const { stdout, status } = gitEnd(['symbolic-ref', '--quiet', '--short', 'HEAD'], io)
  return branch === 'HEAD' && status === 0
    ? new Refusal(
        `${asker}: the current branch \`${shown(stdout.toString('utf8').trim())}\` has no commits, and so no past`,
        'name another branch: `-p git:BRANCH`',
      )
    : undefined
}
