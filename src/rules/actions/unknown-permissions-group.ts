import { nearest } from '../../nearest.ts'
import type { Rule } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { didYouMean, quote } from '../support/text.ts'

export const unknownPermissionsGroup: Rule = {
  code: 'unknown-permissions-group',
  section: 'actions',
  severity: 'info',
  preset: 'strict',
  summary: 'A permissions group that is not described, although others of the same owner are.',
  why:
    'Without its contents, decisions about this policy are unknown; if the name is misspelt, the policy has no effect. Groups of an ' +
    'owner without any described group, such as those of the service, are not reported.',
  *policy({ permissionsGroups }, context) {
    const { world } = context
    if (world.permissionsGroups.size === 0) return
    for (const { value, span } of permissionsGroups) {
      if (world.permissionsGroups.has(value.text)) continue
      if (!spend(context, 'unknown-permissions-group', world.permissionsGroups.size, 1_000_000)) return
      const sameAccount = [...world.permissionsGroups.values()].flatMap(({ urn }) =>
        urn.value.owner === value.owner && urn.value.region === value.region ? [urn.value.text] : [],
      )
      if (sameAccount.length === 0) continue
      const suggested = nearest(
        value.name,
        sameAccount.map((urn) => urn.slice(value.text.length - value.name.length)),
      )
      yield {
        span,
        message: `the permissions group ${quote(value.name)} of ${quote(value.owner)} is not described: what it allows is unknown`,
        help:
          suggested === undefined
            ? 'describe it in a world file, or correct its name'
            : didYouMean(value.text.slice(0, value.text.length - value.name.length) + suggested),
      }
    }
  },
}
