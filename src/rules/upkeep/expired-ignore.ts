import type { Rule } from '../rule.ts'

export const expiredIgnore: Rule = {
  code: 'expired-ignore',
  section: 'upkeep',
  severity: 'warning',
  summary: 'A suppression past its last day.',
  why:
    'An entry under `ignores` with `until` applies until the end of that day (UTC). Afterwards its findings are reported again. Remove ' +
    'the entry, or review it and set a later day.',
  examples: {
    bad: [
      {
        path: '.grantwise.yaml',
        text: `
ignores:
  - files: policy.yaml
    codes: unknown-action
    reason: the new action is announced for January
    until: "2026-01-14"
#          ^^^^^^^^^^^^ expired-ignore`,
      },
    ],
    good: [
      {
        path: '.grantwise.yaml',
        text: `
ignores:
  - files: policy.yaml
    codes: unknown-action
    reason: the new action is announced for January
    until: "2026-01-15"`,
      },
    ],
  },
  check: { upkeep: true },
}
