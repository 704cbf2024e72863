import { type Dirent, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import type { Skipped } from '../../coverage.ts'
import { searchFault } from '../../lint/globs.ts'
import { cut } from '../../report/safe.ts'
import { type Notation, notationOf } from '../../source.ts'
import { limits, ownReason, type Problem } from '../../sources/limits.ts'
import { displayPath, isWithin, portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { TrackedFiles } from './git-folder.ts'
import { type AttributeFile, type Rewriting, rewritingsOf } from './gitattributes.ts'
import { type IgnoreFile, isIgnored, readIgnoreFile } from './gitignore.ts'
import {
  bytesAt,
  invalidNameProblem,
  isThere,
  isUnnameable,
  type Kind,
  kindAt,
  type Reader,
  reason,
  refusals,
  repositoryOf,
} from './read-file.ts'
import { attributeFileIn, attributesAbove } from './rewritten.ts'

/** A search in a folder and all those in it. */
export interface Search {
  readonly top: string
  /** Whether a path, relative to it and with `/`, is wanted. */
  readonly wants: (path: string) => boolean
  /** Whether a file is one of our own, by its name: `ownFile` where it is not given. */
  readonly isOwn?: (name: string) => boolean
  /** The notation that a name promises: `notationOf` where it is not given. */
  readonly notation?: (name: string) => Notation | undefined
  /** Decisions depend on the files: one that is certainly deployed and is missing here is a problem. */
  readonly decides?: boolean
  /** The things that are searched for, in messages: policies where it is not given. */
  readonly holds?: string
}

export function isGlob(path: string): boolean {
  return /[*?[\]{}]|[!+@]\(/.test(path)
}

/** The search for a path that is a folder or a glob; undefined where it is neither. */
export async function searchFor(path: string, kind: Kind, cwd: string): Promise<Search | undefined> {
  if (kind === 'folder') return { top: resolve(cwd, path), wants: () => true }
  return kind === 'missing' && isGlob(path) && !path.includes('\0') ? globSearch(path, cwd) : undefined
}

/** How much of a pattern is shown that cannot be used. */
const longestShown = 80

/** A glob is a search below its part without wildcards. */
async function globSearch(pattern: string, cwd: string): Promise<Search> {
  const fault = searchFault(pattern)
  if (fault) throw new Refusal(`${cut(pattern, longestShown)}: ${fault.message}`, fault.help)
  const { Minimatch } = await import('minimatch')
  const segments = portable(pattern).split('/')
  const first = segments.findIndex(isGlob)
  const top = resolve(cwd, `${segments.slice(0, first).join('/')}${first > 0 ? '/' : ''}`)
  const rest = segments.slice(first).filter((segment) => segment !== '' && segment !== '.')
  const matcher = new Minimatch(rest.join('/'), { nocomment: true, nonegate: true, dot: false })
  return { top, wants: (path) => matcher.match(path) }
}

/** Tests of configurations: their runs give their own values to modules, and some are wrong on purpose. */
export const configurationTest = /\.(?:tftest|tofutest)\.(?:hcl|json)$/
export const testReason = 'a test of `terraform test` or `tofu test`, which is not read'

/** The tool's own files: never policies, even if they have their words. */
export const ownFile = /^\.grantwise\.(ya?ml|json)$|^access-budget\.yaml$|^\.grantwise-pull\.json$|\.iamtest\.(ya?ml|json)$/

/** Why a submodule without files is not read. */
export const notCheckedOut =
  'another repository that is not checked out, and may hold policies: `git submodule update --init`, or limit `policies` of the configuration to other folders'
const byGit = 'named by `.gitignore`'
const neverSearched = ['.git', 'node_modules', '.terraform']

/** The folder of the cache where no packages are installed. */
export const cacheFolderName = '.grantwise_cache'

/** Whether an entry of a folder is the cache, which is no part of what is searched. One that git tracks is a folder as any other. */
export function isCache({ name }: Dirent, folder: string, tracked: TrackedFiles): boolean {
  return name === cacheFolderName && !tracked.hasBelow(join(folder, name))
}

/** A file that a search finds. */
interface Found {
  /** As shown to users. */
  readonly path: string
  /** Absolute. */
  readonly file: string
  /** How what is deployed of it may differ from what a commit holds. */
  readonly rewritings?: readonly Rewriting[]
}

interface Walk {
  readonly files: readonly Found[]
  /** Files with names of our own, which are read for what does not belong there. */
  readonly own: readonly Found[]
  readonly problems: readonly Problem[]
  readonly passed: readonly Skipped[]
  /** Symbolic links and special files among the skipped ones. */
  readonly skipped: number
}

/** A folder that is searched: its path from the top, with `/` after it. */
interface Place {
  readonly path: string
  readonly depth: number
  readonly ignores: readonly IgnoreFile[]
  readonly attributes: readonly AttributeFile[]
  /** Set for a folder that is ignored, or never searched, and holds files that git tracks: only these are looked at, and this is why. */
  readonly onlyTracked?: string
}

/** A link that leads to somewhere within the folder that is searched. */
interface InnerLink {
  /** From the top. */
  readonly path: string
  readonly shown: string
  /** Its target, from the top. */
  readonly target: string
  readonly isFolder: boolean
}

/**
 * Search a folder, without following links and without the files that `.gitignore` names. Tracked files are searched in any
 * folder: they are deployed with the rest, and users who change the repository may change its `.gitignore` files.
 */
export function walkFolder(search: Search, reader: Reader): Walk {
  const { top } = search
  const { cwd, record } = reader
  const files: Found[] = []
  const ownFiles: Found[] = []
  const problems: Problem[] = []
  const passed: Skipped[] = []
  const links: InnerLink[] = []
  const searched = new Set<string>()
  const tracked = new TrackedFiles()
  const others = new Map<string, number>()
  let skipped = 0
  // Paths to ignore are relative to the top of the repository, so that its own .gitignore files count as well.
  const { prefix, ignores, unread } = ignoreFilesAbove(top, reader)
  const above = attributesAbove(top, reader)
  for (const { file, message } of [...unread, ...above.unread]) problems.push({ path: displayPath(file, cwd), message })
  const shownTop = displayPath(top, cwd)
  const shownPrefix = shownTop === '.' ? '' : shownTop.endsWith('/') ? shownTop : `${shownTop}/`
  const filePrefix = top.endsWith(sep) ? top : top + sep
  const open: Place[] = [{ path: '', depth: 0, ignores, attributes: above.attributes }]
  for (let next = open.pop(); next; next = open.pop()) {
    const folder = filePrefix + (sep === '/' ? next.path : next.path.replaceAll('/', sep))
    let entries: Dirent[]
    try {
      entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => !isCache(entry, folder, tracked))
    } catch (error) {
      problems.push({ path: displayPath(folder, cwd), message: `cannot be searched: ${reason(error)}` })
      continue
    }
    searched.add(next.path)
    // Git has no empty folders: one may be another repository that is not checked out.
    if (entries.length === 0 && tracked.isModule(next.path === '' ? top : folder.slice(0, -1))) {
      const isNamed = next.path === ''
      if (search.decides || isNamed) problems.push({ path: isNamed ? shownTop : shownPrefix + next.path, message: notCheckedOut })
      else passed.push({ path: shownPrefix + next.path, reason: notCheckedOut })
    }
    const { here, unread } = placeIn(next, entries, folder, prefix, reader)
    for (const { name, message } of unread) problems.push({ path: `${shownPrefix}${next.path}${name}`, message })
    for (const entry of entries) {
      const path = here.path + entry.name
      const shown = shownPrefix + path
      const seen = judged(entry, folder, here, prefix, search, tracked)
      if (seen.as === 'file' || seen.as === 'own') {
        const rewritings = seen.as === 'file' ? rewritingsOf(here.attributes, prefix + path) : []
        const file = folder + entry.name
        const walked = rewritings.length > 0 ? { path: shown, file, rewritings } : { path: shown, file }
        if (seen.as === 'own') ownFiles.push(walked)
        else files.push(walked)
      } else if (seen.as === 'folder')
        open.push({
          ...here,
          path: `${path}/`,
          depth: here.depth + 1,
          ...(seen.onlyTracked !== undefined && { onlyTracked: seen.onlyTracked }),
        })
      else if (seen.as === 'problem') problems.push({ path: shown, message: seen.why })
      else if (seen.why !== undefined) passed.push({ path: entry.isDirectory() ? `${shown}/` : shown, reason: seen.why })
      else if (record?.isAsked && seen.as === 'other' && !(search.notation ?? notationOf)(entry.name))
        others.set(extname(entry.name), (others.get(extname(entry.name)) ?? 0) + 1)
      if (seen.as === 'skipped') skipped++
      if (seen.inner !== undefined) links.push({ path, shown, ...seen.inner })
      // One more than is allowed is enough to know.
      if (files.length > limits.files) return { files, own: ownFiles, problems, passed, skipped }
    }
  }
  record?.pass([...others].map(([ending, count]) => ({ path: `${shownPrefix}**/*${ending}`, reason: 'another kind of file', count })))
  // Most folders have no links.
  const isRead = new Set(links.length > 0 ? files.map(({ file }) => relative(top, file).split(sep).join('/')) : [])
  for (const link of links) {
    if (isCovered(link, isRead, searched, search)) continue
    problems.push({ path: link.shown, message: `${refusals.link}: it leads to \`${shownPrefix}${link.target}\`, which is not read` })
  }
  for (const [folder, fault] of tracked.faults)
    problems.push({
      path: displayPath(join(folder, '.git'), cwd),
      message: `what git tracks is not known, and so what to search: ${fault}`,
    })
  return { files, own: ownFiles, problems, passed, skipped }
}

/** A folder with what its own files say of what is in it. */
function placeIn(next: Place, entries: readonly Dirent[], folder: string, prefix: string, reader: Reader) {
  const holds = (name: string) => entries.some((entry) => entry.name === name && !entry.isDirectory())
  const ignore = holds('.gitignore') ? ignoreFileIn(folder, prefix + next.path, reader) : {}
  const attributes = holds('.gitattributes') ? attributeFileIn(folder, prefix + next.path, reader) : {}
  const here: Place = {
    ...next,
    ...(ignore.rules && { ignores: [...next.ignores, ignore.rules] }),
    ...(attributes.rules && { attributes: [...next.attributes, attributes.rules] }),
  }
  const unread = [
    { name: '.gitignore', message: ignore.message },
    { name: '.gitattributes', message: attributes.message },
  ].flatMap(({ name, message }) => (message === undefined ? [] : [{ name, message }]))
  return { here, unread }
}

/** Whether what a link leads to is read where it is. */
function isCovered(
  { path, target, isFolder }: InnerLink,
  isRead: ReadonlySet<string>,
  searched: ReadonlySet<string>,
  search: Search,
): boolean {
  const { top, wants, notation = notationOf } = search
  if (!isFolder) return isRead.has(target)
  if (!searched.has(target === '' ? '' : `${target}/`)) return !holdsNotation(join(top, target), notation)
  return exampleFileNames.every((name) => !wants(`${path}/${name}`) || wants(target === '' ? name : `${target}/${name}`))
}

/** Names of files of each kind. */
export const exampleFileNames = ['x.yaml', 'x.yml', 'x.json', 'x.tf', 'x.tofu'] as const
/** How many names are looked at in a folder that is not searched. */
const mostNames = 2000

/** Whether a folder that is not searched holds files that would be read; also true where that is not known. */
function holdsNotation(folder: string, notation: (name: string) => Notation | undefined): boolean {
  const open = [folder]
  let remaining = mostNames
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    try {
      for (const entry of readdirSync(next, { withFileTypes: true })) {
        if (remaining-- === 0) return true
        if (entry.isDirectory()) open.push(join(next, entry.name))
        else if (notation(entry.name)) return true
      }
    } catch {
      return true
    }
  }
  return false
}

/** The role of a folder's entry in a search. */
type Seen =
  | { readonly as: 'file' | 'own' | 'other'; readonly why?: undefined; readonly inner?: undefined }
  | { readonly as: 'folder'; readonly onlyTracked?: string; readonly why?: undefined; readonly inner?: undefined }
  | { readonly as: 'problem' | 'passed' | 'skipped'; readonly why: string; readonly inner?: Pick<InnerLink, 'target' | 'isFolder'> }
  | { readonly as: 'link'; readonly why?: undefined; readonly inner: Pick<InnerLink, 'target' | 'isFolder'> }

/** The role of a folder's entry; `prefix`: the path of the top from that of the repository. */
function judged(entry: Dirent, folder: string, here: Place, prefix: string, search: Search, tracked: TrackedFiles): Seen {
  const { wants, isOwn = (name) => ownFile.test(name), notation = notationOf } = search
  const { name } = entry
  const path = here.path + name
  // Why it is not looked at, unless git tracks it.
  const aside = () => here.onlyTracked ?? (isIgnored(here.ignores, prefix + path, entry.isDirectory()) ? byGit : undefined)
  const passedFor = () => {
    const why = aside()
    return why !== undefined && !tracked.has(folder + name) ? why : undefined
  }
  if (isUnnameable(name) && (entry.isDirectory() || notation(name)) && !isThere(folder + name))
    return { as: 'problem', why: invalidNameProblem }
  if (entry.isDirectory()) {
    const why = neverSearched.includes(name) ? 'never searched' : aside()
    if (why !== undefined && (name === '.git' || !tracked.hasBelow(folder + name))) return { as: 'passed', why }
    if (here.depth + 1 > limits.depth) return { as: 'problem', why: `more than ${limits.depth} folders deep` }
    return { as: 'folder', ...(why !== undefined && { onlyTracked: why }) }
  }
  const isLink = entry.isSymbolicLink()
  // A folder of installed packages may be a link, and is not searched either.
  if (isLink && neverSearched.includes(name) && !tracked.has(folder + name)) return { as: 'passed', why: 'never searched' }
  const leads = isLink && wants(path) && passedFor() === undefined ? whereTo(folder + name, search) : undefined
  if (leads?.away !== undefined) return { as: 'problem', why: `${refusals.link}: ${leads.away}` }
  const inner = leads?.inner
  if (inner?.isFolder) return { as: 'link', inner }
  if (configurationTest.test(name) && passedFor() === undefined) return { as: 'passed', why: testReason }
  if (!notation(name)) return { as: 'other' }
  const isSpecial = !isLink && !entry.isFile()
  if (isSpecial && wants(path) && passedFor() === undefined) return { as: 'problem', why: refusals.special }
  if (isOwn(name))
    return isLink || isSpecial || !wants(path) || passedFor() !== undefined ? { as: 'passed', why: ownReason } : { as: 'own' }
  const why = passedFor()
  if (why !== undefined) return { as: 'passed', why }
  if (!wants(path)) return { as: 'other' }
  return isLink ? { as: 'skipped', why: refusals.link, ...(inner && { inner }) } : { as: 'file' }
}

/**
 * Where a link leads: out of a folder that is searched, to a folder or to a file that may hold policies, which would be silently
 * skipped; or to what is in it. One that leads nowhere here may lead to policies where it is deployed: if its name is one that is read,
 * or it leads out of the repository.
 */
function whereTo(
  link: string,
  { top, decides, holds = 'policies', notation = notationOf }: Search,
): { readonly away?: string; readonly inner?: Pick<InnerLink, 'target' | 'isFolder'> } {
  try {
    const [target, realTop] = [realpathSync(link), realpathSync(top)]
    const isFolder = statSync(target).isDirectory()
    if (isWithin(target, realTop)) return { inner: { target: relative(realTop, target).split(sep).join('/'), isFolder } }
    const mayHold = isFolder || notation(basename(link)) !== undefined
    return mayHold ? { away: `it leads out of the folder, to what may hold ${holds}` } : {}
  } catch (error) {
    const why = reason(error)
    if (why !== refusals.missing && why !== refusals.link) return { away: `where it leads cannot be seen: ${why}` }
    // Of a file that is open in an editor: it names who has opened it.
    if (!decides || basename(link).startsWith('.#')) return {}
    const isOut = !isWithin(resolve(dirname(link), readlinkSync(link)), repositoryOf(top) ?? top)
    return isOut || notation(basename(link)) !== undefined ? { away: 'it leads nowhere here' } : {}
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
