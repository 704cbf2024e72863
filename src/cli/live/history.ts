import { appendFileSync, chmodSync, closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { visible } from '../../names.ts'
import { shown } from '../../report/safe.ts'
import { makeFolders } from '../app/folders.ts'
import { type Io, writeFault } from '../app/io.ts'
import { displayPath } from '../app/paths.ts'
import { replace } from '../output/write.ts'

/** So many lines are offered, and kept in the file. */
const mostLines = 1000
/** A file that is longer is cut: to its last lines, within so many bytes. */
const mostBytes = 1 << 18

export interface History {
  /** The last line first. */
  readonly lines: readonly string[]
  readonly add: (line: string) => void
}

/** The lines of earlier sessions, and where those of this one go. A file that cannot be used is no reason to end: it is noted once. */
export function openHistory(options: { readonly history?: string | boolean | undefined }, io: Io): History {
  const file = options.history === false ? undefined : historyFile(options.history, io)
  let isUsable = file !== undefined
  const attempt = <T>(use: (file: string) => T): T | undefined => {
    if (!isUsable || file === undefined) return undefined
    try {
      return use(file)
    } catch (error) {
      isUsable = false
      const { code, message } = error as NodeJS.ErrnoException
      const why = code === undefined ? message : writeFault(code)
      io.stderr.write(`grantwise: note: no history is kept: ${shown(displayPath(file, io.cwd))}: ${shown(why)}\n`)
      return undefined
    }
  }
  let last: string | undefined
  return {
    lines: attempt(readLines) ?? [],
    add(typed) {
      const line = typed.trim()
      if (line === '' || line === last) return
      last = line
      attempt((path) => appendFileSync(path, `${line}\n`, { mode: 0o600 }))
    },
  }
}

function historyFile(option: string | boolean | undefined, { env, cwd }: Io): string | undefined {
  if (typeof option === 'string') return resolve(cwd, option)
  const { XDG_STATE_HOME: state, HOME: home } = env
  // A relative path is to be ignored, by the specification of these folders.
  const folder = state && isAbsolute(state) ? state : home && join(home, '.local', 'state')
  return folder ? join(folder, 'grantwise', 'history') : undefined
}

/** The last lines of the file. It is created if missing, made unreadable to other users, and cut if it is long. */
function readLines(file: string): readonly string[] {
  makeFolders(dirname(file), 0o700)
  const stat = statSync(file, { throwIfNoEntry: false })
  if (!stat) {
    closeSync(openSync(file, 'a', 0o600))
    return []
  }
  if (!stat.isFile()) throw new Error('not a regular file')
  if ((stat.mode & 0o077) !== 0) chmodSync(file, 0o600)
  const text = stat.size <= mostBytes ? readFileSync(file, 'utf8') : endOf(file, stat.size)
  const lines = text.split('\n').filter((line) => line !== '')
  const lastLines = lines.slice(-mostLines)
  if (stat.size > mostBytes || lines.length > 2 * mostLines) replace(file, lastLines.map((line) => `${line}\n`).join(''), 0o600)
  // Lines that could act on the terminal are not offered.
  return lastLines.filter((line) => visible(line) === line).reverse()
}

/** The last whole lines of a long file. */
function endOf(file: string, size: number): string {
  const bytes = Buffer.alloc(mostBytes)
  const fd = openSync(file, 'r')
  try {
    const text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, mostBytes, size - mostBytes))
    return text.slice(text.indexOf('\n') + 1)
  } finally {
    closeSync(fd)
  }
}
