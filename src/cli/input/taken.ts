import type { Difference } from '../../diff/diff.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { type ChangedDeployment, nothingChanged } from './deployed.ts'

/** Values that all sides have and that are only assumed to be equal, in the user's words. None for a single side. */
export function assumedEqual(reads: readonly ReadFiles[]): readonly string[] {
  if (reads.length < 2) return []
  const [first = new Set<string>(), ...others] = reads.map(
    ({ assumptions }) => new Set(assumptions.flatMap(({ what, isTaken }) => (isTaken ? [what] : []))),
  )
  return [...first].filter((what) => others.every((each) => each.has(what)))
}

/** Equal access is not proved where it depends on values assumed to be equal, or where the deployed files may differ. */
export function withTaken(
  difference: Difference,
  taken: readonly string[],
  { deployment, others, ignored }: ChangedDeployment = nothingChanged,
): Difference {
  const isOpen = taken.length > 0 || deployment.length > 0
  return {
    ...difference,
    verdict: isOpen && difference.verdict === 'same' ? 'undecided' : difference.verdict,
    ...(taken.length > 0 && { taken }),
    ...(deployment.length > 0 && { deployment }),
    ...(others.length > 0 && { others }),
    ...(ignored.length > 0 && { ignored }),
  }
}
