import type { Rule } from '../rule.ts'

export const unusedIgnore: Rule = {
  code: 'unused-ignore',
  section: 'upkeep',
  severity: 'warning',
  summary: 'A suppression that suppresses nothing.',
  why:
    'Its finding was fixed or moved to another line, so it would hide the next finding of that rule in that place. Remove it. ' +
    'Suppressions of disabled rules and of files that were not checked are not reported.',
  examples: {
    bad: [
      `
permissions:
  allow:
    - action: vps:apisvc:reboot # grantwise-ignore unknown-action: announced for next month
#                                                  ^^^^^^^^^^^^^^ unused-ignore`,
      {
        path: '.grantwise.yaml',
        text: `
ignores:
  - files: policy.yaml
    codes: [unknown-action, expired]
#                           ^^^^^^^ unused-ignore
    reason: the new action is announced for next month`,
      },
    ],
    good: [
      `
permissions:
  allow:
    # grantwise-ignore unknown-action: announced for next month
    - action: vps:apisvc:rebooot`,
      {
        path: '.grantwise.yaml',
        text: `
ignores:
  - files: policy.yaml
    codes: unknown-action
    reason: the new action is announced for next month`,
      },
    ],
  },
  check: { upkeep: true },
}
