import type { Rule } from '../rule.ts'

export const unusedIgnore: Rule = {
  code: 'unused-ignore',
  section: 'upkeep',
  severity: 'warning',
  summary: 'A suppression that suppresses nothing.',
  why:
    'Its finding was fixed or moved to another line, so it would hide the next finding of that rule in that place. Remove it. ' +
    'Suppressions of disabled rules and of files that were not checked are not reported.',
  upkeep: true,
}
