import type { Rule } from '../rule.ts'

export const ignoreUnknownCode: Rule = {
  code: 'ignore-unknown-code',
  section: 'upkeep',
  severity: 'error',
  summary: 'A suppression comment with a code that does not exist or cannot be suppressed.',
  why:
    'A misspelt or renamed code suppresses nothing. Findings of the readers cannot be suppressed, because nothing is decided over a ' +
    'file that is not understood. Findings about suppressions cannot be suppressed either; set their level in the configuration.',
  upkeep: true,
}
