import type { Rule } from '../rule.ts'
import { unknownActions } from './unknown-action.ts'

export const unknownProtectedAction: Rule = {
  code: 'unknown-protected-action',
  section: 'actions',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'An action in `deny` or `except` that is not in the catalogue.',
  why:
    'A misspelt `deny` or `except` entry has no effect, and nothing shows it: the protection is missing. Check the name and its ' +
    'namespace. The service may have newer actions than the catalogue: a name one typo away from a known one is a warning, any other ' +
    'name is info.',
  needs: 'unlistedAction',
  ...unknownActions(['except', 'deny'], 'the protection may be missing'),
}
