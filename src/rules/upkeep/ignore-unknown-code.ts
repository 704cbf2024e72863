import type { Rule } from '../rule.ts'

export const ignoreUnknownCode: Rule = {
  code: 'ignore-unknown-code',
  section: 'upkeep',
  severity: 'error',
  summary: 'A suppression comment with a code that does not exist or cannot be suppressed.',
  why:
    'A misspelt or renamed code suppresses nothing. Findings of the readers cannot be suppressed, because nothing is decided over a ' +
    'file that is not understood. Findings about suppressions cannot be suppressed either; set their level in the configuration.',
  examples: {
    bad: [
      `
permissions:
  allow:
    - action: vps:apisvc:rebooot # grantwise-ignore unknown-acton: announced for next month
#                                                   ^^^^^^^^^^^^^ ignore-unknown-code`,
      `
# grantwise-ignore unused-ignore: comments come and go
#                  ^^^^^^^^^^^^^ ignore-unknown-code
description: a team of its own`,
    ],
    good: `
permissions:
  allow:
    - action: vps:apisvc:rebooot # grantwise-ignore unknown-action: announced for next month`,
  },
  check: { upkeep: true },
}
