import { realpathSync } from 'node:fs'
import { dirname, parse, resolve } from 'node:path'
import type { Io } from '../app/io.ts'
import { isWithin } from '../app/paths.ts'
import { kindAt, refusals } from './read-file.ts'
import { isGlob } from './walk.ts'

/** Why an absolute path leads out of what may be read; undefined where it does not, or everything may. */
export function outsideProblem(file: string, { within }: Pick<Io, 'within'>): string | undefined {
  if (within === undefined) return undefined
  if (!isWithin(file, within) || !isWithin(realFolder(file), within)) return 'outside of the workspace'
  return undefined
}

/** Where the nearest folder at or above a path is that exists, with no link in it. */
function realFolder(file: string): string {
  for (let here = file; ; here = dirname(here)) {
    try {
      return realpathSync(here)
    } catch {
      if (here === parse(here).root) return here
    }
  }
}

/** A commit, branch or tag as users name it: no range, no path in it, nothing that git takes for an option. */
const reference = /^[A-Za-z0-9_@][A-Za-z0-9_./@{}~^+-]*$/

/**
 * The reason why a path from another source than the user must not be used; undefined where it may. Files and folders below the
 * workspace are allowed, reached without links, and globs below it. `mayBeCommit`: also `git:REF` and `git:REF:PATH`.
 */
export function pathRefusal(path: string, mayBeCommit: boolean, io: Pick<Io, 'within' | 'cwd'>): string | undefined {
  if (path === '' || path.includes('\0')) return 'not the name of a file'
  if (path === '-') return 'standard input belongs to the protocol: name files and folders'
  if (path.startsWith('git:')) {
    if (!mayBeCommit) return 'a commit cannot be named here: name files and folders'
    const [, name = '', ...rest] = path.split(':')
    if (!reference.test(name) || name.includes('..')) return 'expected `git:` and a commit, branch or tag'
    return rest.length === 0 ? undefined : pathRefusal(rest.join(':'), false, io)
  }
  const file = resolve(io.cwd, path)
  const fault = outsideProblem(file, io)
  if (fault !== undefined) return fault
  const kind = kindAt(file)
  if (kind === 'link' || kind === 'special' || kind === 'closed') return refusals[kind]
  // Its part without wildcards is where the search starts.
  return kind === 'missing' && isGlob(path) && /(^|\/)\.\.(\/|$)/.test(path) ? 'a glob does not lead upwards' : undefined
}
