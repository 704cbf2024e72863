import { isAscii, isUtf8 } from 'node:buffer'
import {
  closeSync,
  constants,
  createReadStream,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { compareText } from '../../diagnostic.ts'
import { limits, type Passed, type Problem } from '../../lint/limits.ts'
import { looksLikeRules } from '../../parser/rules-text.ts'
import { isActionLines, isMarkdown } from '../../parser/tree.ts'
import { type Notation, notationOf, type Source, sourceOf } from '../../source.ts'
import type { Io } from '../app/io.ts'
import { displayPath, isBelow, isWithin } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { type IgnoreFile, isIgnored, readIgnoreFile } from './gitignore.ts'

/** A file to be read. */
export interface Candidate {
  /** As shown to people. */
  readonly path: string
  /** Absolute; undefined for standard input. */
  readonly file: string | undefined
  /** Undefined for standard input without a name: its first character decides. */
  readonly notation: Notation | undefined
  /** Named on the command line, and not found in a folder: it must hold a policy. */
  readonly isNamed: boolean
  /** What it holds, where that is not to be read from the file: from git's index. */
  readonly bytes?: Buffer
}

/** What is to be read. */
export interface Selection {
  /** Files, folders, globs, or `-` for standard input. */
  readonly paths: readonly string[]
  /** Files by their names alone, no globs: from a list. */
  readonly listed?: readonly Listed[]
  /** The path of standard input: determines its notation and configuration. */
  readonly stdinName?: string
  /** The notation of standard input, where its path does not determine it. */
  readonly stdinNotation?: Notation
  /** What is named is passed over when it holds no policy, or is of a kind that never does; nothing at all is fine then. */
  readonly ifPolicy?: boolean
  /** Nothing at all is fine: there may be nothing on a list. */
  readonly mayBeEmpty?: boolean
  /** Whether Markdown is read for its fenced code blocks: where it is named, or in folders too. */
  readonly fences?: 'named' | 'all'
  /** A file that is named may be a list of actions and nothing else. */
  readonly actionLists?: boolean
}

/** A file of a list. */
export interface Listed {
  /** Relative to the working folder, or absolute. */
  readonly path: string
  readonly bytes?: Buffer
  /** Asked for by its own name: it has to hold policies, whatever the selection says of the others. */
  readonly isNamed?: boolean
}

export interface Discovery {
  /** Sorted by path, no file twice. */
  readonly candidates: readonly Candidate[]
  readonly problems: readonly Problem[]
  /** Symbolic links and special files that were found and skipped. */
  readonly skipped: number
  /** What was passed over, where it was looked for. */
  readonly passed: readonly Passed[]
  /** The folders that were searched whole: absolute. */
  readonly searched: readonly string[]
}

/**
 * Find the files that a selection stands for. Nothing is read yet except `.gitignore` files; symbolic links are never
 * followed. The same paths give the same list whatever the file system's order.
 */
export async function discover(
  { paths, listed = [], stdinName, stdinNotation, ifPolicy = false, fences, actionLists }: Selection,
  cwd: string,
): Promise<Discovery> {
  const named = (path: string): Notation | undefined =>
    notationOf(path) ?? (fences && isMarkdown(path) ? 'markdown' : actionLists && isActionLines(path) ? 'actions' : undefined)
  const found = new Map<string, Candidate>()
  const problems: Problem[] = []
  const passed: Passed[] = []
  const searched: string[] = []
  let skipped = 0
  const isTest = (file: string, isNamed: boolean) => {
    if (!configurationTest.test(file)) return false
    const path = displayPath(file, cwd)
    if (isNamed) problems.push({ path, message: `${testReason}: name the folder of the configuration` })
    else passed.push({ path, reason: testReason })
    return true
  }
  const name = (file: string, bytes?: Buffer, isNamed = !ifPolicy) => {
    const path = displayPath(file, cwd)
    if (isTest(file, isNamed)) return
    const notation = named(file) ?? (isNamed && textName.test(file) ? 'rules' : undefined)
    if (!isNamed && (notation === undefined || ownFile.test(basename(file)))) {
      passed.push({ path, reason: notation === undefined ? notRead : ownReason })
      return
    }
    if (notation) found.set(file, { path, file, notation, isNamed, ...(bytes && { bytes }) })
    else if (isMarkdown(file)) problems.push({ path, message: 'Markdown: its policies are examples; only `lint` reads them' })
    else problems.push({ path, message: `unsupported file type: expected a name that ends in ${endings}` })
  }
  const search = (path: string, { top, wants }: Search) => {
    const notation =
      fences === 'all' || isMarkdown(path) ? (name: string) => notationOf(name) ?? (isMarkdown(name) ? named(name) : undefined) : notationOf
    const walk = walkFolder(top, cwd, wants, isOwn, notation)
    for (const each of walk.files) {
      if (!found.has(each.file)) found.set(each.file, { ...each, notation: notation(each.file), isNamed: false })
    }
    problems.push(...walk.problems)
    passed.push(...walk.passed)
    skipped += walk.skipped
    if (path !== '' && walk.files.length === 0) problems.push({ path, message: `the pattern matches no file that ends in ${endings}` })
  }
  const refuse = (file: string, kind: Exclude<Kind, 'file' | 'folder'>) => {
    // A list may name what is no file of its own any more.
    if (ifPolicy && (kind === 'link' || kind === 'special')) passed.push({ path: displayPath(file, cwd), reason: refusals[kind] })
    else
      problems.push({
        path: displayPath(file, cwd),
        message: kind === 'missing' && isUnnameable(file) ? `${refusals.missing}, or ${unnameable}` : refusals[kind],
      })
  }
  for (const path of paths) {
    if (path === '-') {
      const file = stdinName === undefined ? undefined : resolve(cwd, stdinName)
      if (file !== undefined && isTest(file, !ifPolicy)) continue
      const notation = stdinNotation ?? (stdinName === undefined ? undefined : named(stdinName))
      found.set('-', { path: file === undefined ? '<stdin>' : displayPath(file, cwd), file: undefined, notation, isNamed: !ifPolicy })
      continue
    }
    const file = resolve(cwd, path)
    const kind = path === '' || path.includes('\0') ? 'missing' : kindAt(file)
    if (kind === 'file') name(file)
    else if (kind === 'folder') {
      searched.push(file)
      search('', { top: file, wants: () => true })
    } else if (kind === 'missing' && isGlob(path) && !path.includes('\0')) search(path, await globSearch(path, cwd))
    else if (path === '') problems.push({ path: "''", message: refusals[kind] })
    else refuse(file, kind)
  }
  for (const { path, bytes, isNamed } of listed) {
    const file = resolve(cwd, path)
    const kind = bytes ? 'file' : path.includes('\0') ? 'missing' : kindAt(file)
    if (kind === 'file') name(file, bytes, isNamed)
    else if (kind === 'folder') {
      if (ifPolicy) passed.push({ path: displayPath(file, cwd), reason: 'a folder' })
      else problems.push({ path: displayPath(file, cwd), message: 'a folder, expected a file' })
    } else refuse(file, kind)
  }
  problems.sort((a, b) => compareText(a.path, b.path) || compareText(a.message, b.message))
  if (found.size > limits.files) {
    // Which of them to read would be a guess.
    problems.push({ path: '', message: `more than ${limits.files} files to read: name fewer folders, or narrower ones` })
    return { candidates: [], problems, skipped, passed, searched }
  }
  return { candidates: [...found.values()].sort((a, b) => compareText(a.path, b.path)), problems, skipped, passed, searched }
}

/** Tests of configurations: their runs give values of their own to modules, and some are made to be wrong. */
const configurationTest = /\.(?:tftest|tofutest)\.(?:hcl|json)$/
const testReason = 'a test of `terraform test` or `tofu test`, which is not read'
const notRead = 'unsupported file type'
const ownReason = 'a file of grantwise itself'
/** Files that are taken for access rules where they are named: found in a folder, they may be anything. */
const textName = /\.(?:txt|rules)$/i
/** Whether a file is read where it is named, by its name: more than is read of a folder. */
export function isReadWhereNamed(path: string): boolean {
  return notationOf(path) !== undefined || isMarkdown(path) || isActionLines(path)
}
/** What the names of files that are read end in. */
export const endings = '`.json`, `.yaml`, `.yml`, `.tf` or `.tofu`'

type Kind = 'file' | 'folder' | 'link' | 'special' | 'missing' | 'closed'

/** A name that is not UTF-8 comes to us with signs in place of what is wrong in it, and cannot be opened by them. */
const unnameable = 'the name is not UTF-8, and cannot be opened: rename it'

function isUnnameable(path: string): boolean {
  return path.includes('\ufffd')
}

const refusals: Readonly<Record<Exclude<Kind, 'file' | 'folder'>, string>> = {
  link: 'a symbolic link, not followed: name the file it points to',
  special: 'not a regular file',
  missing: 'no such file or folder',
  closed: 'permission denied',
}

function kindAt(file: string): Kind {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (!stat) return 'missing'
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'special'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return isClosed(code) ? 'closed' : 'missing'
  }
}

/** Kept from us by the file system, or by the permissions that node itself was given. */
function isClosed(code: string | undefined): boolean {
  return code === 'EACCES' || code === 'EPERM' || code === 'ERR_ACCESS_DENIED'
}

function isThere(file: string): boolean {
  return kindAt(file) !== 'missing'
}

export function isGlob(path: string): boolean {
  return /[*?[\]{}]|[!+@]\(/.test(path)
}

interface Search {
  /** The folder to search. */
  readonly top: string
  /** Whether a path, relative to it and with `/`, is wanted. */
  readonly wants: (path: string) => boolean
}

/** A glob is a search below its part without wildcards. */
async function globSearch(pattern: string, cwd: string): Promise<Search> {
  const { Minimatch } = await import('minimatch')
  const segments = pattern.split('/')
  const first = segments.findIndex(isGlob)
  const top = resolve(cwd, `${segments.slice(0, first).join('/')}${first > 0 ? '/' : ''}`)
  const rest = segments.slice(first).filter((segment) => segment !== '' && segment !== '.')
  const matcher = new Minimatch(rest.join('/'), { nocomment: true, nonegate: true, dot: false })
  return { top, wants: (path) => matcher.match(path) }
}

/** Whether a file, given by its absolute path, is among what paths stand for, whether or not it is there. */
export async function withinPaths(paths: readonly string[], cwd: string): Promise<(file: string) => boolean> {
  const tests = await Promise.all(
    paths.map(async (path): Promise<(file: string) => boolean> => {
      const top = resolve(cwd, path)
      if (kindAt(top) === 'missing' && isGlob(path)) {
        const search = await globSearch(path, cwd)
        return (file) => isBelow(file, search.top) && search.wants(displayPath(file, search.top))
      }
      return (file) => file === top || isBelow(file, top)
    }),
  )
  return (file) => tests.some((test) => test(file))
}

interface Walk {
  readonly files: readonly { readonly path: string; readonly file: string }[]
  readonly problems: readonly Problem[]
  readonly passed: readonly Passed[]
  readonly skipped: number
}

/** Never policies of ours, whatever words they hold: the tool's own files. */
export const ownFile = /^\.grantwise\.(ya?ml|json)$|^\.grantwise-pull\.json$|\.iamtest\.(ya?ml|json)$/

const isOwn = (name: string) => ownFile.test(name)

/** The names of files of policy tests. */
const testFile = /\.iamtest\.(ya?ml|json)$/

/** A file of policy tests. */
export interface TestFile {
  /** As shown to people. */
  readonly path: string
  /** Absolute. */
  readonly file: string
  readonly notation: Notation
}

/** Find the files of policy tests that paths stand for: files, folders or globs. Sorted by path, no file twice. */
export async function discoverTests(
  paths: readonly string[],
  cwd: string,
): Promise<{ readonly files: readonly TestFile[]; readonly problems: readonly Problem[]; readonly searched: readonly string[] }> {
  const found = new Map<string, TestFile>()
  const problems: Problem[] = []
  const searched: string[] = []
  const add = (file: string) => found.set(file, { path: displayPath(file, cwd), file, notation: notationOf(file) as Notation })
  for (const path of paths) {
    const file = resolve(cwd, path)
    const kind = path === '' || path.includes('\0') ? 'missing' : kindAt(file)
    if (kind === 'file') {
      if (testFile.test(file)) add(file)
      else
        problems.push({
          path: displayPath(file, cwd),
          message: 'not a file of policy tests: expected a name that ends in `.iamtest.yaml`, `.iamtest.yml` or `.iamtest.json`',
        })
      continue
    }
    const search =
      kind === 'folder'
        ? { top: file, wants: () => true }
        : kind === 'missing' && isGlob(path) && !path.includes('\0')
          ? await globSearch(path, cwd)
          : undefined
    if (!search) {
      problems.push({
        path: path === '' ? "''" : displayPath(file, cwd),
        message: refusals[kind as 'link' | 'special' | 'missing' | 'closed'],
      })
      continue
    }
    searched.push(search.top)
    const walk = walkFolder(
      search.top,
      cwd,
      (each) => testFile.test(each) && search.wants(each),
      () => false,
    )
    for (const each of walk.files) add(each.file)
    problems.push(...walk.problems)
  }
  if (found.size > limits.files)
    problems.push({ path: '', message: `more than ${limits.files} files to read: name fewer folders, or narrower ones` })
  return { files: [...found.values()].sort((a, b) => compareText(a.path, b.path)).slice(0, limits.files), problems, searched }
}

/** Search a folder, without following links and without what `.gitignore` files name. */
function walkFolder(
  top: string,
  cwd: string,
  wants: (path: string) => boolean,
  own: (name: string) => boolean = isOwn,
  notation: (name: string) => Notation | undefined = notationOf,
): Walk {
  const files: { path: string; file: string }[] = []
  const problems: Problem[] = []
  const passed: Passed[] = []
  let skipped = 0
  // Paths to ignore are relative to the top of the repository, so that its own .gitignore files count as well.
  const above = ignoreFilesAbove(top)
  const prefix = above.prefix
  const shownTop = displayPath(top, cwd)
  const shownPrefix = shownTop === '.' ? '' : shownTop.endsWith('/') ? shownTop : `${shownTop}/`
  const filePrefix = top.endsWith(sep) ? top : top + sep
  const open: { path: string; depth: number; ignores: readonly IgnoreFile[] }[] = [{ path: '', depth: 0, ignores: above.ignores }]
  for (let here = open.pop(); here; here = open.pop()) {
    const folder = filePrefix + (sep === '/' ? here.path : here.path.replaceAll('/', sep))
    let entries: Dirent[]
    try {
      entries = readdirSync(folder, { withFileTypes: true })
    } catch (error) {
      problems.push({ path: displayPath(folder, cwd), message: `cannot be searched: ${reason(error)}` })
      continue
    }
    const inner = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
      ? ignoreFileIn(folder, prefix + here.path)
      : undefined
    const ignores = inner ? [...here.ignores, inner] : here.ignores
    for (const entry of entries) {
      const { name } = entry
      const path = here.path + name
      if (isUnnameable(name) && (entry.isDirectory() || notation(name)) && !isThere(folder + name)) {
        problems.push({ path: shownPrefix + path, message: unnameable })
        continue
      }
      if (entry.isDirectory()) {
        if (name === '.git' || name === 'node_modules' || name === '.terraform')
          passed.push({ path: `${shownPrefix}${path}/`, reason: 'never searched' })
        else if (isIgnored(ignores, prefix + path, true)) passed.push({ path: `${shownPrefix}${path}/`, reason: byGit })
        else if (here.depth + 1 > limits.depth)
          problems.push({ path: shownPrefix + path, message: `more than ${limits.depth} folders deep` })
        else open.push({ path: `${path}/`, depth: here.depth + 1, ignores })
        continue
      }
      if (entry.isSymbolicLink() && leadsAway(folder + name, top) && !isIgnored(ignores, prefix + path, false) && wants(path)) {
        problems.push({ path: shownPrefix + path, message: `${refusals.link}: it leads out of the folder, to what may hold policies` })
        continue
      }
      if (configurationTest.test(name) && !isIgnored(ignores, prefix + path, false)) {
        passed.push({ path: shownPrefix + path, reason: testReason })
        continue
      }
      if (!notation(name)) continue
      if (!entry.isFile() && !entry.isSymbolicLink() && !isIgnored(ignores, prefix + path, false) && wants(path)) {
        problems.push({ path: shownPrefix + path, message: refusals.special })
        continue
      }
      const why = own(name) ? ownReason : isIgnored(ignores, prefix + path, false) ? byGit : undefined
      if (why === undefined && !wants(path)) continue
      if (why === undefined && entry.isFile()) files.push({ path: shownPrefix + path, file: folder + name })
      else passed.push({ path: shownPrefix + path, reason: why ?? (entry.isSymbolicLink() ? refusals.link : refusals.special) })
      if (why === undefined && !entry.isFile()) skipped++
      // One more than is allowed is enough to know.
      if (files.length > limits.files) return { files, problems, passed, skipped }
    }
  }
  return { files, problems, passed, skipped }
}

/**
 * Whether a link leads out of a folder that is searched, to a folder or to a file that may hold policies. What it names
 * inside is found where it is; what it names outside would be silently skipped.
 */
function leadsAway(link: string, top: string): boolean {
  try {
    const target = realpathSync(link)
    if (isWithin(target, realpathSync(top))) return false
    return statSync(target).isDirectory() || notationOf(link) !== undefined
  } catch {
    // It leads nowhere, or in a circle: nothing is skipped.
    return false
  }
}

const byGit = 'named by `.gitignore`'

/** The `.gitignore` files of the folders above, up to the top of the repository; none outside of one. */
function ignoreFilesAbove(top: string): { readonly prefix: string; readonly ignores: readonly IgnoreFile[] } {
  let root = top
  while (!['folder', 'file'].includes(kindAt(join(root, '.git')))) {
    const parent = dirname(root)
    if (parent === root) return { prefix: '', ignores: [] }
    root = parent
  }
  if (root === top) return { prefix: '', ignores: [] }
  const names = relative(root, top).split(sep)
  const ignores: IgnoreFile[] = []
  let folder = root
  let path = ''
  for (const name of names) {
    const file = ignoreFileIn(folder, path)
    if (file) ignores.push(file)
    folder = join(folder, name)
    path += `${name}/`
  }
  return { prefix: path, ignores }
}

function ignoreFileIn(folder: string, path: string): IgnoreFile | undefined {
  const read = readBytes(join(folder, '.gitignore'))
  return read.bytes && readIgnoreFile(path, read.bytes.toString('utf8'))
}

type Bytes = { readonly bytes: Buffer; readonly message?: undefined } | { readonly bytes?: undefined; readonly message: string }

/** Most files fit: they are read at one go, into memory that is used again. */
const small = Buffer.allocUnsafeSlow(1 << 16)

const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Read a regular file of a bearable size. Only the opened file is asked about, never its name: what is refused is not
 * read. `use` is given the bytes, which are good until it returns.
 */
function withBytes<T>(file: string, use: (bytes: Buffer) => T, refuse: (message: string) => T): T {
  let fd: number | undefined
  try {
    fd = openSync(file, flags)
    const length = readSync(fd, small, 0, small.length, null)
    // Less than was asked for is the end, and something at all is no pipe without a writer.
    if (length > 0 && length < small.length) return use(small.subarray(0, length))
    const stat = fstatSync(fd)
    if (!stat.isFile()) return refuse(refusals.special)
    if (stat.size > limits.file) return refuse(tooLarge(stat.size))
    const bytes = Buffer.allocUnsafe(Math.max(stat.size, length) + 1)
    small.copy(bytes, 0, 0, length)
    let done = length
    for (let read = -1; read !== 0 && done < bytes.length; done += read) read = readSync(fd, bytes, done, bytes.length - done, null)
    return done > stat.size ? refuse('changed while it was read') : use(bytes.subarray(0, done))
  } catch (error) {
    return refuse(reason(error))
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** The bytes of a file. */
export function readBytes(file: string): Bytes {
  return withBytes<Bytes>(
    file,
    (bytes) => ({ bytes: Buffer.from(bytes) }),
    (message) => ({ message }),
  )
}

/** The text of a file. */
export function readText(file: string): Text {
  return withBytes<Text>(file, decode, (message) => ({ message }))
}

export function tooLarge(size: number): string {
  return `too large: ${(size / 2 ** 20).toFixed(1)} MiB, where ${limits.file / 2 ** 20} MiB is the limit`
}

function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return refusals.missing
  if (code === 'ELOOP' || code === 'EMLINK') return refusals.link
  if (isClosed(code)) return refusals.closed
  if (code === 'ENXIO' || code === 'EOPNOTSUPP' || code === 'EAGAIN') return refusals.special
  if (code === 'EISDIR') return 'a folder, expected a file'
  if (code === undefined) throw error
  return `cannot be read (${code})`
}

/** Standard input, up to the limit of one file. */
export async function readInput(stdin: AsyncIterable<Uint8Array>): Promise<Bytes> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of stdin) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limits.file) return { message: tooLarge(size) }
    }
  } catch (error) {
    return { message: reason(error) }
  }
  return { bytes: Buffer.concat(chunks) }
}

/**
 * The bytes of a file of any length as they come, or of standard input for `-`. What cannot be read is refused at once.
 * The name comes from the person at the command line, never from the files that are looked at: links and pipes will do.
 */
export function openBytes(path: string, io: Pick<Io, 'cwd' | 'stdin'>): AsyncIterable<Uint8Array> {
  if (path === '-') return io.stdin()
  const file = resolve(io.cwd, path)
  let fd: number
  let isPipe: boolean
  try {
    fd = openSync(file, constants.O_RDONLY)
    const stat = fstatSync(fd)
    isPipe = stat.isFIFO()
    if (!stat.isFile() && !isPipe) throw new Refusal(stat.isDirectory() ? 'a folder, expected a file' : refusals.special)
  } catch (error) {
    throw new Refusal(`${displayPath(file, io.cwd)}: ${error instanceof Refusal ? error.message : reason(error)}`)
  }
  // Nothing else may stand still while a pipe has nothing to read.
  return isPipe ? createReadStream('', { fd }) : chunksOf(fd)
}

async function* chunksOf(fd: number): AsyncIterable<Uint8Array> {
  const chunk = Buffer.allocUnsafe(1 << 16)
  try {
    for (let length = readSync(fd, chunk); length > 0; length = readSync(fd, chunk)) yield chunk.subarray(0, length)
  } finally {
    closeSync(fd)
  }
}

export type Text = { readonly text: string; readonly message?: undefined } | { readonly text?: undefined; readonly message: string }

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['UTF-32', [0xff, 0xfe, 0, 0]],
  ['UTF-32', [0, 0, 0xfe, 0xff]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [0xfe, 0xff]],
]

/** Bytes to text: UTF-8 and nothing else, with no character quietly replaced. A byte order mark is kept for the readers. */
export function decode(bytes: Buffer): Text {
  const isPlain = isAscii(bytes)
  for (const [name, mark] of isPlain ? [] : marks) {
    if (mark.every((byte, i) => bytes[i] === byte)) return { message: `written in ${name}, expected UTF-8: save it as UTF-8` }
  }
  if (bytes.includes(0)) return { message: 'not a text file: it contains a NUL byte' }
  if (isPlain) return { text: bytes.toString('latin1') }
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') }
  return { message: `not UTF-8: the first wrong byte is at offset ${firstWrongByte(bytes)}` }
}

/** A text without the byte order mark that some editors write before it: it says nothing of what the text says. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Where a decoder that replaces what is wrong first differs from the bytes. */
export function firstWrongByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'))
  let i = 0
  while (i < bytes.length && bytes[i] === again[i]) i++
  return i
}

/** The notation of standard input, by its first character, or the first words of access rules. */
export function sniff(text: string): Notation {
  if (/^\ufeff?[ \t\r\n]*[[{]/.test(text)) return 'json'
  return looksLikeRules(text) ? 'rules' : 'yaml'
}

export type Read = { readonly source: Source; readonly message?: undefined } | { readonly source?: undefined; readonly message: string }

/** Read one candidate to text; at once, except for standard input. */
export function readCandidate(candidate: Candidate, stdin: () => AsyncIterable<Uint8Array>): Read | Promise<Read> {
  if (candidate.bytes) return asRead(candidate, decode(candidate.bytes))
  if (candidate.file !== undefined) return asRead(candidate, readText(candidate.file))
  return readInput(stdin()).then((read) => (read.bytes ? asRead(candidate, decode(read.bytes)) : { message: read.message }))
}

function asRead({ path, notation }: Candidate, { text, message }: Text): Read {
  if (text === undefined) return { message: message ?? '' }
  return { source: sourceOf(path, text, notation ?? sniff(text)) }
}
