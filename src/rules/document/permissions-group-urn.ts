import type { Rule } from '../rule.ts'

export const permissionsGroupUrn: Rule = {
  code: 'permissions-group-urn',
  section: 'document',
  severity: 'error',
  summary: 'A permissions group that is not a well-formed URN.',
  why:
    'Permissions groups are named in full, `urn:v1:<region>:permissionsGroup:<owner>:<name>`, without wildcards. A policy with a ' +
    "malformed name gets none of the group's permissions, including its denies.",
  reader: true,
}
