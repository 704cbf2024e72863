import type { Rule } from '../rule.ts'

export const duplicateDefinition: Rule = {
  code: 'duplicate-definition',
  section: 'document',
  severity: 'error',
  summary: 'One permissions group, resource group or resource that is described twice, and differently.',
  why:
    'Files of a world may repeat each other but not contradict each other: which of two descriptions holds would be a guess, and either may be ' +
    'the one that forbids. Keep one of them.',
  examples: {
    bad: [
      `
policies: []
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators
    permissions: { allow: [{ action: "vps:*" }], deny: [{ action: "vps:apisvc:terminate" }] }
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators
#        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ duplicate-definition
    permissions: { allow: [{ action: "vps:*" }] }`,
    ],
    good: [
      `
policies: []
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators
    permissions: { allow: [{ action: "vps:*" }], deny: [{ action: "vps:apisvc:terminate" }] }
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:operators
    permissions: { deny: [{ action: "vps:apisvc:terminate" }], allow: [{ action: "vps:*" }] }`,
    ],
  },
  check: { reader: true },
}
