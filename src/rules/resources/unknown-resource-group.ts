import { isPattern } from '../../glob.ts'
import { nearest } from '../../nearest.ts'
import type { World } from '../../policy.ts'
import { resourceGroupOf } from '../../world.ts'
import type { Rule } from '../rule.ts'
import { mostSuggestions, spend } from '../support/budget.ts'
import { didYouMean, quote } from '../support/text.ts'

export const unknownResourceGroup: Rule = {
  code: 'unknown-resource-group',
  section: 'resources',
  severity: 'info',
  preset: 'strict',
  summary: 'A resource group that is not described, although others are.',
  why:
    'Without its members, decisions about this policy are unknown; if the id is wrong, the policy has no effect. Describe the group in ' +
    'a world file, or correct the id.',
  *policy({ resources }, context) {
    const { world } = context
    if (world.resourceGroups.size === 0) return
    for (const { value, span } of resources) {
      if (value.kind !== 'group' || isPattern(value.glob) || resourceGroupOf(world, value.text)) continue
      const suggested = spend(context, 'unknown-resource-group', 1, mostSuggestions) ? nearest(value.id, idsOf(world)) : undefined
      yield {
        span,
        message: `the resource group ${quote(value.id)} is not described: its members are unknown`,
        help:
          suggested === undefined
            ? 'describe it in a world file, or correct its id'
            : didYouMean(value.text.slice(0, -value.id.length) + suggested),
      }
    }
  },
}

function idsOf({ resourceGroups }: World): readonly string[] {
  const word = ':resourceGroup:'
  return [...resourceGroups.keys()].slice(0, 2000).map((urn) => urn.slice(urn.indexOf(word) + word.length))
}
