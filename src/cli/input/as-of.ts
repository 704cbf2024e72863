import { relative, resolve } from 'node:path'
import { readInstant } from '../../conditions/time.ts'
import { shown } from '../../report/safe.ts'
import type { CommandLine } from '../app/command-line.ts'
import type { Io } from '../app/io.ts'
import { displayPath, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { branchOf, headOf } from './branch.ts'
import { commitDates, commitIds, commitsRead, idsSince, isShallow, readableDate } from './commits.ts'
import { earlierNames } from './earlier-names.ts'
import { git, gitEnd, isReference, objectOf, repositoryTop } from './git.ts'
import { instantOf } from './question.ts'

/**
 * `--as-of`: a command line about the past as one with the policies of a commit, and a time. The commit is the newest of the branch's
 * own line, its first parents, that was made by then, with its own configuration. It is named on standard error.
 */
export function asOf(line: CommandLine, io: Io): CommandLine {
  const text = line.options['asOf'] as string
  if (line.options['at'] !== undefined)
    throw new Refusal('`--as-of` and `--at` both give a time', 'omit `--at`: `--as-of` takes a time, too')
  const branchPaths = branchOf((line.options['policies'] ?? []) as readonly string[], option)
  const instant = endOfDay(text) ?? instantOf('--as-of', text)
  if (instant > io.now())
    throw new Refusal(`--as-of \`${shown(text)}\` is in the future`, 'for the policies of today at a later time use `--at`')
  const commit = commitAt(branchPaths.branch, instant, { option, text }, io)
  const policies = branchPaths.paths.length === 0 ? [`git:${commit}`] : branchPaths.paths.map((path) => `git:${commit}:${path}`)
  const then = { asOf: undefined, configAt: commit, policies, at: new Date(instant).toISOString() }
  return { ...line, options: { ...line.options, ...then } }
}

const option = '--as-of'

/** The last millisecond of a day in UTC; undefined where the text is more than a date, or none. */
function endOfDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  return readInstant(`${text}T23:59:59.999Z`)
}

/** A point in the past: the commit that a branch was at. */
export interface PastCommit {
  readonly commit: string
  /** The instant, where a date or a time was given. */
  readonly at: number | undefined
}

/** A point in the past, with the paths of policies that the commit held then. */
export interface PastPaths extends PastCommit {
  readonly paths: readonly string[]
}

const since = '--since'

/** `--since`: the commit of `sinceCommit`, and the given paths by their names then. */
export function sinceThen(text: string, policyPaths: readonly string[], io: Io, asker = since): PastPaths {
  const { branch, paths } = branchOf(policyPaths, asker)
  const then = sinceCommit(text, policyPaths, io, asker)
  const { commit } = then
  const named = paths.length === 0 ? [`git:${commit}`] : namesAt(commit, paths, branch, io).map((path) => `git:${commit}:${path}`)
  return { ...then, paths: named }
}

/**
 * `--since`: the commit that a branch was at, by a date, a time, or a name of a commit. `given`: the paths of the policies now. The
 * commit of a date is named on standard error.
 */
export function sinceCommit(text: string, policyPaths: readonly string[], io: Io, asker = since): PastCommit {
  const { branch } = branchOf(policyPaths, asker)
  const instant = endOfDay(text) ?? readInstant(text)
  if (instant !== undefined && instant > io.now())
    throw new Refusal(`${asker} \`${shown(text)}\` is in the future`, 'give an earlier date, or a commit')
  if (instant === undefined && /^\d{4}-\d/.test(text) && !isReference(text, io))
    throw new Refusal(
      `${asker} \`${shown(text)}\` is no date, and no commit has this name`,
      'write a date, `2027-01-31`, or a time, `2027-01-31T10:00:00Z`, or name a commit',
    )
  const [name = '', path = ''] = text.split(':')
  if (instant === undefined && path !== '' && isReference(name, io))
    throw new Refusal(`${asker} \`${shown(text)}\` takes a commit or a date, without a path`, `write \`${asker} ${shown(name)}\``)
  const commit =
    instant === undefined
      ? objectOf(text, 'commit', io, `${asker} \`${shown(text)}\``)
      : commitAt(branch, instant, { option: asker, text }, io)
  return { commit, at: instant }
}

/**
 * The commits of a branch by first parents since one of them, that one first. Throws a refusal where it is not one of the branch. `text`: the
 * commit as it was given.
 */
export function lineSince(branch: string, { commit, at }: PastCommit, text: string, io: Io): readonly string[] {
  const ids = lineFrom(branch, commit, io)
  if (ids) return ids
  const instant = at ?? commitDates([commit], io)[0]
  throw new Refusal(
    `${since} \`${shown(text)}\`: the commit is not one of \`${shown(branch)}\` by first parents, but of a branch that was merged, or of another one`,
    `name its date, for what \`${shown(branch)}\` had then: \`--since ${new Date(instant as number).toISOString()}\``,
  )
}

/** The same; undefined where the commit is not one of the branch. */
export function lineFrom(branch: string, commit: string, io: Io): readonly string[] | undefined {
  const line = commitIds(branch, since, false, io)
  const start = line.indexOf(commit)
  return start < 0 ? undefined : line.slice(start)
}

/** Paths by the names that a commit of a branch has them at: those of files and folders that later commits rename are the earlier ones. */
function namesAt(commit: string, paths: readonly string[], branch: string, io: Io): readonly string[] {
  const later = isReference(branch, io) ? [...commitsRead(idsSince(commit, headOf(branch, since, io), io), io)] : []
  const earlier = earlierNames(
    paths.map((path) => resolve(io.cwd, path)),
    later,
  )
  const names = [...earlier.values()].at(-1)
  if (!names) return paths
  const top = repositoryTop(io)
  const isHeld = (path: string) => gitEnd(['cat-file', '-e', `${commit}:${portable(relative(top, path))}`], io).status === 0
  const held = names.filter(isHeld)
  return held.length === 0 ? paths : held.map((path) => displayPath(path, io.cwd))
}

/** The commit that a branch was at, by the dates of its commits. */
function commitAt(branch: string, instant: number, { option, text }: { readonly option: string; readonly text: string }, io: Io): string {
  const head = headOf(branch, option, io)
  const log = (...args: readonly string[]) =>
    git(['log', '--no-show-signature', '--first-parent', '--format=%H%x00%h%x00%cI%x00%s', ...args, head, '--'], io)
      .toString('utf8')
      .trimEnd()
  // Git knows no date before 1970, and would take a negative number for any date.
  const logEntry = instant < 0 ? '' : log('-1', `--min-age=${Math.floor(instant / 1000)}`)
  if (logEntry === '') {
    const [, , first = ''] = log('-1', '--max-parents=0').split('\0')
    throw new Refusal(
      `${option} \`${shown(text)}\`: no commit of \`${shown(branch)}\` here is that old: the first is of ${readableDate(first)}`,
      isShallow(io) ? 'the clone is shallow: `git fetch --unshallow` gets the others' : undefined,
    )
  }
  const [commit = '', short, date = '', subject = ''] = logEntry.split('\0')
  io.stderr.write(
    `grantwise: note: ${option === '--as-of' ? 'as of' : 'since'} ${new Date(instant).toISOString()}: commit ${short} of ${readableDate(date)}, ${shown(JSON.stringify(subject))}\n`,
  )
  return commit
}
