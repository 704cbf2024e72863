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
  summary: 'A grant over a resource group that every resource is in.',
  why:
    'A group that takes in each resource from the day it is ordered is `*` under another name, and looks like a choice. Grant over a group that ' +
    'resources are put in on purpose. Which groups are so is the configuration’s to say; `urn:v1:<region>:resourceGroup:*` always is.',
  options: [{ name: 'groups', type: 'texts', text: 'ids or URNs of the resource groups that hold everything', required: true }],
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
          message: `${quote(value.text)} holds every resource, those ordered later too`,
          help: 'grant over a group that resources are put in on purpose, or name the resources',
        }
      }
    },
  },
}
