import { closeSync, constants, type Dirent, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { compareText } from '../diagnostic.ts'
import { type Notation, notationOf } from '../parser/tree.ts'
import type { Source } from '../source.ts'
import { type IgnoreFile, isIgnored, readIgnoreFile } from './gitignore.ts'
import type { Io } from './io.ts'
import { isRefusal, Refusal } from './refusal.ts'

/** What is refused before it is read: bytes in a file, bytes in all, files, and folders within folders (spec: hostile input, T7, T22). */
export const limits = { file: 8 * 2 ** 20, total: 64 * 2 ** 20, files: 10_000, depth: 32 } as const

/** Why something could not be read. */
export interface Problem {
  /** As shown to people: relative to the working folder; '' when it is about no single path. */
  readonly path: string
  readonly message: string
}

/** A file to be read. */
export interface Candidate {
  /** As shown to people. */
  readonly path: string
  /** Absolute; undefined for standard input. */
  readonly file: string | undefined
  /** Undefined for standard input, whose first character tells. */
  readonly notation: Notation | undefined
  /** Named on the command line, and not found in a folder: it must hold a policy. */
  readonly isNamed: boolean
}

export interface Discovery {
  /** Sorted by path, no file twice. */
  readonly candidates: readonly Candidate[]
  readonly problems: readonly Problem[]
  /** Symbolic links and special files that were found and left out. */
  readonly skipped: number
}

/** A path as people see it: relative to the working folder, with `/`. */
export function displayPath(file: string, cwd: string): string {
  const path = relative(cwd, file) || '.'
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/**
 * Find the files that paths stand for: files, folders, globs, or `-` for standard input. Nothing is read yet except
 * `.gitignore` files; symbolic links are never followed. The same paths give the same list whatever the file system's order.
 */
export async function discover(paths: readonly string[], cwd: string): Promise<Discovery> {
  const found = new Map<string, Candidate>()
  const problems: Problem[] = []
  let skipped = 0
  const add = (file: string, isNamed: boolean) => {
    if (isNamed || !found.has(file)) found.set(file, { path: displayPath(file, cwd), file, notation: notationOf(file), isNamed })
  }
  for (const path of paths) {
    if (path === '-') {
      found.set('-', { path: '<stdin>', file: undefined, notation: undefined, isNamed: true })
      continue
    }
    const file = resolve(cwd, path)
    const kind = path === '' || path.includes('\0') ? 'missing' : kindAt(file)
    if (kind === 'file') {
      if (notationOf(file)) add(file, true)
      else problems.push({ path: displayPath(file, cwd), message: `not a notation that is read: expected a name that ends in ${endings}` })
    } else if (kind === 'folder' || (kind === 'missing' && isGlob(path) && !path.includes('\0'))) {
      const search = kind === 'folder' ? { top: file, wants: () => true } : await globSearch(path, cwd)
      const walk = walkFolder(search.top, cwd, search.wants)
      for (const each of walk.files) add(each, false)
      problems.push(...walk.problems)
      skipped += walk.skipped
      if (kind === 'missing' && walk.files.length === 0)
        problems.push({ path, message: `the pattern matches no file that ends in ${endings}` })
    } else problems.push({ path: path === '' ? "''" : displayPath(file, cwd), message: refusals[kind] })
  }
  problems.sort((a, b) => compareText(a.path, b.path) || compareText(a.message, b.message))
  if (found.size > limits.files) {
    // Which of them to read would be a guess.
    problems.push({ path: '', message: `more than ${limits.files} files to read: name fewer folders, or narrower ones` })
    return { candidates: [], problems, skipped }
  }
  return { candidates: [...found.values()].sort((a, b) => compareText(a.path, b.path)), problems, skipped }
}

const endings = '`.json`, `.yaml` or `.yml`'

type Kind = 'file' | 'folder' | 'link' | 'special' | 'missing' | 'closed'

const refusals: Readonly<Record<Exclude<Kind, 'file' | 'folder'>, string>> = {
  link: 'a symbolic link, which is not followed: name the file it points to',
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

function isGlob(path: string): boolean {
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

interface Walk {
  /** Absolute. */
  readonly files: readonly string[]
  readonly problems: readonly Problem[]
  readonly skipped: number
}

/** Never policies of ours, whatever words they hold: the tool's own files. */
const ownFile = /^\.grantwise\.(ya?ml|json)$|\.iamtest\.ya?ml$/

/** Search a folder, without following links and without what `.gitignore` files name. */
function walkFolder(top: string, cwd: string, wants: (path: string) => boolean): Walk {
  const files: string[] = []
  const problems: Problem[] = []
  let skipped = 0
  // Paths to ignore are told from the top of the repository, so that its own .gitignore files count as well.
  const above = ignoreFilesAbove(top)
  const prefix = above.prefix
  const open: { folder: string; path: string; depth: number; ignores: readonly IgnoreFile[] }[] = [
    { folder: top, path: '', depth: 0, ignores: above.ignores },
  ]
  for (let here = open.pop(); here; here = open.pop()) {
    let entries: Dirent[]
    try {
      entries = readdirSync(here.folder, { withFileTypes: true })
    } catch (error) {
      problems.push({ path: displayPath(here.folder, cwd), message: `cannot be searched: ${reason(error)}` })
      continue
    }
    const own = entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
      ? ignoreFileIn(here.folder, prefix + here.path)
      : undefined
    const ignores = own ? [...here.ignores, own] : here.ignores
    for (const entry of entries) {
      const { name } = entry
      const path = here.path + name
      const isFolder = entry.isDirectory()
      if (isFolder) {
        if (name === '.git' || name === 'node_modules' || isIgnored(ignores, prefix + path, true)) continue
        const folder = join(here.folder, name)
        if (here.depth + 1 > limits.depth)
          problems.push({ path: displayPath(folder, cwd), message: `more than ${limits.depth} folders deep` })
        else open.push({ folder, path: `${path}/`, depth: here.depth + 1, ignores })
        continue
      }
      if (!notationOf(name) || ownFile.test(name) || isIgnored(ignores, prefix + path, false) || !wants(path)) continue
      if (entry.isFile()) files.push(join(here.folder, name))
      else skipped++
      // One more than is allowed is enough to know.
      if (files.length > limits.files) return { files, problems, skipped }
    }
  }
  return { files, problems, skipped }
}

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

/** Read a regular file of a bearable size. The size is asked of the opened file: what is refused is never read. */
export function readBytes(file: string): Bytes {
  let fd: number | undefined
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const stat = fstatSync(fd)
    if (!stat.isFile()) return { message: stat.isDirectory() ? 'a folder, where a file is expected' : refusals.special }
    if (stat.size > limits.file) return { message: tooLarge(stat.size) }
    const bytes = Buffer.allocUnsafe(stat.size + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read) read = readSync(fd, bytes, length, bytes.length - length, null)
    return length > stat.size ? { message: 'changed while it was read' } : { bytes: bytes.subarray(0, length) }
  } catch (error) {
    return { message: reason(error) }
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function tooLarge(size: number): string {
  return `too large: ${(size / 2 ** 20).toFixed(1)} MiB, where ${limits.file / 2 ** 20} MiB are the most that is read`
}

function reason(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return refusals.missing
  if (code === 'ELOOP' || code === 'EMLINK') return refusals.link
  if (isClosed(code)) return refusals.closed
  if (code === 'ENXIO' || code === 'EOPNOTSUPP') return refusals.special
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
  try {
    fd = openSync(file, constants.O_RDONLY)
    const stat = fstatSync(fd)
    if (!stat.isFile() && !stat.isFIFO()) throw new Refusal(stat.isDirectory() ? 'a folder, where a file is expected' : refusals.special)
  } catch (error) {
    throw new Refusal(`${displayPath(file, io.cwd)}: ${isRefusal(error) ? error.message : reason(error)}`)
  }
  return chunksOf(fd)
}

async function* chunksOf(fd: number): AsyncIterable<Uint8Array> {
  const chunk = Buffer.allocUnsafe(1 << 16)
  try {
    for (let length = readSync(fd, chunk); length > 0; length = readSync(fd, chunk)) yield chunk.subarray(0, length)
  } finally {
    closeSync(fd)
  }
}

type Text = { readonly text: string; readonly message?: undefined } | { readonly text?: undefined; readonly message: string }

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['UTF-32', [0xff, 0xfe, 0, 0]],
  ['UTF-32', [0, 0, 0xfe, 0xff]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [0xfe, 0xff]],
]

let decoder: InstanceType<typeof TextDecoder> | undefined

/** Bytes to text: UTF-8 and nothing else, with no character quietly replaced. A byte order mark is kept for the readers. */
export function decode(bytes: Buffer): Text {
  for (const [name, mark] of marks) {
    if (mark.every((byte, i) => bytes[i] === byte)) return { message: `written in ${name}, where UTF-8 is expected: save it as UTF-8` }
  }
  if (bytes.includes(0)) return { message: 'not a text: it holds a NUL byte' }
  try {
    decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(bytes) }
  } catch {
    return { message: `not UTF-8: the first wrong byte is at offset ${firstWrongByte(bytes)}` }
  }
}

/** Where a decoder that replaces what is wrong first differs from the bytes. */
function firstWrongByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'))
  let i = 0
  while (i < bytes.length && bytes[i] === again[i]) i++
  return i
}

/** Words without which no text can hold a policy; an escape may hide any of them. */
const words = ['urn:v1:', 'identities', 'permissions', 'policies', 'resourceGroups', 'permissionsGroups', '\\u', '\\x', '\\U']

/** Whether a text may hold a policy: the quick test for files that were found and not named. */
export function mayHoldPolicy(text: string): boolean {
  return words.some((word) => text.includes(word))
}

/** The notation of standard input, by its first character. */
export function sniff(text: string): Notation {
  return /^\ufeff?[ \t\r\n]*[[{]/.test(text) ? 'json' : 'yaml'
}

export type Read =
  | { readonly source: Source; readonly notation: Notation; readonly message?: undefined }
  | { readonly source?: undefined; readonly notation?: undefined; readonly message: string }

/** Read one candidate to text. */
export async function readCandidate(candidate: Candidate, stdin: () => AsyncIterable<Uint8Array>): Promise<Read> {
  const read = candidate.file === undefined ? await readInput(stdin()) : readBytes(candidate.file)
  if (!read.bytes) return { message: read.message }
  const decoded = decode(read.bytes)
  if (decoded.text === undefined) return { message: decoded.message }
  return { source: { path: candidate.path, text: decoded.text }, notation: candidate.notation ?? sniff(decoded.text) }
}
