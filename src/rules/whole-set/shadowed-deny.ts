import type { Rule } from '../rule.ts'
import { some } from '../support/text.ts'
import { cite, verdicts } from '../support/verdicts.ts'

export const shadowedDeny: Rule = {
  code: 'shadowed-deny',
  section: 'whole set',
  severity: 'info',
  preset: 'strict',
  precision: 'very-high',
  summary: 'A policy of denies that other denies cover.',
  why:
    'Whatever it denies is denied without it. It can be deleted, and nothing changes; left in place it hides which policy holds the line, and ' +
    'lifting it later lifts nothing. A deny that nothing else covers is never reported, whether or not somebody has the access it takes away: a ' +
    'guard rail is there for the day somebody gets it.',
  examples: {
    bad: [
      `
- name: nobody terminates
  identities: ["urn:v1:eu:identity:user:*", "urn:v1:eu:identity:group:*"]
  resources: [{ urn: "urn:v1:eu:resource:*" }]
  permissions: { deny: [{ action: "*/terminate" }, { action: "vps:apisvc:terminate" }] }
- name: students do not terminate servers
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ shadowed-deny
  identities: ["urn:v1:eu:identity:group:ab12-svc/students"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { deny: [{ action: "vps:apisvc:terminate" }] }`,
    ],
    good: [
      `
- name: nobody terminates
  identities: ["urn:v1:eu:identity:user:*"]
  resources: [{ urn: "urn:v1:eu:resource:*" }]
  permissions: { deny: [{ action: "vps:apisvc:terminate" }] }
- name: students do not terminate servers
  identities: ["urn:v1:eu:identity:group:ab12-svc/students"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { deny: [{ action: "vps:apisvc:terminate" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      const verdict = verdicts(context).get(policy)
      if (verdict?.kind !== 'shadowed') return
      yield {
        span: policy.name.span,
        message: `this policy denies nothing of its own: ${some(verdict.by.map((by) => by.name.value))} ${verdict.by.length === 1 ? 'denies' : 'deny'} all of it`,
        help: 'delete it, or narrow what covers it',
        related: cite(verdict.by, () => 'this denies it too'),
      }
    },
  },
}
