import { matches } from './glob.ts'
import type { ResourceGroup, World } from './policy.ts'
import type { ResourceGroupUrn } from './urn/resource.ts'

/** Questions to a world that both rules and the simulator ask. */

export const emptyWorld: World = {
  policies: [],
  permissionsGroups: new Map(),
  resourceGroups: new Map(),
  resources: new Map(),
  identities: new Map(),
}

/** The group of a URN: as it is written, or the one of the same id whose region is not known. */
export function resourceGroupOf(world: World, urn: string): ResourceGroup | undefined {
  return world.resourceGroups.get(urn) ?? world.resourceGroups.get(urn.replace(/^(urn:v1:)[^:]*/, '$1*'))
}

/**
 * Whether a resource is in a group that an entry names, as far as the world tells: true, false, or undefined when
 * members are not known. An entry with a wildcard names every group it matches, those of the world and perhaps others,
 * so that it is never false (spec: policy language, section 3).
 */
export function inResourceGroup(world: World, entry: ResourceGroupUrn, resource: string): boolean | undefined {
  if (entry.glob.pieces.length === 1) {
    const group = resourceGroupOf(world, entry.text)
    return group?.members.has(resource) ? true : group?.complete ? false : undefined
  }
  for (const [urn, group] of world.resourceGroups) {
    const known = urn.startsWith('urn:v1:*') ? urn.replace('*', entry.region) : urn
    if (group.members.has(resource) && matches(entry.glob, known)) return true
  }
  return undefined
}
