import type { Rule } from '../rule.ts'
import { exposes } from '../support/residual.ts'

export const grantsAuditChanges: Rule = {
  code: 'grants-audit-changes',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 8.0,
  summary: 'A grant to weaken the audit trail or the protection of the account.',
  why:
    'Log destinations, access restrictions and second factors detect and stop stolen credentials, and are what an intruder changes ' +
    'first. Actions removed by `except`, denies, resources and conditions are not counted. Limit these actions to few identities, and ' +
    'deny them to all others.',
  ...exposes(['audit'], 'limit these actions to few identities, and deny them to all others'),
}
