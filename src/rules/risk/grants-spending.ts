import type { Rule } from '../rule.ts'
import { exposes } from '../support/residual.ts'

export const grantsSpending: Rule = {
  code: 'grants-spending',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'A grant to spend money or end a contract.',
  why:
    'Orders, renewals, payments and terminations bind the account, and most cannot be undone. Actions removed by `except`, denies, ' +
    'resources and conditions are not counted. Grant such actions by name to those who may sign for the account.',
  ...exposes(['spend'], 'grant such actions by name to those who may sign for the account'),
}
