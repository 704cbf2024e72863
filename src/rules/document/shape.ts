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
  reader: true,
}
