import type { Rule } from '../rule.ts'
import { redundantEntries } from '../support/cover.ts'
import { removal } from '../support/fixes.ts'
import { nodeAt } from '../support/written.ts'

export const redundantIdentity: Rule = {
  code: 'redundant-identity',
  section: 'identities',
  severity: 'info',
  fixes: ['safe'],
  summary: 'An identity that is covered by another entry of the same policy.',
  why:
    'The entry has no effect, and removing it later will not remove the access, because the other entry still gives it. Remove it, or ' +
    'narrow the wider entry if it is too wide.',
  needs: 'mayBeOdd',
  policy: ({ identities, node }) =>
    redundantEntries(
      identities,
      ({ glob }) => glob,
      'the wider entry',
      ({ span }) => removal(nodeAt(node, 'identities'), [span], true),
    ),
}
