import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** One of a list in so many, others at each commit: each has its turn at one of so many commits. A share of 1 is all of them. */
export function turnOf(list, share) {
  if (!(Number.isInteger(share) && share > 0)) throw new Error(`a share of ${share}: expected a whole number from 1`)
  if (share === 1) return list
  const cwd = join(import.meta.dirname, '..')
  const commits = Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd, encoding: 'utf8' }))
  return list.filter((_, i) => (i + commits) % share === 0)
}
