export function joinPath(folder: string, path: string): string {
  const isAbsolute = folder.startsWith('/')
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '..' || !isAbsolute) parts.push(part)
  }
  return (isAbsolute ? '/' : '') + parts.join('/')
}

/** The path from one folder to another, as the tool writes it. */
export function pathBetween(from: string, to: string): string {
  const [a, b] = [from, to].map((path) => path.split('/').filter((part) => part !== '')) as [string[], string[]]
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared++
  const parts = [...a.slice(shared).map(() => '..'), ...b.slice(shared)]
  return parts.length === 0 ? '.' : parts.join('/')
}

/** A path as it is where it is absolute, else from a folder. */
export function pathFrom(folder: string, path: string): string {
  return /^(?:[A-Za-z]:)?\//.test(path) ? joinPath(path, '') : joinPath(folder, path) || '.'
}

/** The folder of a file; '' for a name alone. */
export function folderOf(file: string): string {
  const end = file.lastIndexOf('/')
  return end === 0 ? '/' : file.slice(0, Math.max(end, 0))
}

export function nameIn(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}
