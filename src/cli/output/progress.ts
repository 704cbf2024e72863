import type { Options } from '../app/commands.ts'
import type { Io } from '../app/io.ts'

/** Called for each of what is counted; prints a line once it takes long. */
export type Progress = ((count: number, all: number) => void) & { readonly end: () => void }

/** The time before the first line, and between updates, in milliseconds. */
const patience = 1000
const rhythm = 100

/**
 * A line on standard error that counts the files, or what `noun` says, where a person waits in front of a terminal: not on build servers, not
 * before commits, not with `--no-progress`. It is gone when the report comes.
 */
export function progressOf(options: Pick<Options<'lint'>, 'progress'>, io: Io, noun = 'files'): Progress | undefined {
  const { CI, PRE_COMMIT, TERM } = io.env
  if (!options.progress || CI || PRE_COMMIT || TERM === 'dumb') return undefined
  if (!io.stderr.isTerminal()) return undefined
  const start = performance.now()
  let next = start + patience
  let isShown = false
  const show = (count: number, all: number) => {
    const now = performance.now()
    if (now < next) return
    next = now + rhythm
    isShown = true
    io.stderr.write(`\r${count} of ${all} ${noun}\u001b[K`)
  }
  return Object.assign(show, { end: () => void (isShown && io.stderr.write('\r\u001b[K')) })
}
