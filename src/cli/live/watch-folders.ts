import { type FSWatcher, watch } from 'node:fs'

/** How long nothing more may change, in milliseconds: a file is written in several steps. */
const quiet = 100

/**
 * Watch folders, not those in them, for an editor that cannot. Returns what ends it. What cannot be watched is missed until the
 * editor changes something.
 */
export function watchFolders(folders: readonly string[], happened: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(happened, quiet)
    timer.unref()
  }
  const watchers = folders.flatMap((folder): FSWatcher[] => {
    try {
      const watcher = watch(folder, { persistent: false }, changed)
      // A folder that goes away is a change as well.
      watcher.on('error', changed)
      return [watcher]
    } catch {
      return []
    }
  })
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
