import { join, parse, relative, resolve, sep } from 'node:path'

/** A path as shown, relative to a folder and with `/`, as patterns are matched against it. */
export function pathFrom(folder: string, path: string, cwd: string): string {
  return portable(relative(folder, resolve(cwd, path)))
}

/** A path for display: relative to the working folder, with `/`. Absolute where the two share only the root. */
export function displayPath(file: string, cwd: string): string {
  const { root } = parse(cwd)
  const [top = ''] = cwd.slice(root.length).split(sep)
  return portable(top === '' || isWithin(file, join(root, top)) ? relative(cwd, file) || '.' : file)
}

/** A path with `/`, on every system. */
export function portable(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}

/** Whether a path is below a folder; both absolute. */
export function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Whether a path is a folder, or below it; both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const between = relative(folder, path)
  return between === '' || !(between === '..' || between.startsWith(`..${sep}`))
}
