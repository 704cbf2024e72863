import { accessSync, closeSync, constants, fchmodSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolders } from '../app/folders.ts'
import { writeFault } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'

/** The content of a file: whole, or the strings that it is made of, each made when the ones before it are written. */
export type Content = string | Uint8Array | Generator<string>

/** Write a file that the command line names: whole or not at all. What is no regular file is written to as it is. */
export function writeFile(file: string, content: Content, cwd: string): void {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat && !stat.isFile()) writeThere(file, content)
    else replace(file, content, stat?.mode)
  } catch (error) {
    throw new Refusal(`${displayPath(file, cwd)}: cannot be written: ${writingFault(error)}`)
  }
}

/** Make a folder, and those around it, where there are none. */
export function makeFolder(folder: string, cwd: string): void {
  try {
    makeFolders(folder)
  } catch (error) {
    throw new Refusal(`${displayPath(folder, cwd)}: cannot be made a folder (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Why a file could not be written, and the file that is left next to its place where it could not be removed. */
export function writingFault(error: unknown): string {
  const { code, left } = error as NodeJS.ErrnoException & { readonly left?: string }
  return `${writeFault(code)}${left === undefined ? '' : `; remove \`${left}\`, which is left`}`
}

/**
 * Write a file next to its place, then rename it. `mode`: the permissions of an existing file; undefined where it is new, which
 * then has `fresh`. Throws the error of the system, for `writingFault`.
 */
export function replace(file: string, content: Content, mode?: number, fresh = 0o666): void {
  // The global one: importing the module would load all of it whenever the program starts.
  const temporary = join(dirname(file), `.${basename(file).slice(0, 100)}.${crypto.randomUUID()}`)
  let fd: number | undefined
  try {
    if (mode !== undefined) accessSync(file, constants.W_OK)
    fd = openSync(temporary, 'wx', mode === undefined ? fresh : 0o600)
    writeParts(fd, content)
    if (mode !== undefined) fchmodSync(fd, mode)
    fsyncSync(fd)
    const written = fd
    fd = undefined
    closeSync(written)
    renameSync(temporary, file)
  } catch (error) {
    if (fd !== undefined) attempt(closeSync, fd)
    if (attempt(rmSync, temporary, { force: true })) throw error
    throw Object.assign(error as Error, { left: temporary })
  }
}

/** Write to what is there and no regular file, such as a device. */
function writeThere(file: string, content: Content): void {
  const probe = openedPipe(file)
  try {
    const fd = openSync(file, 'w')
    try {
      writeParts(fd, content)
    } finally {
      closeSync(fd)
    }
  } finally {
    if (probe !== undefined) closeSync(probe)
  }
}

/** How often, and after how many milliseconds, a named pipe is asked again that nothing reads from yet. */
const [mostWaits, untilRead] = [40, 50]

/** A named pipe, open for writing: opening it would wait without end where nothing reads from it. Undefined for anything else. */
function openedPipe(file: string): number | undefined {
  if (!statSync(file).isFIFO()) return undefined
  for (let waits = 0; ; waits++) {
    try {
      return openSync(file, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO' || waits === mostWaits) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, untilRead)
    }
  }
}

function writeParts(fd: number, content: Content): void {
  for (const part of typeof content === 'string' || content instanceof Uint8Array ? [content] : content) writeFileSync(fd, part)
}

/** Run a cleanup that may fail for the same reason as the work before it; returns whether it succeeded. */
function attempt<Args extends readonly unknown[]>(work: (...args: Args) => void, ...args: Args): boolean {
  try {
    work(...args)
    return true
  } catch {
    return false
  }
}
