import type { Policy, World } from '../../policy.ts'
import { mayGrant } from '../../world.ts'

/** Whether a policy is known to deny something: itself, or by a permissions group of the world. */
export function isKnownToDeny({ permissions, permissionsGroups }: Policy, world: World): boolean {
  if (permissions.deny.length > 0) return true
  return permissionsGroups.some(({ value }) => (world.permissionsGroups.get(value.text)?.permissions.deny.length ?? 0) > 0)
}

/** The effect of a policy that never applies, in words. */
export function neverAppliesEffect(policy: Policy, world: World): string {
  const open = isKnownToDeny(policy, world)
  if (!mayGrant(policy, world)) return open ? 'what it should deny remains possible' : 'it never applies'
  return open ? 'it grants nothing, and what it should deny remains possible' : 'it grants nothing'
}

/** The account that a policy belongs to, as far as it is known. */
export function ownerOf(policy: Policy, world: World): string | undefined {
  return policy.owner ?? world.account
}

/** The groups that the world knows of: of its identities, and those it describes by themselves. */
export function knownGroups(world: World): ReadonlySet<string> {
  const groups = new Set<string>()
  for (const { urn, groups: of } of world.identities.values()) {
    if (urn.value.split(':', 5)[4] === 'group') groups.add(urn.value)
    for (const group of of) groups.add(group)
  }
  return groups
}
