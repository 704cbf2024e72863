import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { devNull } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { shown } from '../../report/safe.ts'
import { notationOf } from '../../source.ts'
import { limits } from '../../sources/limits.ts'
import type { Io } from '../app/io.ts'
import { displayPath, isWithin, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { fileEndings, type ListedFile } from './files.ts'
import { gitFolders } from './git-folder.ts'
import { type AttributeFile, readAttributeFile, rewritingsOf } from './gitattributes.ts'
import { decode, isUnnameable, refusals, repositoryOf, tooLarge } from './read-file.ts'
import { exampleFileNames, ownFile } from './walk.ts'

/**
 * Changes according to git. The one place where another program is started, and only where the options need it: never through a
 * shell, without hooks, file system monitors, filters for showing, and without contacting other machines.
 */
const settings = [
  '-c',
  'core.fsmonitor=',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  // A repository may name a pipe here, or a device; the files of the repository itself are read.
  'core.attributesFile=/dev/null',
  '-c',
  'core.quotePath=false',
  '-c',
  'diff.relative=false',
  // Output is read as UTF-8, whatever the terminal of the user shows.
  '-c',
  'i18n.logOutputEncoding=UTF-8',
  '--no-pager',
]
const literalPaths = '--literal-pathspecs'
const environment = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Older versions of git do not know the line above, and would run what the configuration of the repository names as its remote.
  GIT_ALLOW_PROTOCOL: 'none',
  // A commit has the content of its hash, without replacements by `git replace` or a graft.
  GIT_NO_REPLACE_OBJECTS: '1',
  // A file that does not exist: git would read an existing one.
  GIT_GRAFT_FILE: `${devNull}/none`,
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
}
/** Options of `git diff` for comparison: without the filters that a repository sets for display. */
export const plainDiffOptions = ['--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=all', '-z']

/** There is no git, or no repository, to ask. */
export class NoGit extends Refusal {}

/** A git command that failed inside a repository. */
class GitFailure extends Refusal {}

/** A refusal of a name that exists, but may not mean only one commit. */
class Unsure extends Refusal {}

/** The output of a git command; a refusal where it fails. */
export function git(args: readonly string[], io: Io, input: string | Buffer = ''): Buffer {
  return run(args, io, input).stdout
}

/** How versions of git say that they would have to fetch something. */
const isOfPartialClone = /lazy fetching disabled|from promisor remote/

/** Both outputs of a git command; a refusal where it fails. */
function run(args: readonly string[], io: Io, input: string | Buffer = ''): GitEnd {
  const end = gitEnd(args, io, input)
  if (end.status !== 0) {
    const errors = end.stderr.toString('utf8')
    const [message = ''] = errors.split('\n')
    if (isOfPartialClone.test(errors))
      throw new Refusal(
        `git ${args[0]}: the clone is partial: it does not have all contents, and they are not fetched here`,
        '`git fetch --refetch --no-filter` gets them',
      )
    throw /not a git repository/i.test(message)
      ? new NoGit('not a git repository')
      : new GitFailure(`git ${args[0]}: ${message === '' ? `exit code ${end.status}` : shown(message)}`)
  }
  return end
}

/** How a git command ended. */
interface GitEnd {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly status: number | null
}

/** Whether git ignores a file, or would if it were there: absolute. */
export function isIgnoredByGit(file: string, io: Io): boolean {
  // Paths are no patterns here, and the option that says so is refused.
  return gitEnd(['check-ignore', '--quiet', '--no-index', '--', file], io).status === 0
}

/** How long a git command may take, in milliseconds: a pipe that nothing writes to is waited for without end. */
const longest = 300_000

/** Refuse what git would wait for or read without end: settings of a repository that are no files. */
function refuseSpecial(args: readonly string[], io: Io): void {
  const top = repositoryOf(io.cwd)
  const folder = io.env.GIT_DIR ? resolve(io.cwd, io.env.GIT_DIR) : top && gitFolders(top)?.common
  if (folder === undefined) return
  const excludes = listsIgnored(args) ? excludesFile(io) : []
  for (const file of [join(folder, 'info', 'attributes'), join(folder, 'info', 'exclude'), ...excludes]) {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat && !stat.isFile()) throw new Refusal(`${displayPath(file, io.cwd)}: ${refusals.special}, and git would read it`, 'remove it')
  }
}

/** Whether an answer depends on the files of patterns that git ignores; other commands may read them as well. */
const listsIgnored = (args: readonly string[]) => args[0] === 'check-ignore' || args.includes('--exclude-standard')
const withoutExcludes = ['-c', 'core.excludesFile=/dev/null']

/** The file of patterns that the configuration of git names for all repositories: none, or one. */
function excludesFile(io: Io): readonly string[] {
  const { stdout } = gitEnd(['config', '--type=path', '--get', 'core.excludesFile'], io)
  const file = stdout.toString('utf8').trim()
  return file === '' ? [] : [resolve(io.cwd, file)]
}

/** Both outputs of a git command and its exit code, for those in which that is an answer; a refusal where it cannot run. */
export function gitEnd(args: readonly string[], io: Io, input: string | Buffer = ''): GitEnd {
  refuseSpecial(args, io)
  // `git config` is asked for the setting itself.
  const around = [
    ...(listsIgnored(args) || args[0] === 'config' ? [] : withoutExcludes),
    ...(args[0] === 'check-ignore' ? [] : [literalPaths]),
  ]
  const { stdout, stderr, status, signal, error } = started(() =>
    spawnSync('git', [...settings, ...around, ...args], {
      cwd: io.cwd,
      env: { ...io.env, ...environment },
      input,
      maxBuffer: limits.total + (16 << 20),
      stdio: 'pipe',
      windowsHide: true,
      timeout: longest,
    }),
  )
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ENOENT') throw new NoGit('git is not installed', 'install it, or name the files')
  if (code === 'ENOBUFS') throw new Refusal(`more than ${limits.total / 2 ** 20} MiB have changed`, 'name fewer files')
  // A git that fails may leave its input unread: its exit code and its message say more.
  if (code === 'ETIMEDOUT') throw new GitFailure(`git ${args[0]}: no answer after ${longest / 60_000} minutes`)
  if (!error && signal !== null) throw new GitFailure(`git ${args[0]}: ended by ${signal}`)
  const isUnread = code === 'EPIPE' && status !== null && status !== 0
  if (error && !isUnread) throw new Refusal(`git failed (${code})`)
  return { stdout, stderr, status }
}

/** The result of starting another program, which Node's options may not permit. */
function started<T>(start: () => T): T {
  try {
    return start()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ACCESS_DENIED') throw error
    throw new NoGit('git cannot be started: permission denied', 'Node was started without `--allow-child-process`: name the files')
  }
}

/** The names in a list that NUL bytes end. */
export function names(bytes: Buffer): readonly string[] {
  return bytes.toString('utf8').split('\0').slice(0, -1)
}

/**
 * The same, where a name that is not UTF-8 differs from any other. It has a replacement character, as it has where it is read from the
 * disk, and its bytes are written as Latin-1.
 */
export function distinctNames(bytes: Buffer): readonly string[] {
  const all = names(bytes)
  if (!all.some(isUnnameable)) return all
  const exact = bytes.toString('latin1').split('\0')
  return all.map((name, i) => (isUnnameable(name) ? (exact[i]?.replace(/[^\t/]+/g, distinctPart) ?? name) : name))
}

function distinctPart(latin1: string): string {
  const text = Buffer.from(latin1, 'latin1').toString('utf8')
  return isUnnameable(text) ? `\ufffd${latin1}` : text
}

/** The top folder of the repository that the working folder is in: absolute. Paths in git's answers are relative to it. */
export function repositoryTop(io: Io): string {
  return remembered(io, 'top', [], () => {
    refuseOther(io)
    return resolve(io.cwd, pathToTop(io))
  })
}

/** Git's answer in the working folder, asked for once in a run with a cache. */
function remembered<T>(io: Io, question: string, about: readonly string[], ask: () => T): T {
  return io.git ? io.git.once(question, [io.cwd, ...about], ask) : ask()
}

/**
 * Refuse another repository than that of the working folder. Hooks are given the names of theirs and of its index; left over from a
 * hook of another one, they would have it answer for this folder.
 */
function refuseOther(io: Io): void {
  if (!io.env.GIT_DIR) return
  const folder = ['rev-parse', '--absolute-git-dir']
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...env } = io.env
  const here = git(folder, io).toString('utf8').trim()
  let workingTop: string
  try {
    workingTop = git(folder, { ...io, env })
      .toString('utf8')
      .trim()
  } catch (error) {
    // The folder is in none: a work tree that is kept elsewhere.
    if (error instanceof Refusal) return
    throw error
  }
  if (workingTop !== here)
    throw new Refusal(
      `GIT_DIR names \`${shown(here)}\`, and the working folder is in \`${shown(workingTop)}\``,
      'unset GIT_DIR, or change the folder',
    )
}

/** The way from the working folder to the top of its repository, as git says it: `../`, or `.`. */
export function pathToTop(io: Io): string {
  return git(['rev-parse', '--show-cdup'], io).toString('utf8').replace(/\n$/, '') || '.'
}

interface Staged {
  /** Absolute. */
  readonly path: string
  readonly id: string
}

/** The contents of ids, fetched in one call; `from`: where they are named; their sizes first, so that nothing too large is fetched. */
function contents(entries: readonly Staged[], from: string, io: Io): readonly ListedFile[] {
  const ids = entries.map(({ id }) => `${id}\n`).join('')
  const sizes = git(['cat-file', '--batch-check'], io, ids).toString('latin1').split('\n')
  for (const [i, { path }] of entries.entries()) {
    const size = Number(sizes[i]?.split(' ')[2])
    if (size > limits.file) throw new Refusal(`${displayPath(path, io.cwd)}: ${tooLarge(size)}`)
  }
  const answers = git(['cat-file', '--batch'], io, ids)
  const files: ListedFile[] = []
  let offset = 0
  for (const { path, id } of entries) {
    const lineEnd = answers.indexOf(10, offset)
    const [, kind, size] = answers.toString('latin1', offset, lineEnd).split(' ')
    if (lineEnd < 0 || kind !== 'blob')
      throw new Refusal(`${from}: ${displayPath(path, io.cwd)}: git cannot read its content, the object ${id}`, 'see what `git fsck` finds')
    const end = lineEnd + 1 + Number(size)
    files.push({ path, bytes: answers.subarray(lineEnd + 1, end), origin: { from, blob: id } })
    offset = end + 1
  }
  return files
}

/**
 * The wanted files of a commit, by absolute paths: unfiltered. A path that is not in it gives nothing. A pointer — a symbolic
 * link, another repository — is refused where it may lead to wanted files: skipped, it would look as if there were none. `named`:
 * the paths of policies that are asked for.
 */
export function filesAt(reference: string, io: Io, named: readonly string[], isWanted: (file: string) => boolean): readonly ListedFile[] {
  if (reference === '' || reference.startsWith('-')) throw new Refusal(`git:${reference}: expected a commit, branch or tag`)
  const top = repositoryTop(io)
  const commit = objectOf(reference, 'tree', io, `git:${reference}`)
  const tops = named.map((path) => resolve(io.cwd, path))
  for (const [i, path] of tops.entries())
    if (!isWithin(path, top))
      throw new Refusal(`git:${reference}:${named[i]}: outside of the repository`, 'name a path in it, seen from the working folder')
  const entries = entriesOf(commit, top, io)
  const unread = entries.find(({ mode, path }) => mode.startsWith('100') && tops.includes(path) && notationOf(path) === undefined)
  if (unread)
    throw new Refusal(
      `git:${reference}: ${displayPath(unread.path, io.cwd)}: unsupported file type: expected a name that ends in ${fileEndings}`,
    )
  refusePointers(entries, tops, top, reference, io, isWanted)
  const files = entries.filter(({ mode, path }) => mode.startsWith('100') && notationOf(path) && isWanted(path))
  if (files.length === 0) return []
  const attributes = attributesIn(entries, files, top, reference, io)
  return contents(files, `git:${reference}`, io).map((file) => ({
    ...file,
    rewritings: rewritingsOf(attributes, portable(relative(top, file.path))),
  }))
}

/** All that a tree holds, by absolute paths. */
export function entriesOf(tree: string, top: string, io: Io): readonly Entry[] {
  return remembered(io, 'entries', [tree], () =>
    distinctNames(git(['ls-tree', '-r', '-z', '--full-tree', tree], io)).map((field) => {
      const tab = field.indexOf('\t')
      const [mode = '', , id = ''] = field.slice(0, tab).split(' ')
      return { mode, id, path: join(top, field.slice(tab + 1)) }
    }),
  )
}

/** The rules in the `.gitattributes` files of a commit above wanted files. */
export function attributesIn(
  entries: readonly Entry[],
  files: readonly Entry[],
  top: string,
  reference: string,
  io: Io,
): readonly AttributeFile[] {
  const all = entries.filter(({ path }) => basename(path) === '.gitattributes' && files.some((file) => isWithin(file.path, dirname(path))))
  if (all.length === 0) return []
  const refuse = (path: string, why: string): never => {
    throw new Refusal(`git:${reference}: ${displayPath(path, io.cwd)}: ${why}`)
  }
  for (const { path, mode } of all) if (!mode.startsWith('100')) refuse(path, refusals.link)
  return contents(all, `git:${reference}`, io)
    .map(({ path, bytes = Buffer.alloc(0) }) => {
      const folder = portable(relative(top, dirname(path)))
      const rules = readAttributeFile(folder === '' ? '' : `${folder}/`, bytes.toString('utf8'))
      return typeof rules === 'string' ? refuse(path, rules) : rules
    })
    .sort((a, b) => a.folder.length - b.folder.length)
}

export interface Entry extends Staged {
  readonly mode: string
}

const [linkMode, repositoryMode] = ['120000', '160000']

export function refusePointers(
  entries: readonly Entry[],
  tops: readonly string[],
  top: string,
  reference: string,
  io: Io,
  isWanted: (file: string) => boolean,
): void {
  const pointers = entries.filter(({ mode }) => mode === linkMode || mode === repositoryMode)
  const isWantedBelow = (path: string) => exampleFileNames.some((name) => isWanted(join(path, name)))
  const wantedPointers = pointers.filter(({ path }) => isWanted(path) || isWantedBelow(path) || tops.some((each) => isWithin(each, path)))
  const refuse = ({ path, mode }: Entry) => {
    throw new Refusal(
      `git:${reference}: ${displayPath(path, io.cwd)} is ${mode === linkMode ? 'a symbolic link, which is not followed' : 'another repository, which this commit only names'}`,
      mode === linkMode ? 'name the file or folder it points to' : 'name paths next to it, and compare what it holds in a clone of it',
    )
  }
  for (const entry of wantedPointers) if (entry.mode === repositoryMode || tops.some((each) => isWithin(each, entry.path))) refuse(entry)
  const targets = wantedPointers.length === 0 ? [] : contents(wantedPointers, `git:${reference}`, io)
  for (const [i, entry] of wantedPointers.entries()) {
    const target = resolve(dirname(entry.path), targets[i]?.bytes?.toString('utf8') ?? '')
    const isElsewhere = !isWithin(target, top) || pointers.some(({ path }) => isWithin(target, path))
    const isFolder = entries.some(({ path }) => path !== target && isWithin(path, target))
    if (isElsewhere) refuse(entry)
    // A file that is also read at its own path need not be read through the link.
    else if (isFolder && exampleFileNames.some((name) => isWanted(join(entry.path, name)) && !isWanted(join(target, name)))) refuse(entry)
    else if (!isFolder && notationOf(entry.path) !== undefined) {
      const isRead = entries.some(({ path, mode }) => path === target && mode.startsWith('100')) && notationOf(target) && isWanted(target)
      if (!isRead || ownFile.test(basename(target))) refuse(entry)
    }
  }
}

/** Whether git tracks anything at or below a path: absolute. */
export function isTracked(path: string, io: Io): boolean {
  return git(['ls-files', '-z', '--', path], io).length > 0
}

/** Whether a name means a commit here, or several. False where git cannot say. */
export function isReference(name: string, io: Io): boolean {
  try {
    objectOf(name, 'commit', io, name)
    return true
  } catch (error) {
    if (error instanceof Refusal) return error instanceof Unsure
    throw error
  }
}

/**
 * The id of a commit, or of a tree: of a commit, or one that git has written by itself, as `git merge-tree --write-tree` does. What
 * git only warns of is refused: a name of several commits, and a date before the first that the reflog knows.
 */
export function objectOf(reference: string, kind: 'commit' | 'tree', io: Io, named: string): string {
  return remembered(io, kind, [reference], () => askedObject(reference, kind, io, named))
}

function askedObject(reference: string, kind: 'commit' | 'tree', io: Io, named: string): string {
  try {
    const exact = exactReference(reference, kind, io, named)
    const { stdout, stderr } = run(['rev-parse', '--verify', '--end-of-options', `${exact}^{${kind}}`], io)
    const since = /^warning: log for .* only goes back to (.*)$/m.exec(stderr.toString('utf8'))?.[1]
    if (since !== undefined)
      throw new Unsure(
        `${named}: the reflog only goes back to ${shown(since)}, so that git would take the oldest commit it knows`,
        'name a commit, a branch or a tag',
      )
    return stdout.toString('latin1').trim()
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    throw new Refusal(`${named}: no such commit`, 'in a shallow clone, fetch it first')
  }
}

/** A ref that a name may mean. */
interface Ref {
  /** Its whole name: `refs/heads/main`. */
  readonly name: string
  readonly commit: string
}

/** Where a branch and its upstream are asked for, which only a branch of this repository has. */
const upstream = /^@\{(?:u|upstream|push|-\d+)\}/i

/**
 * A reference with the full name of its ref. Git takes the first of several refs of one name, tags before branches, so that a
 * user who may push a tag `origin/main` would choose the commit. Refused where a name means more than one commit, and where one
 * that looks like a branch of a remote is something else.
 */
function exactReference(reference: string, kind: 'commit' | 'tree', io: Io, named: string): string {
  const name = /^(?:[^~^:@]|@(?!\{))*/.exec(reference)?.[0] ?? ''
  const rest = reference.slice(name.length)
  if (name === '' || name === '@' || /^(?:[A-Z]+_)?HEAD$/.test(name) || upstream.test(rest)) return reference
  const isHash = /^[0-9a-f]{4,64}$/i.test(name)
  // Whole hashes go before names.
  if (isHash && idOf(name, io) === name.toLowerCase()) return reference
  const refs = refsNamed(name, kind, io)
  const hash = isHash ? name : /-g([0-9a-f]{4,64})$/.exec(name)?.[1]
  const objects = refs.length === 0 || hash === undefined ? [] : commitsOf(hash, kind, io)
  if (new Set([...refs.map(({ commit }) => commit), ...objects]).size > 1) {
    const all = [...refs.map((ref) => `\`${shown(ref.name)}\``), ...(objects.length > 0 ? ['a commit whose hash begins so'] : [])]
    throw new Unsure(`${named}: \`${shown(name)}\` is ambiguous: ${all.join(', ')}`, 'write the whole name, such as `refs/heads/main`')
  }
  const expected = namespaceOf(name, io)
  const ref = refs.find((each) => expected === undefined || each.name === `${expected}${name}`)
  if (ref) return ref.name + rest
  const [other] = refs
  if (!other && name.startsWith('refs/')) throw new GitFailure(name)
  if (!other) return reference
  throw new Unsure(
    `${named}: \`${shown(name)}\` reads as \`${expected}${shown(name)}\`, which is not here, and is \`${shown(other.name)}\``,
    `fetch what is missing, or write \`${shown(other.name)}\``,
  )
}

/** Where a name with a slash says that it belongs: below `refs/` itself, or with the branches of a remote. */
function namespaceOf(name: string, io: Io): string | undefined {
  const [first = '', second] = name.split('/', 2)
  if (second === undefined) return undefined
  if (first === 'refs') return ''
  if (['heads', 'tags', 'remotes'].includes(first)) return 'refs/'
  // Names of remotes may have slashes.
  const remotes = git(['remote'], io).toString('utf8').split('\n').filter(Boolean)
  return remotes.some((remote) => name.startsWith(`${remote}/`)) ? 'refs/remotes/' : undefined
}

/** The refs that git may take a name for, first those that it would; and for a tag, the branches of that name on remotes. */
function refsNamed(name: string, kind: 'commit' | 'tree', io: Io): readonly Ref[] {
  const exact = [name, `refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`, `refs/remotes/${name}`, `refs/remotes/${name}/HEAD`]
  // No ref has such a name: patterns, above all.
  if (/[\s*?[\\~^:]/.test(name)) return []
  const refs = git(['for-each-ref', '--format=%(refname)', ...exact.slice(name.startsWith('refs/') ? 0 : 1), `refs/remotes/*/${name}`], io)
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
  const exactRefs = exact.filter((each) => refs.includes(each))
  const remote = refs.filter((each) => !exact.includes(each) && each.startsWith('refs/remotes/') && each.endsWith(`/${name}`))
  const all = exactRefs.length > 0 && exactRefs.every((each) => each.startsWith('refs/tags/')) ? [...exactRefs, ...remote] : exactRefs
  return all.flatMap((each) => {
    const commit = idOf(`${each}^{${kind}}`, io)
    return commit === undefined ? [] : [{ name: each, commit }]
  })
}

/** The commits, or trees, whose hashes begin with what is given. */
function commitsOf(hash: string, kind: 'commit' | 'tree', io: Io): readonly string[] {
  const ids = git(['rev-parse', `--disambiguate=${hash}`], io)
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
  // A tree or a file with such a hash is not meant by a user.
  return ids.flatMap((id) => (idOf(`${id}^{commit}`, io) === undefined ? [] : (idOf(`${id}^{${kind}}`, io) ?? [])))
}

function idOf(name: string, io: Io): string | undefined {
  try {
    return git(['rev-parse', '--verify', '--quiet', '--end-of-options', name], io).toString('latin1').trim()
  } catch (error) {
    if (error instanceof GitFailure) return undefined
    throw error
  }
}

/** The commit that is checked out; undefined where there is none, or git cannot say. */
export function headCommit(io: Io): string | undefined {
  try {
    const { stdout, status } = gitEnd(['rev-parse', '--verify', '--quiet', 'HEAD'], io)
    return status === 0 ? stdout.toString('utf8').trim() : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** The text of a file as it was committed last; undefined where it was not, or git cannot say. */
export function committedText(file: string, io: Io): string | undefined {
  // No file has such a name, and no program takes it.
  if (file.includes('\0')) return undefined
  try {
    const { text } = decode(git(['show', `HEAD:./${basename(file)}`], { ...io, cwd: dirname(file) }))
    return text
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
