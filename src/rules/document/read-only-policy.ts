import type { Rule } from '../rule.ts'
import { keyNode } from '../support/written.ts'

export const readOnlyPolicy: Rule = {
  code: 'read-only-policy',
  section: 'document',
  severity: 'info',
  preset: 'auditor',
  summary: 'A policy that the service manages, in a file that is kept by hand.',
  why:
    'The service marks the policies that it manages itself as `readOnly` and refuses every change to them, so that editing one here changes ' +
    'nothing there. In a listing that the service wrote, where each policy has its `id`, they are in their place; a copy without one was written ' +
    'by hand and grows stale. Take it from a fresh listing, or take the mark off if the policy is your own.',
  examples: {
    bad: [
      `
name: web readers
readOnly: true
#^^^^^^^ read-only-policy`,
    ],
    good: [
      `
- name: web readers
  id: 6e2a1d0c-7f5b-4c7e-9a51-0d1f7c3b2a10
  readOnly: true
  identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
  permissions: { allow: [{ action: "webHosting:apisvc:get" }] }`,
    ],
  },
  check: {
    *policy({ readOnly, node }) {
      const key = keyNode(node, 'readOnly')
      if (!readOnly || !key || keyNode(node, 'id')) return
      yield {
        span: key,
        message: 'the service manages read-only policies itself: what is changed here has no effect there',
        help: 'take the policy from a listing of the service, or remove `readOnly` if it is your own',
      }
    },
  },
}
