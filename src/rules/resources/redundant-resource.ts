import type { Rule } from '../rule.ts'
import { redundantEntries } from '../support/cover.ts'
import { removal } from '../support/fixes.ts'
import { oddWildcard } from '../support/wildcards.ts'
import { nodeAt } from '../support/written.ts'

export const redundantResource: Rule = {
  code: 'redundant-resource',
  section: 'resources',
  severity: 'info',
  fixes: ['safe'],
  summary: 'A resource that is covered by another entry of the same policy.',
  why:
    'The entry has no effect, and removing it later will not remove the access, because the other entry still gives it. Remove it, or ' +
    'narrow the wider entry if it is too wide.',
  needs: 'mayBeOdd',
  policy: ({ resources, node }) =>
    redundantEntries(
      resources,
      ({ glob }) => glob,
      'the wider entry',
      // The meaning of such a wildcard is not documented: a fix must not rely on it.
      ({ span }, { value }, same) => removal(nodeAt(node, 'resources'), [span], same || oddWildcard(value) === undefined),
    ),
}
