import type { Level } from '../../src/actions/reads.ts'

/**
 * The level that some of the actions about a type come to: `all` of them, at least one that does not only read (`write`),
 * or at least one (`read`).
 */
export function levelOf(allowed: readonly string[], about: readonly string[], reads: ReadonlySet<string>): Level {
  if (allowed.length === 0) return 'none'
  if (allowed.length === about.length) return 'all'
  return allowed.some((action) => !reads.has(action)) ? 'write' : 'read'
}
