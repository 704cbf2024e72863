import type { Rule } from '../rule.ts'

export const duplicateDefinition: Rule = {
  code: 'duplicate-definition',
  section: 'document',
  severity: 'error',
  summary: 'A permissions group, resource group, resource or identity that is described twice with different contents.',
  why:
    'World files may repeat a description but not contradict it. Using either of two descriptions would be a guess, and the other one ' +
    'may hold the deny, or the group that it is for. Keep one of them.',
  reader: true,
}
