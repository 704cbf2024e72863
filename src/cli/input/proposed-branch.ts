import { relative, resolve } from 'node:path'
import { shown } from '../../report/safe.ts'
import { type Io, ioWith } from '../app/io.ts'
import { displayPath, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { entriesOf, git, gitEnd, isIgnoredByGit, NoGit, names, plainDiffOptions, repositoryTop } from './git.ts'
import { kindAt } from './read-file.ts'
import { isRegular, repositoryMode } from './trees.ts'

/**
 * New branches with one commit on top of HEAD, written by git's plumbing: the working folder, the index and HEAD stay as they are, and
 * no hook runs. Nothing is pushed.
 */

/** The commit that a branch starts from. */
export interface Head {
  /** The top folder of the repository. */
  readonly top: string
  readonly commit: string
  /** The branch that is checked out; undefined where HEAD is detached. */
  readonly branch: string | undefined
  /** The files of the commit by their absolute paths, with their modes. */
  readonly modes: ReadonlyMap<string, string>
}

/** A file as the new commit has it. */
export interface CommittedFile {
  /** Absolute. */
  readonly path: string
  readonly bytes: Buffer
}

const without = 'without `--propose`, the policy to add is printed'

/** The commit that is checked out. Refused where a branch cannot start from it. */
export function readHead(io: Io): Head {
  const isBare = wordOf(['rev-parse', '--is-inside-work-tree'], io) === 'false'
  if (isBare) throw new Refusal('`--propose` needs a working folder, and this repository is bare', `clone it; ${without}`)
  const top = topOf(io)
  const commit = wordOf(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], io)
  if (commit === undefined)
    throw new Refusal('`--propose` starts a branch from the commit that is checked out, and there is none yet', 'commit the policies first')
  const branch = wordOf(['symbolic-ref', '--quiet', '--short', 'HEAD'], io)
  return { top, commit, branch, modes: new Map(entriesOf(commit, top, io).map(({ path, mode }) => [path, mode])) }
}

function topOf(io: Io): string {
  try {
    return repositoryTop(io)
  } catch (error) {
    if (error instanceof NoGit)
      throw new Refusal(
        `\`--propose\` writes a branch: ${error.message}`,
        `start in a clone of the repository that has the policies; ${without}`,
      )
    throw error
  }
}

/** The output of a git command as one word; undefined where it fails or has none. */
function wordOf(args: readonly string[], io: Io): string | undefined {
  let end: ReturnType<typeof gitEnd>
  try {
    end = gitEnd(args, io)
  } catch (error) {
    if (error instanceof NoGit) return undefined
    throw error
  }
  const word = end.stdout.toString('utf8').trim()
  return end.status === 0 && word !== '' ? word : undefined
}

/** The files at and below some paths that differ from a commit, in the working folder or in the index, and those that it does not have. */
export function differingFrom({ commit, top }: Head, paths: readonly string[], io: Io): ReadonlySet<string> {
  const inTop = ioWith(io, { cwd: top })
  const asked = paths.map((path) => portable(relative(top, resolve(io.cwd, path))) || '.')
  const lists = [
    ['diff', '--name-only', ...plainDiffOptions, commit, '--', ...asked],
    ['diff', '--name-only', '--cached', ...plainDiffOptions, commit, '--', ...asked],
    ['ls-files', '--others', '--exclude-standard', '-z', '--', ...asked],
  ]
  return new Set(lists.flatMap((args) => names(git(args, inTop))).map((name) => resolve(top, name)))
}

/** Why a file cannot be new. `isTaken`: it exists, and one with another name may not. */
export interface FileFault {
  readonly message: string
  readonly isTaken?: true
}

/** Why a new file cannot be added to a commit; undefined where it can. */
export function newFileFault(file: string, head: Head, io: Io): FileFault | undefined {
  const path = displayPath(file, io.cwd)
  const inside = portable(relative(head.top, file))
  if (inside === '' || inside === '..' || inside.startsWith('../') || /^[A-Za-z]:/.test(inside))
    return { message: `${path}: outside of the repository` }
  if (/(?:^|\/)\.git(?:\/|$)/i.test(inside)) return { message: `${path}: a file of git itself` }
  for (let end = inside.indexOf('/'); end >= 0; end = inside.indexOf('/', end + 1)) {
    const folder = resolve(head.top, inside.slice(0, end))
    const mode = head.modes.get(folder)
    if (mode === undefined) continue
    const what =
      mode === repositoryMode ? 'another repository' : isRegular({ mode, id: undefined, from: '' }) ? 'a file' : 'a symbolic link'
    return { message: `${path}: \`${displayPath(folder, io.cwd)}\` is ${what}` }
  }
  if ([...head.modes.keys()].some((each) => each.startsWith(`${file}/`)) || kindAt(file) === 'folder')
    return { message: `${path}: a folder, expected a file` }
  if (head.modes.has(file)) return { message: `${path}: HEAD has this file`, isTaken: true }
  if (kindAt(file) !== 'missing') return { message: `${path}: is in the working folder, and not in HEAD`, isTaken: true }
  if (isIgnoredByGit(file, io)) return { message: `${path}: ignored by git` }
  return undefined
}

/** A branch that is to be made, or replaced: `old` is its commit. */
export interface BranchName {
  readonly name: string
  readonly old: string | undefined
}

/** A name for the new branch. Refused where it is none, where it exists and is not to be replaced, and where it is in use. */
export function readBranchName(name: string, isReplaced: boolean, io: Io): BranchName {
  const ref = `refs/heads/${name}`
  if (name.startsWith('-') || name === 'HEAD' || name.startsWith('refs/') || gitEnd(['check-ref-format', ref], io).status !== 0)
    throw new Refusal(`--branch \`${shown(name)}\`: not a name of a branch`, 'for example `--branch grantwise/allow-bob-get`')
  const parts = name.split('/')
  const around = parts.map((_, i) => `refs/heads/${parts.slice(0, i + 1).join('/')}`)
  const lines = git(['for-each-ref', '--format=%(refname) %(objectname) %(worktreepath)', ...around], io)
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => /^(\S+) (\S+) (.*)$/.exec(line) ?? [])
  const inTheWay = lines.find(([, each = '']) => each !== ref && (ref.startsWith(`${each}/`) || each.startsWith(`${ref}/`)))
  if (inTheWay)
    throw new Refusal(
      `branch \`${shown(name)}\` cannot exist next to \`${shown(inTheWay[1]?.replace('refs/heads/', '') ?? '')}\``,
      'choose another name: `--branch NAME`',
    )
  const [, , old, folder] = lines.find(([, each]) => each === ref) ?? []
  if (old === undefined) return { name, old }
  if (!isReplaced)
    throw new Refusal(`branch \`${shown(name)}\` exists`, '`--branch NAME` chooses another name; `--replace` replaces the branch')
  if (folder)
    throw new Refusal(
      `branch \`${shown(name)}\` is checked out in \`${shown(folder)}\`, and is not replaced`,
      'choose another name: `--branch NAME`',
    )
  return { name, old }
}

/** Users are named by what they have configured, never by what git makes up of the names of the machine. */
const named = ['-c', 'user.useConfigOnly=true', '-c', 'i18n.commitEncoding=UTF-8']

/** Refused where git does not know who makes the commit. */
export function checkAuthor(io: Io): void {
  for (const ident of ['GIT_AUTHOR_IDENT', 'GIT_COMMITTER_IDENT'])
    if (gitEnd([...named, 'var', ident], io).status !== 0)
      throw new Refusal(
        '`--propose` makes a commit, and git does not know who makes it',
        '`git config user.name NAME` and `git config user.email ADDRESS`, or GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL, GIT_COMMITTER_NAME and GIT_COMMITTER_EMAIL',
      )
}

/** Write a commit on top of another one; the id. No branch names it yet. `now`: its date, in milliseconds since 1970. */
export function writeCommit(tree: string, parent: string, message: string, now: number, around: Io): string {
  const date = `${Math.floor(now / 1000)} +0000`
  const io = ioWith(around, { env: { ...around.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date } })
  return asked([...named, 'commit-tree', tree, '-p', parent, '-F', '-'], io, message)
}

/** Write the tree of a commit with some files in it, new or changed; the id. The same files give the same id. */
export function writeTree({ commit, top }: Head, files: readonly CommittedFile[], around: Io): string {
  const io = ioWith(around, { cwd: top })
  const blobs = new Map(
    files.map(({ path, bytes }) => [portable(relative(top, path)), asked(['hash-object', '-w', '--stdin', '--no-filters'], io, bytes)]),
  )
  const tree = treeWith(`${commit}^{tree}`, blobs, io)
  const changed = names(git(['diff-tree', '-r', '-z', '--name-only', '--no-renames', commit, tree], io))
  if (changed.length !== blobs.size || !changed.every((path) => blobs.has(path)))
    throw new Refusal('git wrote a tree with other changes than those of the proposal', 'report this as an error of grantwise')
  return tree
}

/** A tree with some files in it, by their paths from its top; the id. */
function treeWith(tree: string | undefined, blobs: ReadonlyMap<string, string>, io: Io): string {
  // Names are bytes: those that are there are written as they are.
  const lines = tree === undefined ? [] : git(['ls-tree', '-z', '--full-tree', tree], io).toString('latin1').split('\0').filter(Boolean)
  const entries = new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]))
  const below = new Map<string, Map<string, string>>()
  for (const [path, blob] of blobs) {
    const slash = path.indexOf('/')
    const name = Buffer.from(slash < 0 ? path : path.slice(0, slash)).toString('latin1')
    if (slash < 0) entries.set(name, `${entries.get(name)?.split(' ')[0] ?? '100644'} blob ${blob}`)
    else below.set(name, (below.get(name) ?? new Map<string, string>()).set(path.slice(slash + 1), blob))
  }
  for (const [name, inside] of below) entries.set(name, `040000 tree ${treeWith(entries.get(name)?.split(' ')[2], inside, io)}`)
  const written = [...entries].map(([name, entry]) => `${entry}\t${name}\0`).join('')
  // A partial clone may not have the contents of the other files.
  return asked(['mktree', '-z', '--missing'], io, Buffer.from(written, 'latin1'))
}

/** Make or replace the branch, which must be as it was when its name was read. */
export function setBranch({ name, old }: BranchName, commit: string, io: Io): void {
  const ref = `refs/heads/${name}`
  const line = old === undefined ? `create ${ref}\0${commit}\0` : `update ${ref}\0${commit}\0${old}\0`
  const { status, stderr } = gitEnd(['update-ref', '-z', '--stdin', '-m', 'grantwise call --from-403 --propose'], io, line)
  if (status === 0) return
  const [message = ''] = stderr.toString('utf8').split('\n')
  throw new Refusal(`branch \`${shown(name)}\` could not be written: ${shown(message.replace(/^fatal: /, ''))}`)
}

function asked(args: readonly string[], io: Io, input: string | Buffer): string {
  const { stdout, stderr, status } = gitEnd(args, io, input)
  const [message = ''] = stderr.toString('utf8').split('\n')
  if (status !== 0) throw new Refusal(`git could not write the commit: ${shown(message === '' ? `exit code ${status}` : message)}`)
  return stdout.toString('latin1').trim()
}

/** Whether commits are signed here, which this one is not. */
export const signsCommits = (io: Io): boolean => wordOf(['config', '--type=bool', 'commit.gpgSign'], io) === 'true'
