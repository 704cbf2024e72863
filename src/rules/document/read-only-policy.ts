import type { Rule } from '../rule.ts'
import { keyNode } from '../support/written.ts'

export const readOnlyPolicy: Rule = {
  code: 'read-only-policy',
  section: 'document',
  severity: 'info',
  preset: 'auditor',
  summary: 'A policy managed by the service in a hand-written file.',
  why:
    'The service marks its own policies `readOnly` and refuses changes to them, so edits here have no effect. In a listing from the ' +
    'service, where each policy has an `id`, such policies are expected; a copy without `id` becomes outdated. Take it from a fresh ' +
    'listing, or remove `readOnly` if the policy is yours.',
  *policy({ readOnly, node }) {
    const key = keyNode(node, 'readOnly')
    if (!readOnly || !key || keyNode(node, 'id')) return
    yield {
      span: key,
      message: 'the service manages read-only policies: changes made here have no effect',
      help: 'take the policy from a listing of the service, or remove `readOnly` if the policy is yours',
    }
  },
}
