import { isPattern } from '../../glob.ts'
import { resourceGroupOf } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

export const emptyResourceGroup: Rule = {
  code: 'empty-resource-group',
  section: 'resources',
  severity: 'warning',
  preset: 'strict',
  summary: 'A resource group that holds nothing.',
  why:
    'The policy is about nothing as far as this entry goes: it grants nothing and protects nothing. It begins to as soon as somebody adds a ' +
    'resource to the group, without a look at the policy. Who belongs to the group is taken from the world files.',
  examples: {
    bad: [
      `
policies:
  - name: web editors
    identities: ["urn:v1:eu:identity:group:ab12-svc/web"]
    resources: [{ urn: "urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11" }]
#                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ empty-resource-group
    permissions: { allow: [{ action: "webHosting:apisvc:get" }] }
resourceGroups:
  - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11
    resources: []`,
    ],
    good: [
      `
policies:
  - name: web editors
    identities: ["urn:v1:eu:identity:group:ab12-svc/web"]
    resources: [{ urn: "urn:v1:eu:resourceGroup:*" }]
    permissions: { allow: [{ action: "webHosting:apisvc:get" }] }
resourceGroups:
  - urn: urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11
    resources: []`,
    ],
  },
  check: {
    *policy({ resources }, { world }) {
      for (const { value, span } of resources) {
        const group = value.kind === 'group' && !isPattern(value.glob) ? resourceGroupOf(world, value.text) : undefined
        if (!group?.complete || group.members.size > 0) continue
        yield {
          span,
          message: `resource group ${quote(group.urn.value)} holds nothing: this entry is about nothing`,
          help: 'add the resources to the group, or remove the entry',
          related: [{ message: 'described here', span: group.urn.span }],
        }
      }
    },
  },
}
