import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from 'node:fs'

/** A file that lines are added to. */
export interface RecordFile {
  /** Adds one line, whole or not at all. Throws where it cannot be written. */
  readonly write: (line: string) => void
  readonly close: () => void
}

/** How long a full pipe is waited for, in milliseconds: no request is answered meanwhile. */
const longestWait = 500

/**
 * Open a file, or a pipe with a reader, to append lines to. A reader that closes it is an error of the next line, and a slow one
 * misses lines: neither stops the program. `file`: absolute.
 */
export function openRecord(file: string): RecordFile {
  const stat = statSync(file, { throwIfNoEntry: false })
  const isPipe = stat !== undefined && !stat.isFile() && !stat.isDirectory()
  const fd = isPipe ? openSync(file, constants.O_WRONLY | constants.O_NONBLOCK) : openSync(file, 'a+', 0o600)
  // A program that was killed may have left half a line: the next line begins on its own.
  let isTorn = !isPipe && endsWithin(fd)
  let isBehind = false

  const append = (bytes: Uint8Array) => {
    const patience = isBehind ? 0 : longestWait
    for (let done = 0, waited = 0; done < bytes.length; ) {
      try {
        done += writeSync(fd, bytes, done)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waited >= patience) {
          isBehind = waited >= patience
          if (done > 0 && (isPipe || !takeBack(fd, done))) isTorn = true
          throw error
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
        waited++
      }
    }
    isBehind = false
  }
  return {
    write(line) {
      append(Buffer.from(isTorn ? `\n${line}` : line))
      isTorn = false
    },
    close: () => closeSync(fd),
  }
}

/** Whether a file ends within a line. */
function endsWithin(fd: number): boolean {
  const { size } = fstatSync(fd)
  const last = Buffer.alloc(1)
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a
}

/** Take away the last bytes of a file; whether that was done. */
function takeBack(fd: number, count: number): boolean {
  try {
    ftruncateSync(fd, fstatSync(fd).size - count)
    return true
  } catch {
    return false
  }
}
