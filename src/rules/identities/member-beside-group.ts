import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

export const memberBesideGroup: Rule = {
  code: 'member-beside-group',
  section: 'identities',
  severity: 'info',
  preset: 'strict',
  summary: 'An identity that is listed together with a group it belongs to.',
  why:
    'The group already includes it. When the identity leaves the group, it keeps the permissions, which is seldom intended. Group ' +
    'membership comes from the inventory.',
  *policy({ identities }, { world }) {
    if (world.identities.size === 0) return
    const listed = new Map(identities.filter(({ value }) => value.kind === 'group').map((group) => [group.value.text, group]))
    if (listed.size === 0) return
    for (const { value, span } of identities) {
      // Who belongs to a group does not belong to what that group is said to belong to.
      if (value.kind === 'group') continue
      const group = world.identities.get(value.text)?.groups.find((urn) => listed.has(urn))
      const other = group === undefined ? undefined : listed.get(group)
      if (!other) continue
      yield {
        span,
        message: `${quote(value.text)} belongs to ${quote(other.value.text)}, which is also listed`,
        help: 'remove it: it has no effect while it is a member of the group',
        related: [{ message: 'the group', span: other.span }],
      }
    }
  },
}
