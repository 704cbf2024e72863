import { nearest } from '../../nearest.ts'
import type { Rule } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { didYouMean, quote } from '../support/text.ts'

export const unknownPermissionsGroup: Rule = {
  code: 'unknown-permissions-group',
  section: 'actions',
  severity: 'info',
  preset: 'strict',
  summary: 'A permissions group that the world does not describe, though it describes others of the same owner.',
  why:
    'What the group allows and denies cannot be told, so that decisions about this policy are unknown; and if the name is misspelt the policy does ' +
    'nothing. Groups of an owner of whom no group is described, such as those of the service, are not reported.',
  examples: {
    bad: [
      `
policies:
  - name: operators
    identities: ["urn:v1:eu:identity:group:ab12-svc/ops"]
    resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
    permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:ab12-svc:servercare" }]
#                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unknown-permissions-group
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:server-care
    permissions: { allow: [{ action: "vps:*" }] }`,
    ],
    good: [
      `
policies:
  - name: operators
    identities: ["urn:v1:eu:identity:group:ab12-svc/ops"]
    resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
    permissionsGroups:
      - urn: urn:v1:eu:permissionsGroup:ab12-svc:server-care
      - urn: urn:v1:eu:permissionsGroup:svc:globalReadAccess
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:server-care
    permissions: { allow: [{ action: "vps:*" }] }`,
    ],
  },
  check: {
    *policy({ permissionsGroups }, context) {
      const { world } = context
      if (world.permissionsGroups.size === 0) return
      for (const { value, span } of permissionsGroups) {
        if (world.permissionsGroups.has(value.text)) continue
        if (!spend(context, 'unknown-permissions-group', world.permissionsGroups.size, 1_000_000)) return
        const kin = [...world.permissionsGroups.values()].flatMap(({ urn }) =>
          urn.value.owner === value.owner && urn.value.region === value.region ? [urn.value.text] : [],
        )
        if (kin.length === 0) continue
        const near = nearest(
          value.name,
          kin.map((urn) => urn.slice(value.text.length - value.name.length)),
        )
        yield {
          span,
          message: `nothing describes permissions group ${quote(value.name)} of ${quote(value.owner)}: what it allows cannot be told`,
          help:
            near === undefined
              ? 'describe it in the world files, or correct its name'
              : didYouMean(value.text.slice(0, value.text.length - value.name.length) + near),
        }
      }
    },
  },
}
