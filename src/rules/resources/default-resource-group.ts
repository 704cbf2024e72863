import { mayGrant } from '../../world.ts'
import type { Rule } from '../rule.ts'
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
}
