import { hasInnerWildcard } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { redundantEntries } from '../support/cover.ts'
import { removalFromSet } from '../support/fixes.ts'
import { listNames } from '../support/lists.ts'
import { everySet } from '../support/sets.ts'

export const redundantAction: Rule = {
  code: 'redundant-action',
  section: 'actions',
  severity: 'info',
  fixes: ['safe'],
  summary: 'An action that is covered by another entry of the same list.',
  why:
    'The entry has no effect, and removing it later will not remove the access, because the other entry still gives it. Remove it, or ' +
    'narrow the wider entry if it is too wide.',
  needs: 'mayBeOdd',
  ...everySet(function* ({ permissions, written }) {
    for (const list of listNames)
      yield* redundantEntries(
        permissions[list],
        (value) => value,
        'the wider entry',
        // The meaning of an inner wildcard is not documented: a fix must not rely on it.
        ({ span }, { value }, same) => removalFromSet(written, list, [span], same || !hasInnerWildcard(value)),
      )
  }),
}
