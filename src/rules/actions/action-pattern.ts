import type { Rule } from '../rule.ts'

export const actionPattern: Rule = {
  code: 'action-pattern',
  section: 'actions',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'An action that is not well-formed.',
  why:
    'Actions are written `<product>:<namespace>:<path>`, such as `vps:apisvc:ips/get`; `<product>:*` stands for every action of a product. ' +
    'The product starts with a lower-case letter, and the path is words joined by `/`. What is written otherwise is refused by the service.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vps" }]
#                    ^^^ action-pattern`,
      `
permissions:
  allow:
    - action: VPS:apisvc:get
#             ^ action-pattern
    - action: vps:apisvc:ips//get
#                            ^ action-pattern`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:apisvc:ips/get" }, { action: "dnsZone:*" }, { action: "*/get" }]`,
    ],
  },
  check: { reader: true },
}
