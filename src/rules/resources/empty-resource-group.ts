import { isPattern } from '../../glob.ts'
import { resourceGroupOf } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

export const emptyResourceGroup: Rule = {
  code: 'empty-resource-group',
  section: 'resources',
  severity: 'warning',
  preset: 'strict',
  summary: 'A resource group without resources.',
  why:
    'The entry has no effect now, but it grants or denies as soon as someone adds a resource to the group, without a review of this ' +
    'policy. The members come from the world files.',
  *policy({ resources }, { world }) {
    for (const { value, span } of resources) {
      const group = value.kind === 'group' && !isPattern(value.glob) ? resourceGroupOf(world, value.text) : undefined
      if (!group?.complete || group.members.size > 0) continue
      yield {
        span,
        message: `resource group ${quote(group.urn.value)} is empty: this entry has no effect`,
        help: 'add the resources to the group, or remove the entry',
        related: [{ message: 'described here', span: group.urn.span }],
      }
    }
  },
}
