import { overlaps } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { coverers } from '../support/cover.ts'
import { quote } from '../support/text.ts'

export const repeatedByGroup: Rule = {
  code: 'repeated-by-group',
  section: 'actions',
  severity: 'info',
  preset: 'strict',
  summary: 'An action that a permissions group of the same policy already has.',
  why:
    'The group applies to the same identities, resources and conditions, so the entry has no effect. If the group loses the action ' +
    'later, this entry still grants it. Remove the entry, unless it should remain independent of the group.',
  *policy({ permissions, permissionsGroups }, { world }) {
    const groups = permissionsGroups.flatMap(({ value }) => world.permissionsGroups.get(value.text) ?? [])
    for (const list of ['allow', 'deny'] as const) {
      const written = permissions[list]
      // The policy's own `except` does not matter: the group grants the whole entry.
      const said = new Set<unknown>()
      for (const group of groups) {
        const held = group.permissions[list]
        const by = coverers(
          written.map((entry) => entry.value),
          held.map((entry) => entry.value),
        )
        for (const [i, entry] of written.entries()) {
          const other = held[by[i] ?? -1]
          if (!other || said.has(entry)) continue
          if (list === 'allow' && group.permissions.except.some((taken) => overlaps(taken.value, entry.value))) continue
          said.add(entry)
          yield {
            span: entry.span,
            message: `the permissions group ${quote(group.name)} ${list === 'allow' ? 'allows' : 'denies'} ${quote(entry.value.text)} as well`,
            help: 'remove the entry: it has no effect while the group has it',
            related: [{ message: 'in the group', span: other.span }],
          }
        }
      }
    }
  },
}
