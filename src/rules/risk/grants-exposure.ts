import type { Rule } from '../rule.ts'
import { exposes } from '../support/residual.ts'

export const grantsExposure: Rule = {
  code: 'grants-exposure',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 8.0,
  summary: 'A grant to open a resource to others or hand it over.',
  why:
    'Firewalls, access lists, shares, DNS records and contacts decide who reaches a service and who owns it. Changes can let strangers ' +
    'in, or redirect names, mail and whole services. Actions removed by `except`, denies, resources and conditions are not counted. ' +
    'Grant such actions by name to those responsible for them.',
  ...exposes(['exposure'], 'grant such actions by name to those responsible for them'),
}
