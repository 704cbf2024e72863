import { type Glob, hasInnerWildcard, isPattern, matches } from './glob.ts'
import { keyOf } from './keys.ts'
import { type PermissionSet, type Policy, type ResourceGroup, readsTags, type World } from './policy.ts'
import { isHcl, type Located } from './source.ts'
import { plainValue } from './tree.ts'
import type { ResourceGroupUrn } from './urn/resource.ts'

/** Questions to a world that both rules and the simulator ask. */

export const emptyWorld: World = {
  policies: [],
  permissionsGroups: new Map(),
  resourceGroups: new Map(),
  resources: new Map(),
  identities: new Map(),
}

/** Whether worlds describe facts that access may depend on in addition to the policies: tags, owners, memberships. */
export function describesAnything(worlds: readonly World[]): boolean {
  return worlds.some(({ identities, resources }) => identities.size > 0 || [...resources.values()].some(({ mentioned }) => !mentioned))
}

/** Whether policies refer to facts that are not in policies: members of groups, and tags. */
export function refersToFacts({ policies }: World): boolean {
  return policies.some(
    ({ identities, resources, condition }) =>
      [...identities, ...resources].some(({ value }) => value.kind === 'group') || (condition !== undefined && readsTags(condition)),
  )
}

/** Whether all groups of an identity are described: a configuration describes those that it puts the identity into. */
export function areGroupsKnown(world: World, identity: string): boolean {
  const described = world.identities.get(identity)
  return described !== undefined && !described.places
}

/** The group of a URN: as it is written, or the one of the same id whose region is not known. */
export function resourceGroupOf(world: World, urn: string): ResourceGroup | undefined {
  return world.resourceGroups.get(urn) ?? world.resourceGroups.get(urn.replace(/^(urn:v1:)[^:]*/, '$1*'))
}

/** The groups of the world that an entry names, by one URN or by a pattern. */
export function groupsNamed(world: World, { text, region, glob }: ResourceGroupUrn): readonly ResourceGroup[] {
  if (!isPattern(glob)) {
    const group = resourceGroupOf(world, text)
    return group ? [group] : []
  }
  return [...world.resourceGroups]
    .filter(([urn]) => matches(glob, urn.startsWith('urn:v1:*') ? urn.replace('*', region) : urn))
    .map(([, group]) => group)
}

/** Whether an entry may name members that the world does not hold: it is a pattern, or not all of its group is known. */
export function isOpenGroup(world: World, { text, glob }: ResourceGroupUrn): boolean {
  return isPattern(glob) || !resourceGroupOf(world, text)?.complete
}

/** Whether a resource is in a group that an entry names; undefined when that is not known (docs/semantics.md, Unknown). */
export function inResourceGroup(world: World, entry: ResourceGroupUrn, resource: string): boolean | undefined {
  if (groupsNamed(world, entry).some(({ members }) => members.has(resource))) return true
  return isOpenGroup(world, entry) ? undefined : false
}

/** Whether a policy may grant something: it allows, or names a permissions group that allows or that is not known. */
export function mayGrant({ permissions, permissionsGroups }: Policy, world: World): boolean {
  if (permissions.allow.length > 0) return true
  return permissionsGroups.some(({ value }) => world.permissionsGroups.get(value.text)?.permissions.allow.length !== 0)
}

/** A permission set without the entries whose wildcards have no published meaning; itself where there is none. */
export function publishedSet(set: PermissionSet): PermissionSet {
  const { allow, except, deny } = set
  const isOdd = ({ value }: Located<Glob>) => hasInnerWildcard(value)
  if (![allow, except, deny].some((list) => list.some(isOdd))) return set
  const published = (list: readonly Located<Glob>[]) => list.filter((entry) => !isOdd(entry))
  return { allow: published(allow), except: published(except), deny: published(deny) }
}

/** The world with its permission sets changed, those of policies and those of groups. */
export function withPermissions(world: World, change: (set: PermissionSet) => PermissionSet): World {
  const changed = <T extends { readonly permissions: PermissionSet }>(holder: T): T => ({
    ...holder,
    permissions: change(holder.permissions),
  })
  const permissionsGroups = new Map([...world.permissionsGroups].map(([urn, group]) => [urn, changed(group)]))
  return { ...world, policies: world.policies.map(changed), permissionsGroups }
}

/**
 * A world with groups as an earlier one describes them, where files describe them and no configuration makes them: what a group holds, and
 * who is in it. Undefined where both describe the same.
 */
export function withEarlierGroups(earlier: World, world: World): World | undefined {
  let isOther = false
  const asBefore = <T extends { readonly urn: Located<unknown> }>(
    now: ReadonlyMap<string, T>,
    then: ReadonlyMap<string, T>,
    textOf: (each: T) => string,
  ): ReadonlyMap<string, T> =>
    new Map(
      [...now].flatMap(([urn, each]) => {
        const before = then.get(urn)
        if (isHcl(each.urn.span.source.notation) || (before && textOf(before) === textOf(each))) return [[urn, each] as const]
        isOther = true
        return before ? [[urn, before] as const] : []
      }),
    )
  const permissionsGroups = asBefore(world.permissionsGroups, earlier.permissionsGroups, ({ node }) => JSON.stringify(plainValue(node)))
  const resourceGroups = asBefore(world.resourceGroups, earlier.resourceGroups, ({ members, complete }) =>
    keyOf(String(complete), ...[...members].sort()),
  )
  const identities = asBefore(world.identities, earlier.identities, ({ groups }) => keyOf(...[...groups].sort()))
  return isOther ? { ...world, permissionsGroups, resourceGroups, identities } : undefined
}
