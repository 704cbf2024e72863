import type { Rule } from '../rule.ts'

export const ignoreUnknownCode: Rule = {
  code: 'ignore-unknown-code',
  section: 'upkeep',
  severity: 'error',
  summary: 'A comment that would leave out findings of a rule that there is not, or of one that cannot be ignored.',
  why:
    'A misspelt code leaves nothing out, and a rule that was renamed no longer does. Problems that are found while reading cannot be left out at ' +
    'all, since nothing is decided over a file that is not understood; nor can findings about suppressions themselves, whose level is set in the ' +
    'configuration instead.',
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
    good: [
      `
permissions:
  allow:
    - action: vps:apisvc:rebooot # grantwise-ignore unknown-action: announced for next month`,
    ],
  },
  check: { upkeep: true },
}
