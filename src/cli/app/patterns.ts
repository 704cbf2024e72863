import { relative, resolve, sep } from 'node:path'

/** File patterns with the folder that they are relative to. */
export interface Patterns {
  readonly folder: string
  readonly patterns: readonly string[]
}

/** A path, as shown to people, relative to a folder and with `/`, as patterns are matched against it. */
export function pathFrom(folder: string, path: string, cwd: string): string {
  const here = relative(folder, resolve(cwd, path))
  return sep === '/' ? here : here.replaceAll(sep, '/')
}
