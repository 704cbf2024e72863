import { isPattern, matches } from '../../glob.ts'
import { keyOf } from '../../keys.ts'
import { nearest } from '../../nearest.ts'
import type { World } from '../../policy.ts'
import { readResource } from '../../urn/resource.ts'
import type { Rule } from '../rule.ts'
import { mostSuggestions, spend } from '../support/budget.ts'
import { didYouMean, quote } from '../support/text.ts'

export const unknownResource: Rule = {
  code: 'unknown-resource',
  section: 'resources',
  severity: 'warning',
  preset: 'strict',
  precision: 'medium',
  summary: 'A resource that is missing in the inventory, which has others of its type.',
  why:
    'With a misspelt or deleted resource, a grant gives nothing and a deny protects nothing; a future resource with that name is ' +
    'included unnoticed. Only types with at least one resource in the inventory are checked. A pattern is reported if it matches none ' +
    'of them.',
  *world(context) {
    const { world } = context
    if (world.resources.size === 0) return
    const names = namesByType(world)
    for (const { resources } of world.policies) {
      for (const { value, span } of resources) {
        if (value.kind === 'group' || value.type.includes('*') || value.name === '' || value.name === '*') continue
        const sameType = names.get(keyOf(value.region, value.type))
        if (!sameType) continue
        const start = value.text.slice(0, value.text.length - value.name.length)
        if (isPattern(value.glob)) {
          if (!spend(context, 'resource patterns', sameType.size, 5_000_000)) continue
          if ([...sameType].some((name) => matches(value.glob, start + name))) continue
          yield {
            span,
            message: `${quote(value.text)} matches none of the ${sameType.size} resources of this type in the inventory`,
            help: 'correct the pattern, remove it, or add the resources to the inventory',
          }
        } else if (!sameType.has(value.name)) {
          const suggestion =
            sameType.size <= 2000 && spend(context, 'unknown-resource', 1, mostSuggestions) ? nearest(value.name, sameType) : undefined
          yield {
            span,
            message: `the inventory has no ${value.type} ${quote(value.name)}`,
            help: suggestion === undefined ? 'correct it, remove it, or add it to the inventory' : didYouMean(start + suggestion),
          }
        }
      }
    }
  },
}

/** The names in the inventory and its resource groups, by region and type. Only described types are included. */
function namesByType({ resources, resourceGroups }: World): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>()
  const note = (urn: string, describes: boolean) => {
    const read = readResource(urn, { pattern: false }).value
    if (!read) return
    const key = keyOf(read.region, read.type)
    const list = names.get(key)
    if (list) list.add(read.name)
    else if (describes) names.set(key, new Set([read.name]))
  }
  for (const [urn, { mentioned }] of resources) if (!mentioned) note(urn, true)
  for (const [urn, { mentioned }] of resources) if (mentioned) note(urn, false)
  for (const { members } of resourceGroups.values()) for (const urn of members) note(urn, false)
  return names
}
