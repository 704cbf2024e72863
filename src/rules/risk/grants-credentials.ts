import type { Rule } from '../rule.ts'
import { exposes } from '../support/residual.ts'

export const grantsCredentials: Rule = {
  code: 'grants-credentials',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 8.0,
  summary: 'A grant to obtain or reset credentials of others.',
  why:
    'A token, key, console or reset password lets its holder act as a machine or person outside these policies, and remains valid after ' +
    'the grant is removed. Actions removed by `except`, denies, resources and conditions are not counted. Grant such actions by name, ' +
    'on the resources that need them.',
  ...exposes(['credentials'], 'grant such actions by name, on the resources that need them'),
}
