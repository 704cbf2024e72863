import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs'
import { extname, join, relative, resolve, sep } from 'node:path'
import type { Passed } from '../../coverage.ts'
import { limits, type Problem } from '../../lint/limits.ts'
import { type Notation, notationOf } from '../../source.ts'
import { displayPath, isWithin, portable } from '../app/paths.ts'
import { type IgnoreFile, isIgnored, readIgnoreFile } from './gitignore.ts'
import { bytesAt, isThere, isUnnameable, type Kind, kindAt, type Reader, reason, refusals, repositoryOf, unnameable } from './read-file.ts'

/** A search in a folder and all those in it. */
export interface Search {
  readonly top: string
  /** Whether a path, relative to it and with `/`, is wanted. */
  readonly wants: (path: string) => boolean
  /** Whether a file is one of our own, by its name: `ownFile` where it is not given. */
  readonly isOwn?: (name: string) => boolean
  /** The notation that a name promises: `notationOf` where it is not given. */
  readonly notation?: (name: string) => Notation | undefined
}

export function isGlob(path: string): boolean {
  return /[*?[\]{}]|[!+@]\(/.test(path)
}

/** What a path names that may be a folder or a glob: the search that it stands for; undefined where it names neither. */
export async function searchFor(path: string, kind: Kind, cwd: string): Promise<Search | undefined> {
  if (kind === 'folder') return { top: resolve(cwd, path), wants: () => true }
  return kind === 'missing' && isGlob(path) && !path.includes('\0') ? globSearch(path, cwd) : undefined
}

/** A glob is a search below its part without wildcards. */
async function globSearch(pattern: string, cwd: string): Promise<Search> {
  const { Minimatch } = await import('minimatch')
  const segments = portable(pattern).split('/')
  const first = segments.findIndex(isGlob)
  const top = resolve(cwd, `${segments.slice(0, first).join('/')}${first > 0 ? '/' : ''}`)
  const rest = segments.slice(first).filter((segment) => segment !== '' && segment !== '.')
  const matcher = new Minimatch(rest.join('/'), { nocomment: true, nonegate: true, dot: false })
  return { top, wants: (path) => matcher.match(path) }
}

/** Tests of configurations: their runs give values of their own to modules, and some are made to be wrong. */
export const configurationTest = /\.(?:tftest|tofutest)\.(?:hcl|json)$/
export const testReason = 'a test of `terraform test` or `tofu test`, which is not read'

/** Never policies of ours, whatever words they hold: the tool's own files. */
export const ownFile = /^\.grantwise\.(ya?ml|json)$|^\.grantwise-pull\.json$|\.iamtest\.(ya?ml|json)$/
export const ownReason = 'a file of grantwise itself'

const byGit = 'named by `.gitignore`'
const neverSearched = ['.git', 'node_modules', '.terraform']

interface Walk {
  readonly files: readonly { readonly path: string; readonly file: string }[]
  readonly problems: readonly Problem[]
  readonly passed: readonly Passed[]
  /** Symbolic links and special files among those passed over. */
  readonly skipped: number
}

/** A folder that is searched: its path from the top, with `/` after it. */
interface Place {
  readonly path: string
  readonly depth: number
  readonly ignores: readonly IgnoreFile[]
}

/** Search a folder, without following links and without what `.gitignore` files name. */
export function walkFolder(search: Search, reader: Reader): Walk {
  const { top } = search
  const { cwd, record } = reader
  const files: { path: string; file: string }[] = []
  const problems: Problem[] = []
  const passed: Passed[] = []
  const others = new Map<string, number>()
  let skipped = 0
  // Paths to ignore are relative to the top of the repository, so that its own .gitignore files count as well.
  const { prefix, ignores, unread } = ignoreFilesAbove(top, reader)
  for (const { file, message } of unread) problems.push({ path: displayPath(file, cwd), message })
  const shownTop = displayPath(top, cwd)
  const shownPrefix = shownTop === '.' ? '' : shownTop.endsWith('/') ? shownTop : `${shownTop}/`
  const filePrefix = top.endsWith(sep) ? top : top + sep
  const open: Place[] = [{ path: '', depth: 0, ignores }]
  for (let next = open.pop(); next; next = open.pop()) {
    const folder = filePrefix + (sep === '/' ? next.path : next.path.replaceAll('/', sep))
    let entries: Dirent[]
    try {
      entries = readdirSync(folder, { withFileTypes: true })
    } catch (error) {
      problems.push({ path: displayPath(folder, cwd), message: `cannot be searched: ${reason(error)}` })
      continue
    }
    const hasOwn = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
    const own = hasOwn ? ignoreFileIn(folder, prefix + next.path, reader) : undefined
    if (own?.message !== undefined) problems.push({ path: `${shownPrefix}${next.path}.gitignore`, message: own.message })
    const here = own?.rules ? { ...next, ignores: [...next.ignores, own.rules] } : next
    for (const entry of entries) {
      const path = here.path + entry.name
      const shown = shownPrefix + path
      const seen = judged(entry, folder, here, prefix, search)
      if (seen.as === 'file') files.push({ path: shown, file: folder + entry.name })
      else if (seen.as === 'folder') open.push({ path: `${path}/`, depth: here.depth + 1, ignores: here.ignores })
      else if (seen.as === 'problem') problems.push({ path: shown, message: seen.why })
      else if (seen.why !== undefined) passed.push({ path: entry.isDirectory() ? `${shown}/` : shown, reason: seen.why })
      else if (record?.isAsked && seen.as === 'other' && !(search.notation ?? notationOf)(entry.name))
        others.set(extname(entry.name), (others.get(extname(entry.name)) ?? 0) + 1)
      if (seen.as === 'skipped') skipped++
      // One more than is allowed is enough to know.
      if (files.length > limits.files) return { files, problems, passed, skipped }
    }
  }
  record?.pass([...others].map(([ending, count]) => ({ path: `${shownPrefix}**/*${ending}`, reason: 'another kind of file', count })))
  return { files, problems, passed, skipped }
}

/** What an entry of a folder is to a search. */
type Seen =
  | { readonly as: 'file' | 'folder' | 'other'; readonly why?: undefined }
  | { readonly as: 'problem' | 'passed' | 'skipped'; readonly why: string }

/** What an entry of a folder is; `prefix`: the path of the top from that of the repository. */
function judged(entry: Dirent, folder: string, here: Place, prefix: string, search: Search): Seen {
  const { top, wants, isOwn = (name) => ownFile.test(name), notation = notationOf } = search
  const { name } = entry
  const path = here.path + name
  const isIgnoredHere = () => isIgnored(here.ignores, prefix + path, entry.isDirectory())
  if (isUnnameable(name) && (entry.isDirectory() || notation(name)) && !isThere(folder + name)) return { as: 'problem', why: unnameable }
  if (entry.isDirectory()) {
    if (neverSearched.includes(name)) return { as: 'passed', why: 'never searched' }
    if (isIgnoredHere()) return { as: 'passed', why: byGit }
    return here.depth + 1 > limits.depth ? { as: 'problem', why: `more than ${limits.depth} folders deep` } : { as: 'folder' }
  }
  const isLink = entry.isSymbolicLink()
  const away = isLink && !isIgnoredHere() && wants(path) ? leadsAway(folder + name, top) : undefined
  if (away !== undefined) return { as: 'problem', why: `${refusals.link}: ${away}` }
  if (configurationTest.test(name) && !isIgnoredHere()) return { as: 'passed', why: testReason }
  if (!notation(name)) return { as: 'other' }
  const isSpecial = !isLink && !entry.isFile()
  if (isSpecial && !isIgnoredHere() && wants(path)) return { as: 'problem', why: refusals.special }
  if (isOwn(name)) return { as: 'passed', why: ownReason }
  if (isIgnoredHere()) return { as: 'passed', why: byGit }
  if (!wants(path)) return { as: 'other' }
  return isLink ? { as: 'skipped', why: refusals.link } : { as: 'file' }
}

/**
 * How a link leads out of a folder that is searched, to a folder or to a file that may hold policies; undefined where it does
 * not. What it names inside is found where it is; what it names outside would be silently skipped.
 */
function leadsAway(link: string, top: string): string | undefined {
  try {
    const target = realpathSync(link)
    if (isWithin(target, realpathSync(top))) return undefined
    const mayHold = statSync(target).isDirectory() || notationOf(link) !== undefined
    return mayHold ? 'it leads out of the folder, to what may hold policies' : undefined
  } catch (error) {
    // It leads nowhere, or in a circle: nothing is skipped.
    const why = reason(error)
    return why === refusals.missing || why === refusals.link ? undefined : `where it leads cannot be seen: ${why}`
  }
}

/** The `.gitignore` files of the folders above, up to the top of the repository; none outside of one. */
function ignoreFilesAbove(
  top: string,
  reader: Reader,
): {
  readonly prefix: string
  readonly ignores: readonly IgnoreFile[]
  readonly unread: readonly { readonly file: string; readonly message: string }[]
} {
  const root = repositoryOf(top)
  if (root === undefined || root === top) return { prefix: '', ignores: [], unread: [] }
  const names = relative(root, top).split(sep)
  const ignores: IgnoreFile[] = []
  const unread: { file: string; message: string }[] = []
  let folder = root
  let path = ''
  for (const name of names) {
    const { rules, message } = ignoreFileIn(folder, path, reader)
    if (rules) ignores.push(rules)
    if (message !== undefined) unread.push({ file: join(folder, '.gitignore'), message })
    folder = join(folder, name)
    path += `${name}/`
  }
  return { prefix: path, ignores, unread }
}

/** A `.gitignore` file, or why one that is there cannot be read: without it, more would be taken for policies. */
function ignoreFileIn(folder: string, path: string, reader: Reader): { readonly rules?: IgnoreFile; readonly message?: string } {
  const file = join(folder, '.gitignore')
  const { bytes, message } = bytesAt(file, 'settings', reader)
  if (bytes) return { rules: readIgnoreFile(path, bytes.toString('utf8')) }
  return kindAt(file) === 'file' ? { message } : {}
}
