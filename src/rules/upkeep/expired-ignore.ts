import type { Rule } from '../rule.ts'

export const expiredIgnore: Rule = {
  code: 'expired-ignore',
  section: 'upkeep',
  severity: 'warning',
  summary: 'A suppression that is past its last day.',
  why:
    'An entry under `ignores` with an `until` holds up to the end of that day (UTC), so that an exception made for a while ends by itself. What it ' +
    'left out is shown again; remove the entry, or look again and give it a later day.',
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
