import type { Rule } from '../rule.ts'
import { exposes, overTheAccount } from '../support/residual.ts'

export const grantsEscalation: Rule = {
  code: 'grants-escalation',
  section: 'risk',
  severity: 'warning',
  security: 8.0,
  yieldsToInner: ['allow-everything'],
  yieldsToOuter: ['allow-everything'],
  summary: 'A grant that allows an identity to give itself more permissions in the account.',
  why:
    'Anyone who can change policies, permissions groups or resource groups, move users between groups or assign roles effectively has ' +
    'every permission that these can give. Actions removed by `except`, denies, resources and conditions are not counted. Limit such ' +
    'grants to those who administer access, name the actions, and deny them to all others.',
  needs: 'mayBeSensitive',
  ...exposes(['escalation'], 'limit it to those who administer access, and remove the rest with `except` or `deny`', overTheAccount),
}
