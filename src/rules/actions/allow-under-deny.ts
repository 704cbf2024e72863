import type { Rule } from '../rule.ts'
import { coverers } from '../support/cover.ts'
import { quote } from '../support/text.ts'

export const allowUnderDeny: Rule = {
  code: 'allow-under-deny',
  section: 'actions',
  severity: 'warning',
  summary: 'An `allow` entry that a `deny` of the same policy denies completely.',
  why:
    'A deny overrides every allow, in any order, and both apply to the same identities, resources and conditions. The entry never ' +
    'grants anything. Either the deny is too wide, or the entry is left over.',
  needs: 'denyOrGroup',
  *policy({ permissions, permissionsGroups }, { world }) {
    const groups = permissionsGroups.flatMap(({ value }) => world.permissionsGroups.get(value.text)?.permissions.deny ?? [])
    const deny = [...permissions.deny, ...groups]
    const by = coverers(
      permissions.allow.map((entry) => entry.value),
      deny.map((entry) => entry.value),
    )
    if (by.length === 0) return
    for (const [i, entry] of permissions.allow.entries()) {
      const other = deny[by[i] ?? -1]
      if (!other) continue
      yield {
        span: entry.span,
        message: `${quote(entry.value.text)} grants nothing: the same policy denies ${quote(other.value.text)}`,
        help: 'remove the entry, or narrow the deny; to exclude actions from a grant, use `except`',
        related: [{ message: 'denied here', span: other.span }],
      }
    }
  },
}
