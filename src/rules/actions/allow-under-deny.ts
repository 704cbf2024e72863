import type { Rule } from '../rule.ts'
import { coverers } from '../support/cover.ts'
import { quote } from '../support/text.ts'

export const allowUnderDeny: Rule = {
  code: 'allow-under-deny',
  section: 'actions',
  severity: 'warning',
  summary: 'An `allow` entry that a `deny` of the same policy forbids whole.',
  why:
    'A denial wins over every grant, whatever the order, and both are about the same identities, resources and conditions: the entry can never ' +
    'grant anything. Either the denial is wider than meant, or the entry is left over.',
  examples: {
    bad: [
      `
permissions:
  allow: [{ action: "vps:apisvc:get" }, { action: "vps:apisvc:snapshot/create" }]
#                                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ allow-under-deny
  deny: [{ action: "vps:apisvc:snapshot/*" }]`,
    ],
    good: [
      `
permissions:
  allow: [{ action: "vps:*" }]
  deny: [{ action: "vps:apisvc:snapshot/*" }]`,
    ],
  },
  check: {
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
          message: `${quote(entry.value.text)} is never allowed here: the policy itself denies ${quote(other.value.text)}`,
          help: 'remove the entry, or narrow the denial; to leave something out of a grant use `except`',
          related: [{ message: 'denied here', span: other.span }],
        }
      }
    },
  },
}
