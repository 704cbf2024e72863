import type { Rule } from '../rule.ts'

export const permissionsGroupUrn: Rule = {
  code: 'permissions-group-urn',
  section: 'document',
  severity: 'error',
  summary: 'A permissions group that is not named by a well-formed URN.',
  why:
    'Permissions groups are named whole, `urn:v1:<region>:permissionsGroup:<owner>:<name>`, without a wildcard. A policy that names none of ' +
    'them as written gets none of their permissions, those that deny included.',
  examples: {
    bad: [
      `
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:svc
#                                   ^^^ permissions-group-urn`,
      `
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:svc:global*
#                                             ^ permissions-group-urn`,
    ],
    good: [
      `
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:svc:globalReadAccess`,
    ],
  },
  check: { reader: true },
}
