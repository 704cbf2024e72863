import type { Skipped } from '../coverage.ts'
import type { IgnoreComment } from '../parser/comments.ts'
import type { ReadSource, SeparateWorld } from '../parser/read.ts'
import type { PlainRange } from '../source.ts'
import { allFacts, type FencesRead } from './files.ts'

/** Parts of a file that are each a world by itself, as one reading. `plain`: where fixes may write, if not in all of them. */
export function examplesOf(
  reads: readonly ReadSource[],
  comments: readonly IgnoreComment[],
  passed: readonly Skipped[],
  plain?: readonly PlainRange[],
): FencesRead {
  return {
    read: {
      kind: 'examples',
      facts: allFacts(reads.map(({ facts }) => facts)),
      diagnostics: reads.flatMap(({ diagnostics }) => diagnostics),
      refused: reads.some(({ refused }) => refused),
      holdsPolicies: reads.length + passed.length > 0,
      resemblesPolicies: false,
      ignores: [...comments, ...reads.flatMap(({ ignores }) => ignores)],
      apart: reads.map(({ facts, diagnostics, open }): SeparateWorld => ({ facts, diagnostics, ...(open && { open }) })),
      ...(plain && { plain }),
    },
    passed,
  }
}
