import { type FSWatcher, readdirSync, statSync, watch as watchFolder } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { notationOf } from '../../source.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Io, writeFault } from '../app/io.ts'
import { Refusal } from '../app/refusal.ts'
import { reportError } from '../output/errors.ts'

/** The result of a run, and the files that it has read. */
export interface WatchedRun {
  readonly code: ExitCode
  /** Absolute: the files that were read, and the folders that were searched. */
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

/** How long nothing more may change before the next run, in milliseconds: an editor writes a file in several steps. */
const quiet = 100

/**
 * Run, and run again whenever a file that was read changes, or another appears next to one of them, until the user ends it.
 * `written`: the files that runs write, which are no reason for another. Returns the code of the last run.
 */
export async function watch(runOnce: () => Promise<WatchedRun>, written: ReadonlySet<string>, io: Io): Promise<ExitCode> {
  if (io.env.CI && io.env.CI !== 'false')
    throw new Refusal('--watch goes on until a user ends it, and no user does on a build server', 'leave `--watch` out')
  let isOver = false
  const over = io.interrupted?.().then(() => {
    isOver = true
  })
  let last: WatchedRun = { code: exit.error, files: [], folders: [] }
  const appeared = new Set<string>()
  while (!isOver) {
    const start = io.now()
    try {
      last = await runOnce()
    } catch (error) {
      // The error may be fixed: the earlier files are still watched.
      if (!(error instanceof Refusal) || last.files.length === 0) throw error
      reportError(error, io)
      last = { ...last, code: exit.error }
    }
    const change = nextChange(last, written, start, appeared)
    io.stderr.write('grantwise: watching; Ctrl-C ends\n')
    await Promise.race([change.happened, ...(over ? [over] : [])])
    change.stop()
  }
  return last.code
}

/**
 * Wait for a change of what was read at `start` or later. `appeared`: folders that were made since, which are added to it and are
 * watched although no file was read in them.
 */
export function nextChange(
  { files, folders }: Pick<WatchedRun, 'files' | 'folders'>,
  written: ReadonlySet<string>,
  start: number,
  appeared: Set<string>,
) {
  const watchers: FSWatcher[] = []
  let timer: NodeJS.Timeout | undefined
  let resolve = () => {}
  const happened = new Promise<void>((done) => {
    resolve = done
  })
  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(resolve, quiet)
  }
  const read = new Set(files)
  const watched = new Set([...files.map((file) => dirname(file)), ...folders, ...[...appeared].flatMap(foldersIn)])
  /** Whether a name in a watched folder is that of a file that may be read, or of a folder that is new. */
  const counts = (folder: string, name: string) => {
    const path = join(folder, name)
    if (read.has(path) || notationOf(name) !== undefined) return !written.has(join(folder, basename(name)))
    if (!isSearched(name) || watched.has(path) || !isFolder(path)) return false
    appeared.add(path)
    return true
  }
  for (const folder of watched) {
    try {
      const watcher = watchFolder(folder, (_, name) => {
        if (name === null || counts(folder, name)) changed()
      })
      // A folder that goes away is a change as well.
      watcher.on('error', changed)
      watchers.push(watcher)
    } catch (error) {
      // Nothing can be said of a folder that is gone: its files are missed by the next run. Any other would go unnoticed.
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') continue
      for (const watcher of watchers) watcher.close()
      const why = code === 'ENOSPC' ? 'the system watches as many files as it may (ENOSPC)' : writeFault(code)
      throw new Refusal(`${folder}: cannot be watched: ${why}`)
    }
  }
  // Changes between the reading of a file, or of a folder, and now.
  const now = Date.now()
  const writtenIn = new Set([...written].map((file) => dirname(file)))
  if ([...files, ...watched].some((path) => !writtenIn.has(path) && modified(path) > start && modified(path) <= now)) changed()
  return {
    happened,
    stop() {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** Folders of tools are not searched. */
const isSearched = (name: string) => !name.startsWith('.') && name !== 'node_modules'

/** A folder with those in it; none where it is gone. */
function foldersIn(folder: string): readonly string[] {
  if (!isFolder(folder)) return []
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && isSearched(entry.name))
  return [folder, ...inner.flatMap(({ name }) => foldersIn(join(folder, name)))]
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
