import { readInstant } from '../../conditions/time.ts'
import { shown } from '../../report/safe.ts'
import type { CommandLine } from '../app/command-line.ts'
import type { Io } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { git, gitEnd, objectOf } from './git.ts'
import { gitPathOf } from './policies.ts'
import { instantOf } from './question.ts'

/**
 * `--as-of`: a command line about the past as one with the policies of a commit, and a time. The commit is the newest of the branch's
 * own line, its first parents, that was made by then. It is named on standard error.
 */
export function asOf(line: CommandLine, io: Io): CommandLine {
  const text = line.options['asOf'] as string
  if (line.options['at'] !== undefined)
    throw new Refusal('`--as-of` and `--at` both give a time', 'omit `--at`: `--as-of` takes a time, too')
  const given = (line.options['policies'] ?? []) as readonly string[]
  if (given.includes('-')) throw new Refusal('`--as-of`: standard input has no past', 'name files and folders')
  const at = endOfDay(text) ?? instantOf('--as-of', text)
  if (at > io.now())
    throw new Refusal(`--as-of \`${shown(text)}\` is in the future`, 'for the policies of today at a later time use `--at`')
  const paths = given.map((path) => gitPathOf(path) ?? { reference: 'HEAD', path })
  const [branch = 'HEAD', ...others] = new Set(paths.map(({ reference }) => reference))
  if (others.length > 0)
    throw new Refusal(`--as-of: \`${shown(branch)}\` and \`${shown(others[0] as string)}\` are two branches`, 'name paths of one')
  const commit = commitAt(branch, at, text, io)
  const policies =
    paths.length === 0 ? [`git:${commit}`] : paths.map(({ path }) => (path === undefined ? `git:${commit}` : `git:${commit}:${path}`))
  return { ...line, options: { ...line.options, asOf: undefined, policies, at: new Date(at).toISOString() } }
}

/** The last millisecond of a day in UTC; undefined where the text is more than a date, or none. */
function endOfDay(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  return readInstant(`${text}T23:59:59.999Z`)
}

/** The newest commit of a branch. */
function headOf(branch: string, io: Io): string {
  try {
    return objectOf(branch, 'commit', io, branch === 'HEAD' ? '--as-of' : `git:${branch}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw withoutCommits(branch, io) ?? error
  }
}

/** The refusal of a branch that no commit was made on yet; undefined where it is another problem. */
function withoutCommits(branch: string, io: Io): Refusal | undefined {
  if (git(['rev-list', '--max-count=1', '--all'], io).length === 0)
    return new Refusal('--as-of: the repository has no commits, and so no past', 'commit the policies first')
  const { stdout, status } = gitEnd(['symbolic-ref', '--quiet', '--short', 'HEAD'], io)
  return branch === 'HEAD' && status === 0
    ? new Refusal(
        `--as-of: the current branch \`${shown(stdout.toString('utf8').trim())}\` has no commits, and so no past`,
        'name another branch: `-p git:BRANCH`',
      )
    : undefined
}

/** The commit that a branch was at, by the dates of its commits. */
function commitAt(branch: string, at: number, text: string, io: Io): string {
  const head = headOf(branch, io)
  const log = (...args: readonly string[]) =>
    git(['log', '--no-show-signature', '--first-parent', '--format=%H%x00%h%x00%cI%x00%s', ...args, head, '--'], io)
      .toString('utf8')
      .trimEnd()
  const found = log('-1', `--min-age=${Math.floor(at / 1000)}`)
  if (found === '') {
    const isShallow = git(['rev-parse', '--is-shallow-repository'], io).toString('utf8').trim() === 'true'
    const [, , first = ''] = log('-1', '--max-parents=0').split('\0')
    throw new Refusal(
      `--as-of \`${shown(text)}\`: no commit of \`${shown(branch)}\` here is that old: the first is of ${first}`,
      isShallow ? 'the clone is shallow: `git fetch --unshallow` gets the others' : undefined,
    )
  }
  const [commit = '', short, date, subject = ''] = found.split('\0')
  io.stderr.write(`grantwise: note: as of ${new Date(at).toISOString()}: commit ${short} of ${date}, ${shown(JSON.stringify(subject))}\n`)
  return commit
}
