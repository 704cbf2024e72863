import type { Rule } from '../rule.ts'

export const shape: Rule = {
  code: 'shape',
  section: 'document',
  severity: 'error',
  fixes: ['safe', 'suggested'],
  summary: 'A field that is unknown, misspelt, missing or of the wrong type.',
  why:
    'The service ignores or refuses unknown fields: `denny` denies nothing, `expiredat` never expires. A policy has the fields `name`, ' +
    '`description`, `identities`, `resources`, `permissions` (`allow`, `except`, `deny`), `permissionsGroups`, `conditions` and ' +
    '`expiredAt`. Resources, actions and permissions groups are lists of objects; identities is a list of strings. Nothing is decided ' +
    'over such a file, because the part that was not understood may be a deny.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vps:*" }]
  denny: [{ action: "vps:apisvc:terminate" }]
# ^^^^^ shape`,
      `
permissions:
  allow: ["vps:apisvc:get"]
#         ^^^^^^^^^^^^^^^^ shape`,
      `
permissions: { allow: [{ action: "vps:*" }] }
expiredat: "2030-01-01T00:00:00Z"
#^^^^^^^^ shape`,
      `
- name: web readers
#       ^^^^^^^^^^^ shape
  resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
  permissions: { allow: [{ action: "webHosting:apisvc:get" }] }`,
    ],
    good: `
permissions:
  allow: [{ action: "vps:*" }]
  deny: [{ action: "vps:apisvc:terminate" }]
expiredAt: "2030-01-01T00:00:00Z"`,
  },
  check: { reader: true },
}
