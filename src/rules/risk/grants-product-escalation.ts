import type { Rule } from '../rule.ts'
import { exposes, withinProducts } from '../support/residual.ts'

export const grantsProductEscalation: Rule = {
  code: 'grants-product-escalation',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 6.5,
  summary: 'A grant that allows an identity to create users, or to raise rights, within a product.',
  why:
    'Some products have users and rights of their own, such as those of a database or a private cloud. Anyone who can create such users ' +
    'can do with the product whatever these can. Actions removed by `except`, denies, resources and conditions are not counted. Limit ' +
    'such grants to those who administer the product.',
  ...exposes(['escalation'], 'limit it to those who administer the product, and remove the rest with `except` or `deny`', withinProducts),
}
