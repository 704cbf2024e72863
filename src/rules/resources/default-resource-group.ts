import type { Rule } from '../rule.ts'
import { mayGrant } from '../support/grants.ts'
import { textsOption } from '../support/options.ts'
import { quote } from '../support/text.ts'

const code = 'default-resource-group'

export const defaultResourceGroup: Rule = {
  code,
  section: 'resources',
  severity: 'warning',
  preset: 'auditor',
  security: 5,
  summary: 'A grant over a resource group that contains every resource.',
  why:
    'A group that includes every new resource automatically is `*` under another name. Use a group with deliberate membership. List ' +
    'such groups as the option `groups`; `urn:v1:<region>:resourceGroup:*` is always reported once the option is set.',
  options: [{ name: 'groups', type: 'texts', text: 'ids or URNs of the resource groups that contain everything', required: true }],
  examples: {
    bad: [
      {
        options: { groups: ['4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11'] },
        text: `
resources: [{ urn: "urn:v1:eu:resourceGroup:4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11" }]
#                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ default-resource-group`,
      },
    ],
    good: [
      {
        options: { groups: ['4f0c8f0e-6d57-4c8b-9c2e-1f1a6b7d2c11'] },
        text: `
resources: [{ urn: "urn:v1:eu:resourceGroup:aa0713ab-ed13-4f1a-89a5-32aeb0cb936d" }]`,
      },
    ],
  },
  check: {
    *policy(policy, context) {
      const groups = textsOption(context, code, 'groups')
      if (!groups || policy.readOnly || !mayGrant(policy, context.world)) return
      for (const { value, span } of policy.resources) {
        if (value.kind !== 'group' || !(value.id === '*' || groups.includes(value.id) || groups.includes(value.text))) continue
        yield {
          span,
          message: `${quote(value.text)} contains every resource, including future ones`,
          help: 'use a group with deliberate membership, or name the resources',
        }
      }
    },
  },
}
