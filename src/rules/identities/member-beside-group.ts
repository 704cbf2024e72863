import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

export const memberBesideGroup: Rule = {
  code: 'member-beside-group',
  section: 'identities',
  severity: 'info',
  preset: 'strict',
  summary: 'A user or service account that is listed beside a group it belongs to.',
  why:
    'The group gives the same already. When the user leaves the group the right stays behind, which is seldom what was meant. Who belongs to which ' +
    'group is taken from the inventory.',
  examples: {
    bad: [
      `
policies:
  - name: web readers
    identities:
      - urn:v1:eu:identity:user:ab12-svc/ann
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ member-beside-group
      - urn:v1:eu:identity:group:ab12-svc/web
    resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
    permissions: { allow: [{ action: "webHosting:apisvc:get" }] }
identities:
  - urn: urn:v1:eu:identity:user:ab12-svc/ann
    groups: [urn:v1:eu:identity:group:ab12-svc/web]`,
    ],
    good: [
      `
policies:
  - name: web readers
    identities: ["urn:v1:eu:identity:user:ab12-svc/bob", "urn:v1:eu:identity:group:ab12-svc/web"]
    resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
    permissions: { allow: [{ action: "webHosting:apisvc:get" }] }
identities:
  - urn: urn:v1:eu:identity:user:ab12-svc/ann
    groups: [urn:v1:eu:identity:group:ab12-svc/web]
  - urn: urn:v1:eu:identity:user:ab12-svc/bob`,
    ],
  },
  check: {
    *policy({ identities }, { world }) {
      if (world.identities.size === 0) return
      const listed = new Map(identities.filter(({ value }) => value.kind === 'group').map((group) => [group.value.text, group]))
      if (listed.size === 0) return
      for (const { value, span } of identities) {
        const group = world.identities.get(value.text)?.groups.find((urn) => listed.has(urn))
        const other = group === undefined ? undefined : listed.get(group)
        if (!other) continue
        yield {
          span,
          message: `${quote(value.text)} belongs to ${quote(other.value.text)}, which is listed too`,
          help: 'remove it: it changes nothing as long as it is in the group',
          related: [{ message: 'the group', span: other.span }],
        }
      }
    },
  },
}
