import { isPattern } from '../../glob.ts'
import { resourceGroupOf } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

export const memberBesideResourceGroup: Rule = {
  code: 'member-beside-resource-group',
  section: 'resources',
  severity: 'info',
  preset: 'strict',
  summary: 'A resource that is listed together with a resource group it belongs to.',
  why:
    'The group already includes it. When the resource leaves the group, this entry remains, which is seldom intended. The members come ' +
    'from the world files.',
  *policy({ resources }, { world }) {
    const groups = resources.flatMap((entry) => {
      const group = entry.value.kind === 'group' && !isPattern(entry.value.glob) ? resourceGroupOf(world, entry.value.text) : undefined
      return group ? [{ entry, group }] : []
    })
    if (groups.length === 0) return
    for (const { value, span } of resources) {
      if (value.kind === 'group' || isPattern(value.glob)) continue
      const holder = groups.find(({ group }) => group.members.has(value.text))
      if (!holder) continue
      yield {
        span,
        message: `${quote(value.text)} is in ${quote(holder.entry.value.text)}, which is also listed`,
        help: 'remove it: it has no effect while it is a member of the group',
        related: [{ message: 'the group', span: holder.entry.span }],
      }
    }
  },
}
