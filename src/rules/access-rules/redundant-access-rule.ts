import { glob } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { rulesByMethod } from '../support/access.ts'
import { redundantEntries } from '../support/cover.ts'

export const redundantAccessRule: Rule = {
  code: 'redundant-access-rule',
  section: 'access rules',
  severity: 'info',
  precision: 'very-high',
  summary: 'An access rule that is covered by another rule of the same request.',
  why:
    'It has no effect, because a `*` matches any characters of the whole path, including `/`. Remove it, or narrow the wider rule if it ' +
    'is too wide.',
  yieldsToInner: ['path-parameter'],
  *credential(request) {
    for (const rules of rulesByMethod(request).values())
      yield* redundantEntries(
        rules.map(({ path: { value, span } }) => ({ value: glob(value), span })),
        (value) => value,
        'the wider rule',
      )
  },
}
