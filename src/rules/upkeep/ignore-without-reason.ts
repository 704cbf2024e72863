import type { Rule } from '../rule.ts'

export const ignoreWithoutReason: Rule = {
  code: 'ignore-without-reason',
  section: 'upkeep',
  severity: 'error',
  summary: 'A suppression comment without a reason.',
  why:
    'Later readers cannot distinguish a deliberate exception from a shortcut. Such a comment suppresses nothing until it gives a reason ' +
    'after a colon: `# grantwise-ignore CODE: reason`. Entries under `ignores` in the configuration also require one.',
  examples: {
    bad: `
permissions:
  allow:
    - action: vps:apisvc:rebooot # grantwise-ignore unknown-action
#                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ ignore-without-reason`,
    good: [
      `
permissions:
  allow:
    - action: vps:apisvc:rebooot # grantwise-ignore unknown-action: announced for next month`,
      `
permissions:
  allow:
    # grantwise-ignore unknown-action: announced for next month
    - action: vps:apisvc:rebooot`,
      `
description: "text, not a comment: # grantwise-ignore unknown-action"`,
    ],
  },
  check: { upkeep: true },
}
