import type { Operation } from './operations.ts'

/** A path as written: its branch, where it names one, and the rest. */
export interface BranchedPath {
  readonly branch: Operation['branch'] | undefined
  readonly rest: string
}

/** Take the branch off a path: `/1.0` and `/v1` are one, `/v2` the other. */
export function withoutBranch(path: string): BranchedPath {
  const branch = /^\/(1\.0|v1|v2)(?=\/)/.exec(path)
  return branch ? { branch: branch[1] === 'v2' ? 'v2' : 'v1', rest: path.slice(branch[0].length) } : { branch: undefined, rest: path }
}

/**
 * A path without a slash at its end. Clients call paths in both ways, and what the service makes of the slash is not
 * documented: such a call is of the same operation, and compared with access rules in both forms.
 */
export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') && !path.endsWith('//') ? path.slice(0, -1) : path
}

/** Whether a segment of a path template is a parameter: `{serviceName}`. */
export function isParameter(word: string): boolean {
  return word.startsWith('{')
}

/** Whether a path begins with a word: `/vps/{serviceName}` with `vps`, not with `vp`, and not with the word `vps/{serviceName}`. */
export function isFirstWord(path: string, word: string): boolean {
  const end = word.length + 1
  return path.startsWith(word, 1) && (path.length === end || path[end] === '/') && !word.includes('/')
}
