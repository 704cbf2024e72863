import { addTo } from '../collections.ts'
import { type ChangedFile, type Fact, fact, type Repository } from './facts.ts'

/**
 * Facts of files whose paths equal those of others on file systems that ignore case, and forms of accented letters, as on Windows and
 * macOS: a checkout has only one of two such files, and merges two such folders.
 */
export function collisionFacts({ path, text, repository }: ChangedFile): readonly Fact[] {
  const names = namesIn(repository)
  const othersOf = (prefix: string) => [...(names.get(folded(prefix)) ?? [])].filter((name) => name !== prefix)
  const [other] = prefixesOf(path).flatMap(othersOf)
  if (other === undefined) return []
  // Which of two files is left decides what is in it; of two folders that stay, the contents are looked at as those of others.
  const mark = othersOf(path).length > 0 ? text : ''
  return [fact({ path }, `\`${other}\` has the same name on a file system that ignores case`, path, mark)]
}

/** The paths of files and folders, by their folded form. */
function namesIn(repository: Repository): ReadonlyMap<string, ReadonlySet<string>> {
  return repository.once(namesIn, () => {
    const prefixesByKey = new Map<string, Set<string>>()
    const seen = new Set<string>()
    for (const path of repository.paths)
      for (const prefix of prefixesOf(path)) {
        if (seen.has(prefix)) break
        seen.add(prefix)
        const key = folded(prefix)
        addTo(prefixesByKey, key, prefix)
      }
    return prefixesByKey
  })
}

/** A path and the folders above it, the longest first. */
function prefixesOf(path: string): readonly string[] {
  const found = [path]
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) found.push(path.slice(0, end))
  return found
}

/** A path as such a file system compares it; Windows also ignores dots and blanks at the end of a name. */
const folded = (path: string): string =>
  path
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
    .replace(/(?<![. ])[. ]+(?=\/|$)/g, '')
