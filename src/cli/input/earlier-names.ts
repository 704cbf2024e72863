import { isWithin } from '../app/paths.ts'
import { type CommitRead, type FileChange, isNothing } from './commits.ts'

/**
 * The names by which files and folders went before they were renamed, with those that they have now: all absolute. By the place of the
 * commit that renames them, the newest first; none where no commit does.
 */
export function earlierNames(paths: readonly string[], commits: readonly CommitRead[]): ReadonlyMap<number, readonly string[]> {
  const earlier = new Map<number, readonly string[]>()
  if (paths.length === 0) return earlier
  const all = new Set(paths)
  for (const [i, { changes }] of [...commits.entries()].reverse()) {
    const old = namesBefore(changes, [...all]).filter((path) => ![...all].some((each) => isWithin(path, each)))
    if (old.length === 0) continue
    for (const path of old) all.add(path)
    earlier.set(i, [...all])
  }
  return earlier
}

/** The names that files at some paths had before a commit that renames them: by their content, which is the same. */
function namesBefore(changes: readonly FileChange[], paths: readonly string[]): readonly string[] {
  const isNamed = (file: string) => paths.some((path) => isWithin(file, path))
  const added = changes.filter(({ path, before, mode }) => isNothing(before) && !isNothing(mode) && isNamed(path))
  if (added.length === 0) return []
  const removed = new Map(changes.flatMap(({ path, before, mode }) => (isNothing(mode) && !isNamed(path) ? [[before, path]] : [])))
  return added.flatMap(({ path, id }) => {
    const old = removed.get(id)
    if (old === undefined) return []
    const folder = paths.find((each) => isWithin(path, each)) as string
    const rest = path.slice(folder.length)
    return [rest !== '' && old.endsWith(rest) ? old.slice(0, -rest.length) : old]
  })
}
