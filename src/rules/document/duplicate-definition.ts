import type { Rule } from '../rule.ts'

export const duplicateDefinition: Rule = {
  code: 'duplicate-definition',
  section: 'document',
  severity: 'error',
  summary: 'A permissions group, resource group or resource that is described twice with different contents.',
  why:
    'World files may repeat a description but not contradict it. Using either of two descriptions would be a guess, and the other one ' +
    'may hold the deny. Keep one of them.',
  examples: {
    bad: `
policies: []
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators
    permissions: { allow: [{ action: "vps:*" }], deny: [{ action: "vps:apisvc:terminate" }] }
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators
#        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ duplicate-definition
    permissions: { allow: [{ action: "vps:*" }] }`,
    good: `
policies: []
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators
    permissions: { allow: [{ action: "vps:*" }], deny: [{ action: "vps:apisvc:terminate" }] }
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators
    permissions: { deny: [{ action: "vps:apisvc:terminate" }], allow: [{ action: "vps:*" }] }`,
  },
  check: { reader: true },
}
