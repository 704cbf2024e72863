import { join } from 'node:path'
import type { Commit } from '../../history/commit.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { headOf } from './branch.ts'
import { distinctNames, git, repositoryTop } from './git.ts'

/** A file that a commit changes, compared with its first parent. */
export interface FileChange {
  /** Absolute. */
  readonly path: string
  /** As git writes it; `000000` for a file that is removed. */
  readonly mode: string
  readonly id: string
  /** The id before the change, zeros for a new file. */
  readonly before: string
}

/** Whether the mode or the id of a file, as git writes it, is that of none. */
export const isNothing = (field: string): boolean => /^0+$/.test(field)

export interface CommitRead extends Commit {
  readonly changes: readonly FileChange[]
}

/** How many commits are asked for in one go: the answer of git stays small. */
const mostInOneGo = 2000

/**
 * The ids of the commits of a branch, oldest first: those of the first-parent line, or all that it reaches. Refused in a shallow clone,
 * which ends where it was cut and not where the branch began. `asker`: see `branchOf`.
 */
export function commitIds(branch: string, asker: string, allParents: boolean, io: Io): readonly string[] {
  const head = headOf(branch, asker, io)
  if (isShallow(io)) throw new Refusal('the clone is shallow: it has only the newest commits', '`git fetch --unshallow` gets the others')
  const order = allParents ? ['--topo-order'] : ['--first-parent']
  return idsIn([...order, head], io)
}

/** The ids of commits, oldest first, as `git rev-list` selects them. */
const idsIn = (selection: readonly string[], io: Io): readonly string[] =>
  git(['rev-list', '--reverse', ...selection, '--'], io)
    .toString('latin1')
    .split('\n')
    .filter(Boolean)

/** The ids of the commits on the first-parent line of a commit that an earlier one does not have, oldest first: those that the clone has. */
export const idsSince = (earlier: string, commit: string, io: Io): readonly string[] => idsIn(['--first-parent', commit, `^${earlier}`], io)

/** Commits with what they change, in the order of their ids. Each change is one from the first parent; renames are not looked for. */
export function* commitsRead(ids: readonly string[], io: Io): Iterable<CommitRead> {
  const top = repositoryTop(io)
  const length = shortLength(ids)
  for (let start = 0; start < ids.length; start += mostInOneGo) {
    const some = ids.slice(start, start + mostInOneGo)
    yield* parsed(git([...logOptions, '--no-walk=unsorted', '--stdin'], io, `${some.join('\n')}\n`), top, length)
  }
}

/** Whether the clone has only the newest commits. */
export const isShallow = (io: Io): boolean => git(['rev-parse', '--is-shallow-repository'], io).toString('latin1').trim() === 'true'

/** When each of some commits was committed, in milliseconds since 1970. */
export function commitDates(ids: readonly string[], io: Io): readonly number[] {
  const output = git(['log', '--no-walk=unsorted', '--stdin', '--no-show-signature', '--format=%cI'], io, `${ids.join('\n')}\n`)
  return output
    .toString('latin1')
    .trimEnd()
    .split('\n')
    .map((date) => Date.parse(readableDate(date)))
}

/** The number of characters by which the ids of commits differ: at least seven, as git prints. */
function shortLength(ids: readonly string[]): number {
  let length = 7
  while (new Set(ids.map((id) => id.slice(0, length))).size < ids.length) length++
  return length
}

const logOptions = [
  'log',
  '-z',
  '--raw',
  '--no-abbrev',
  '--no-renames',
  '--root',
  '-m',
  '--first-parent',
  '--ignore-submodules=none',
  '--no-show-signature',
  '--no-notes',
  '--no-ext-diff',
  '--no-textconv',
  '--format=%H%x00%P%x00%an%x00%cI%x00%s',
]

const fieldsOfCommit = 5

/** A date as git printed it. Of one that it cannot print, as old programs wrote them, it knows no more than that it counts as the first one. */
export function readableDate(date: string): string {
  return Number.isNaN(Date.parse(date)) ? '1970-01-01T00:00:00Z' : date
}

/** The commits in an output of git: fields that NUL bytes end. Those of a change begin with a colon, and its path follows. */
function* parsed(output: Buffer, top: string, length: number): Iterable<CommitRead> {
  const fields = distinctNames(output)
  for (let i = 0; i < fields.length; ) {
    const [id = '', parents = '', author = '', date = '', subject = ''] = fields.slice(i, i + fieldsOfCommit)
    i += fieldsOfCommit
    const changes: FileChange[] = []
    for (let field = fields[i]; field !== undefined && /^\n?:/.test(field); field = fields[i]) {
      const [, mode = '', before = '', after = ''] = field.slice(field.indexOf(':')).split(' ')
      changes.push({ path: join(top, fields[i + 1] as string), mode, id: after, before })
      i += 2
    }
    yield {
      id,
      short: id.slice(0, length),
      parents: parents.split(' ').filter(Boolean),
      author,
      date: readableDate(date),
      subject,
      changes,
    }
  }
}
