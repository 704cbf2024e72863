import { closeSync, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import { Budget, usualSteps } from '../../budget.ts'
import { guardOutput } from '../../report/safe.ts'
import type { StepCounter } from './cost.ts'
import type { GitMemory } from './git-memory.ts'
import type { RunRecord } from './record.ts'
import { Refusal } from './refusal.ts'

/** All access to the system except files: handed in, so that tests can hand in their own. */
export interface Io {
  /** Opened only when asked for. */
  readonly stdin: () => AsyncIterable<Uint8Array>
  readonly stdout: Sink
  readonly stderr: Sink
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  readonly cwd: string
  /**
   * Absolute, without links: nothing outside of this folder is read, even if a configuration names it. Undefined: files that a
   * configuration names may be anywhere.
   */
  readonly within?: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The version of the time zone rules, such as `2026a`; undefined where unknown. */
  readonly tzdata?: string
  /** Unsaved texts of an editor that replace those of files, by absolute paths. */
  readonly texts?: (file: string) => string | undefined
  /** Whether no further threads may be started. */
  readonly isSingleThread?: boolean
  /** The file that started the program: a thread starts it again. */
  readonly script?: string
  /** The terminal that lines are typed at; undefined where there is none. */
  readonly terminal?: () => Terminal | undefined
  /**
   * Settled when the user asks the program to end; asking again kills it. For commands that run until then. `onReload` is called at each
   * SIGHUP, which ends the program without it, and where the terminal that it was started at is gone.
   */
  readonly interrupted?: (onReload?: () => void) => Promise<void>
  /** How much a run may look at, where that is not what it usually is. */
  readonly budget?: number
  /** The budgets of the run, in the order in which they were made; undefined where nothing asks for them. */
  readonly budgets?: Budget[]
  /** Counts the steps of the process, where it was started for that. */
  readonly counter?: StepCounter
  /** Notes what the run reads, passes over and takes for granted. */
  readonly record?: RunRecord
  /** Keeps the memory of this process small from here on, where that can be chosen: see `collectEarlier`. */
  readonly spareMemory?: (percent: number) => Promise<void>
  /** A cache of git's answers for this run; without it, git is asked each time. */
  readonly git?: GitMemory
}

/** The same with something else in some of its places; what is asked for later is still asked for later. */
export function ioWith(io: Io, others: Partial<Io>): Io {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(io), ...Object.getOwnPropertyDescriptors(others) }) as Io
}

/** The budget of a run: made once by its command, and handed down. `share`: the part of it that is for one section of its answer. */
export function budgetFor({ budget = usualSteps, budgets }: Pick<Io, 'budget' | 'budgets'>, share = 1): Budget {
  const run = new Budget(budget * share)
  budgets?.push(run)
  return run
}

export interface Terminal {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
}

export interface Sink {
  /**
   * Writes immediately, after the filter that keeps read text from acting as a command to a build server; `guard` by default.
   * False when the reader has closed the output: more output is useless, but the answer still counts.
   */
  readonly write: (text: string, care?: (text: string) => string) => boolean
  readonly isTerminal: () => boolean
  /** How many characters fit in a line; undefined where unknown. */
  readonly width?: () => number | undefined
}

/** The real thing. Output is written synchronously: nothing is left to flush when the program ends. */
export function processIo(process: NodeJS.Process, counter?: StepCounter): Io {
  return {
    ...(counter && { counter }),
    stdin: () => inputOf(process),
    stdout: fileSink(process, 1),
    stderr: fileSink(process, 2),
    env: process.env,
    // Asked for by what needs it: help is given in a folder that is gone as well.
    get cwd() {
      return workingFolder(process)
    },
    now: Date.now,
    spareMemory: async (percent) => (await import('./heap.ts')).collectEarlier(percent),
    ...(process.versions.tz !== undefined && { tzdata: process.versions.tz }),
    // Where Node allows no threads, all is done in this one.
    ...(process.argv[1] !== undefined && process.permission?.has('worker') !== false && { script: process.argv[1] }),
    terminal() {
      const output = [process.stdout, process.stderr].find(({ isTTY }) => isTTY)
      return process.stdin.isTTY && output ? { input: process.stdin, output } : undefined
    },
    interrupted: (onReload) =>
      new Promise((done) => {
        process.once('SIGINT', () => done())
        process.once('SIGTERM', () => done())
        const isAtTerminal = onReload && hasTerminal()
        if (onReload) process.on('SIGHUP', () => (isAtTerminal && !hasTerminal() ? done() : onReload()))
        else process.once('SIGHUP', () => done())
      }),
  }
}

/** Whether the process has a terminal: not after its window was closed. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/** Standard input. What cannot be read is refused: the end of a folder, which Node takes for an empty file, is no end of an input. */
async function* inputOf({ stdin }: NodeJS.Process): AsyncIterable<Uint8Array> {
  try {
    if (fstatSync(0).isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    yield* stdin
  } catch (error) {
    throw new Refusal(`standard input cannot be read: ${writeFault((error as NodeJS.ErrnoException).code)}`)
  }
}

function workingFolder(process: NodeJS.Process): string {
  try {
    return process.cwd()
  } catch {
    throw new Refusal('the working folder no longer exists, or permission is denied', 'start from another folder')
  }
}

function fileSink(process: NodeJS.Process, fd: 1 | 2): Sink {
  let isOpen = true
  return {
    write(text, care = guardOutput) {
      if (isOpen) isOpen = writeAll(fd, Buffer.from(care(text)))
      return isOpen
    },
    // The cheap tests first: a pipe, a file or the null device needs no terminal library.
    isTerminal: () => isCharacterDevice(fd) && (fd === 1 ? process.stdout : process.stderr).isTTY === true,
    width: () => (isCharacterDevice(fd) ? (fd === 1 ? process.stdout : process.stderr).columns : undefined),
  }
}

function isCharacterDevice(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isCharacterDevice() && stat.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev
  } catch {
    return false
  }
}

const writeFaults: Readonly<Record<string, string>> = {
  EAGAIN: 'its reader is too slow',
  EACCES: 'permission denied',
  EBADF: 'it is closed',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'file too large for the file system',
  EIO: 'the device failed',
  EISDIR: 'a folder, expected a file',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such folder',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'a part of its path is not a folder',
  ENXIO: 'it has no reader',
  EPERM: 'permission denied',
  EPIPE: 'its reader has closed it',
  EXDEV: 'a part of the folder is on another device',
  EROFS: 'read-only file system',
  ERR_ACCESS_DENIED: 'permission denied',
}

/** Why something could not be written, by the code of the error. */
export function writeFault(code: string | undefined): string {
  const words = writeFaults[code ?? '']
  return words === undefined ? `error ${code ?? 'without a code'}` : `${words} (${code})`
}

/** False when the reader has gone. A full pipe that does not block is waited for. */
function writeAll(fd: number, bytes: Uint8Array): boolean {
  let done = 0
  while (done < bytes.length) {
    try {
      done += writeSync(fd, bytes, done)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'EPIPE' || code === 'EOF') return false
      if (code !== 'EAGAIN') throw new Refusal(`standard ${fd === 1 ? 'output' : 'error'} cannot be written: ${writeFault(code)}`)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
  return true
}

/** Whether to colour: `--no-color` or `--color`, then NO_COLOR, then FORCE_COLOR, then whether a terminal shows it. */
export function wantsColour(io: Io, flag: boolean | undefined): boolean {
  if (flag !== undefined) return flag
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env
  if (NO_COLOR) return false
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return TERM !== 'dumb' && io.stdout.isTerminal()
}
