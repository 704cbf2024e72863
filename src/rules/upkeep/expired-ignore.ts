import type { Rule } from '../rule.ts'

export const expiredIgnore: Rule = {
  code: 'expired-ignore',
  section: 'upkeep',
  severity: 'warning',
  summary: 'A suppression past its last day.',
  why:
    'An entry under `ignores` with `until` applies until the end of that day (UTC). Afterwards its findings are reported again. Remove ' +
    'the entry, or review it and set a later day.',
  upkeep: true,
}
