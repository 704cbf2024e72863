import { isAscii, isUtf8 } from 'node:buffer'
import { closeSync, constants, createReadStream, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { FileUse } from '../../coverage.ts'
import { looksLikeRules } from '../../parser/rules-text.ts'
import { beginsWithBlock, type Notation } from '../../source.ts'
import { limits } from '../../sources/limits.ts'
import type { Io } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'

export type Kind = 'file' | 'folder' | 'link' | 'special' | 'missing' | 'closed'

/** A name that is not UTF-8 is passed to the program with replacement characters, and cannot be opened by it. */
export const invalidNameProblem = 'the name is not UTF-8, and cannot be opened: rename it'

export function isUnnameable(path: string): boolean {
  return path.includes('\ufffd')
}

/** The kinds of paths that are not read. */
export type RefusedKind = Exclude<Kind, 'file' | 'folder'>

export const refusals: Readonly<Record<RefusedKind, string>> = {
  link: 'a symbolic link, not followed: name the file it points to',
  special: 'not a regular file',
  missing: 'no such file or folder',
  closed: 'permission denied',
}

/** The kind of a given path. Throws a refusal where the system fails. */
export function kindOf(path: string, cwd: string): Kind {
  return path === '' || path.includes('\0') ? 'missing' : kindAt(resolve(cwd, path))
}

/** Error codes of a failing system, independent of the file. */
const failures: ReadonlySet<string | undefined> = new Set(['EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE', 'ETIMEDOUT'])

/** The kind of a path. Throws a refusal where the system fails: an unknown state is not a missing file. */
export function kindAt(file: string): Kind {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false })
    if (!stat) return 'missing'
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : stat.isSymbolicLink() ? 'link' : 'special'
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (failures.has(code)) throw new Refusal(`${file}: ${reason(error)}`)
    return isClosed(code) ? 'closed' : 'missing'
  }
}

/** Whether a name leads to a pipe, or to a file that the shell has opened for us. */
export function isPipe(file: string): boolean {
  try {
    const stat = statSync(file)
    return stat.isFIFO() || (stat.isFile() && isOpenFile(file))
  } catch {
    return false
  }
}

/** Whether a name is that of a file that the shell has opened for us: standard input, or `<(COMMAND)`. */
const isOpenFile = (file: string) => /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/.test(file)

/** Kept from us by the file system, or by the permissions that node itself was given. */
function isClosed(code: string | undefined): boolean {
  return code === 'EACCES' || code === 'EPERM' || code === 'ERR_ACCESS_DENIED'
}

export function isThere(file: string): boolean {
  return kindAt(file) !== 'missing'
}

/** Whether a folder is the top of a repository. */
export function isRepository(folder: string): boolean {
  return ['folder', 'file', 'link'].includes(kindAt(join(folder, '.git')))
}

/** The folder at the top of the repository that a folder is in; undefined where it is in none. */
export function repositoryOf(folder: string): string | undefined {
  for (let here = folder; ; here = dirname(here)) {
    if (isRepository(here)) return here
    if (dirname(here) === here) return undefined
  }
}

export type Bytes = { readonly bytes: Buffer; readonly message?: undefined } | { readonly bytes?: undefined; readonly message: string }

/** Memory that most files fit into, so that they are read in one call: readers of many files share one. */
export function scratchMemory(): Buffer {
  return Buffer.allocUnsafeSlow(1 << 16)
}

const nonBlocking = constants.O_NONBLOCK ?? 0
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | nonBlocking

/**
 * Read a regular file of a bearable size. Only the opened file is asked about, never its name: what is refused is not
 * read. The bytes may be those of `small`: they are good until it is used again.
 */
export function bytesIn(file: string, small: Buffer, most: number = limits.file): Bytes {
  let fd: number | undefined
  try {
    fd = openSync(file, flags)
    let length = 0
    // Less than was asked for need not be the end: nothing is. And something at all is no pipe without a writer.
    for (let read = -1; read !== 0 && length < small.length; length += read) read = readSync(fd, small, length, small.length - length, null)
    if (length > 0 && length < small.length) return { bytes: small.subarray(0, length) }
    const stat = fstatSync(fd)
    if (!stat.isFile()) return { message: refusals.special }
    if (stat.size > most) return { message: tooLarge(stat.size, most) }
    const bytes = Buffer.allocUnsafe(Math.max(stat.size, length) + 1)
    small.copy(bytes, 0, 0, length)
    let done = length
    for (let read = -1; read !== 0 && done < bytes.length; done += read) read = readSync(fd, bytes, done, bytes.length - done, null)
    return done > stat.size ? { message: 'changed while it was read' } : { bytes: bytes.subarray(0, done) }
  } catch (error) {
    return { message: reason(error) }
  } finally {
    if (fd !== undefined) closed(fd)
  }
}

/** Close a file that was read: what is wrong with that changes nothing of what was. */
function closed(fd: number): void {
  try {
    closeSync(fd)
  } catch {
    // All of it is here.
  }
}

/** The bytes of a file of at most so many. */
export function readBytes(file: string, most?: number): Bytes {
  const read = bytesIn(file, scratchMemory(), most)
  return read.bytes ? { bytes: Buffer.from(read.bytes) } : read
}

/** The text of a file that no answer depends on; for all others there is `textAt`. */
export function readText(file: string): Text {
  const read = bytesIn(file, scratchMemory())
  return read.bytes ? decode(read.bytes) : read
}

/**
 * Whether a file begins as Terraform and OpenTofu begin a plan or a state in JSON: such a file is one document. What cannot be opened
 * does not: its reader says why.
 */
export function startsLikePlan(path: string, cwd: string): boolean {
  const file = resolve(cwd, path)
  let fd: number | undefined
  try {
    // A pipe is opened once, by its reader.
    if (!statSync(file).isFile()) return false
    fd = openSync(file, constants.O_RDONLY)
    const start = Buffer.alloc(256)
    const length = readSync(fd, start, 0, start.length, 0)
    return isArchive(start) || /^(?:\ufeff)?\s*\{\s*"format_version"\s*:/.test(start.toString('utf8', 0, length))
  } catch {
    return false
  } finally {
    if (fd !== undefined) closed(fd)
  }
}

/** The context for reading a file, so that the record of the run has it. */
export type Reader = Pick<Io, 'cwd' | 'record' | 'within'>

/** The bytes of a file that an answer depends on. */
export function bytesAt(file: string, as: FileUse, { cwd, record }: Reader): Bytes {
  const read = readBytes(file)
  if (read.bytes) record?.note(displayPath(file, cwd), as, read.bytes)
  return read
}

/** The text of a file that an answer depends on, or the unsaved one of an editor. */
export function textAt(file: string, as: FileUse, { texts, cwd, record }: Reader & Pick<Io, 'texts'>): Text {
  const note = (bytes: Uint8Array) => record?.note(displayPath(file, cwd), as, bytes)
  const text = texts?.(file)
  if (text !== undefined) {
    note(Buffer.from(text))
    return { text }
  }
  const { bytes, message } = bytesIn(file, scratchMemory())
  if (bytes === undefined) return { message }
  const decoded = decode(bytes)
  if (decoded.text !== undefined) note(bytes)
  return decoded
}

export function tooLarge(size: number, most: number = limits.file): string {
  return `too large: ${(size / 2 ** 20).toFixed(1)} MiB, where ${most / 2 ** 20} MiB is the limit`
}

export function reason(error: unknown): string {
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

/** How often, and after how many milliseconds, a pipe is asked again that nothing writes to yet; and one that is written to. */
const [mostWaits, untilWritten, untilMore] = [40, 50, 5]

/** The bytes that are written to a pipe, up to the limit of one file. A named pipe that nothing writes to is not waited for. */
export async function readPipe(file: string, io: Pick<Io, 'stdin'>): Promise<Bytes> {
  if (isOpenFile(file)) return readInput(openBytes(file, { cwd: '/', ...io }))
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of chunksOfPipe(openSync(file, constants.O_RDONLY | nonBlocking))) {
      chunks.push(chunk)
      size += chunk.length
      if (size > limits.file) return { message: tooLarge(size) }
    }
  } catch (error) {
    return { message: error instanceof Refusal ? error.message : reason(error) }
  }
  return { bytes: Buffer.concat(chunks) }
}

/** The chunks that are written to a named pipe, which is open for reading without blocking. Refused where nothing writes to it. */
async function* chunksOfPipe(fd: number): AsyncIterable<Buffer> {
  try {
    const chunk = Buffer.allocUnsafe(1 << 16)
    let [waits, isWritten] = [0, false]
    for (;;) {
      const length = readNow(fd, chunk)
      if (length === 0 && isWritten) return
      if (length === 0 && ++waits > mostWaits) throw new Refusal('a named pipe, and nothing writes to it')
      isWritten ||= length !== 0
      if (length) yield Buffer.from(chunk.subarray(0, length))
      else await after(isWritten ? untilMore : untilWritten)
    }
  } finally {
    closed(fd)
  }
}

/** How much of a pipe can be read now: 0 where nothing writes to it, undefined where something does that has written no more yet. */
function readNow(fd: number, chunk: Buffer): number | undefined {
  try {
    return readSync(fd, chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

/**
 * The bytes of a file of any length in chunks, or of standard input for `-`. An unreadable file is refused immediately. The name
 * comes from the user at the command line, never from the files that are looked at: links and pipes are allowed.
 */
export function openBytes(path: string, io: Pick<Io, 'cwd' | 'stdin' | 'record'>): AsyncIterable<Uint8Array> {
  io.record?.note(path === '-' ? '<stdin>' : displayPath(resolve(io.cwd, path), io.cwd), 'settings')
  if (path === '-') return io.stdin()
  const file = resolve(io.cwd, path)
  let fd: number
  let isPipe: boolean
  try {
    // Opening a named pipe would wait for what writes to it.
    fd = openSync(file, constants.O_RDONLY | (isOpenFile(file) ? 0 : nonBlocking))
    const stat = fstatSync(fd)
    isPipe = stat.isFIFO()
    if (!stat.isFile() && !isPipe) throw new Refusal(stat.isDirectory() ? 'a folder, expected a file' : refusals.special)
  } catch (error) {
    throw new Refusal(`${displayPath(file, io.cwd)}: ${error instanceof Refusal ? error.message : reason(error)}`)
  }
  // Reading must not block while a pipe has no data.
  const chunks = !isPipe ? chunksOf(fd) : isOpenFile(file) ? createReadStream('', { fd }) : chunksOfPipe(fd)
  return refusing(chunks, displayPath(file, io.cwd))
}

/** The chunks of a file; a system error while it is read is refused under the name of the file. */
async function* refusing(chunks: AsyncIterable<Uint8Array>, name: string): AsyncIterable<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw new Refusal(`${name}: ${error instanceof Refusal ? error.message : reason(error)}`)
  }
}

async function* chunksOf(fd: number): AsyncIterable<Uint8Array> {
  // Each chunk of a batch is a block, which is copied, answered and written by itself: few large ones take less time.
  const chunk = Buffer.allocUnsafe(1 << 18)
  try {
    for (let length = readSync(fd, chunk); length > 0; length = readSync(fd, chunk)) yield chunk.subarray(0, length)
  } finally {
    closed(fd)
  }
}

export type Text = { readonly text: string; readonly message?: undefined } | { readonly text?: undefined; readonly message: string }

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['UTF-32', [0xff, 0xfe, 0, 0]],
  ['UTF-32', [0, 0, 0xfe, 0xff]],
  ['UTF-16', [0xff, 0xfe]],
  ['UTF-16', [0xfe, 0xff]],
]

/** Whether bytes begin as a ZIP archive does, such as a plan of Terraform that is not written as JSON. */
const isArchive = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'PK\x03\x04'

/** Bytes to text: UTF-8 and nothing else, with no character quietly replaced. A byte order mark is kept for the readers. */
export function decode(bytes: Buffer): Text {
  const isPlain = isAscii(bytes)
  for (const [name, mark] of isPlain ? [] : marks) {
    if (mark.every((byte, i) => bytes[i] === byte)) return { message: `written in ${name}, expected UTF-8: save it as UTF-8` }
  }
  if (isArchive(bytes)) return { message: 'an archive, such as a plan before `terraform show -json PLAN > plan.json` writes it as JSON' }
  if (bytes.includes(0)) return { message: 'not a text file: it contains a NUL byte' }
  if (isPlain) return { text: bytes.toString('latin1') }
  if (isUtf8(bytes)) return { text: bytes.toString('utf8') }
  return { message: `not UTF-8: the first wrong byte is at offset ${firstInvalidByte(bytes)}` }
}

/** A text without the byte order mark that some editors write before it: it says nothing of what the text says. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

/** Where a decoder that replaces what is wrong first differs from the bytes. */
export function firstInvalidByte(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'))
  let i = 0
  while (i < bytes.length && bytes[i] === again[i]) i++
  return i
}

/** Whether a file without an ending begins as a script of a shell that is read. `bytes`: its content, where that is known. */
export function isShellScript(file: string, bytes?: Buffer): boolean {
  return extname(file) === '' && /^#!.*\b(?:ba|z|da|k)?sh\b/.test((bytes ?? firstBytes(file)).toString('latin1', 0, mostOfShebang))
}

const mostOfShebang = 200

function firstBytes(file: string): Buffer {
  let fd: number | undefined
  try {
    fd = openSync(file, flags)
    const bytes = Buffer.alloc(mostOfShebang)
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0))
  } catch {
    // It is reported where it is read.
    return Buffer.alloc(0)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

/** The notation of standard input, by its first character, its first block, or the first words of access rules. */
export function sniff(text: string): Notation {
  if (/^\ufeff?[ \t\r\n]*[[{]/.test(text)) return 'json'
  if (beginsWithBlock(text)) return 'hcl'
  return looksLikeRules(text) ? 'rules' : 'yaml'
}
