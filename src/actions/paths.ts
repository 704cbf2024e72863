import type { Operation } from './operations.ts'

/** A path as written: its branch, where it names one, and the rest. */
export interface BranchedPath {
  readonly branch: Operation['branch'] | undefined
  readonly rest: string
}

/** Take the branch off a path: `/1.0` and `/v1` are one, `/v2` the other (spec: policy language, section 4). */
export function withoutBranch(path: string): BranchedPath {
  const branch = /^\/(1\.0|v1|v2)(?=\/)/.exec(path)
  return branch ? { branch: branch[1] === 'v2' ? 'v2' : 'v1', rest: path.slice(branch[0].length) } : { branch: undefined, rest: path }
}

/** Whether a word of a path template stands for a value: `{serviceName}`. */
export function isParameter(word: string): boolean {
  return word.startsWith('{')
}
