import { shown } from '../../report/safe.ts'
import { Refusal } from '../app/refusal.ts'
import { gitPathOf } from './policies.ts'

/** A branch, and paths in its commits; none where those of the configuration count. */
export interface BranchPaths {
  readonly branch: string
  readonly paths: readonly string[]
}

/** The branch that paths of policies name, `git:REF` or `git:REF:PATH`, and the paths in it; `HEAD` for plain paths. `asker`: an option or a command. */
export function branchOf(given: readonly string[], asker: string): BranchPaths {
  if (given.includes('-')) throw new Refusal(`\`${asker}\`: standard input has no past`, 'name files and folders')
  const read = given.map((path) => gitPathOf(path) ?? { reference: 'HEAD', path })
  const [branch = 'HEAD', ...others] = new Set(read.map(({ reference }) => reference))
  if (others.length > 0)
    throw new Refusal(`\`${asker}\`: \`${shown(branch)}\` and \`${shown(others[0] as string)}\` are two branches`, 'name paths of one')
  return { branch, paths: read.flatMap(({ path }) => path ?? []) }
}
