import { type Budget, Undecided } from '../budget.ts'
import { groupedBy } from '../collections.ts'
import { glob, matches } from '../glob.ts'
import { meets, reachOf } from '../history/effects.ts'
import { keyOf } from '../keys.ts'
import { factsOf } from '../lock/facts.ts'
import { isSameAccess, policiesOf } from '../lock/lock.ts'
import { readLock } from '../lock/read.ts'
import { lockText } from '../lock/text.ts'
import type { Settings } from '../names.ts'
import { treeOf } from '../parser/tree.ts'
import type { Policy, World } from '../policy.ts'
import { sourceOf } from '../source.ts'
import { permissionsOf } from '../symbolic/regions.ts'
import { field, plainValue } from '../tree.ts'
import { mayGrant } from '../world.ts'
import { compareKeys } from './keys.ts'
import type { Access, GrantKey, Owner } from './model.ts'

/**
 * The grants of a world: what the policies of one name give to one entry of their identities, less what any policy denies. So a
 * deny that goes changes each grant that it limited.
 */
export interface Grant {
  readonly key: GrantKey
  /** The policies that make it: more than one only where a file has several of the same name for the same entry. */
  readonly policies: readonly Policy[]
  /** Only these policies for this identity, with the denies that may concern it. */
  readonly world: World
}

export interface Grants {
  readonly grants: readonly Grant[]
  /** How many policies only deny. */
  readonly denying: number
  /** How many policies that grant something have expired. */
  readonly expired: number
}

/** The world without the policies that have expired at an instant: they neither grant nor deny from then on. */
export function inForceAt(world: World, at: number): World {
  return { ...world, policies: world.policies.filter(({ expiresAt }) => expiresAt === undefined || expiresAt.value >= at) }
}

/** All grants from an instant on, in the order in which they are listed. */
export function grantsOf(world: World, instant: number): Grants {
  const inForce = inForceAt(world, instant)
  const granting = inForce.policies.filter((policy) => mayGrant(policy, world))
  const denies = inForce.policies
    .flatMap((policy) => denyingPart(policy, world) ?? [])
    .map((policy) => ({ policy, reach: reachOf(policy) }))
  const entries = granting.flatMap((policy) =>
    [...new Set(policy.identities.map(({ value }) => value.text))].map((identity) => ({ policy, identity })),
  )
  const grants = [...groupedBy(entries, ({ policy, identity }) => keyOf(policy.name.value, identity)).values()].flatMap((same) => {
    const byFile = [...groupedBy(same, ({ policy }) => policy.span.source.path)]
    return byFile.map(([file, fileGrants]): Grant => {
      const [{ policy, identity }] = fileGrants as [(typeof fileGrants)[number]]
      const policies = fileGrants.map((each) => each.policy)
      const limited = policies.map((each) => forIdentity(each, identity))
      const reaches = limited.map(reachOf)
      const limits = denies.filter(({ reach }) => reaches.some((each) => meets(reach, each))).map((each) => each.policy)
      return {
        key: { policy: policy.name.value, ...(byFile.length > 1 && { file }), identity },
        policies,
        world: { ...policiesOf(world), policies: [...limited, ...limits] },
      }
    })
  })
  return {
    grants: grants.sort((a, b) => compareKeys(a.key, b.key)),
    denying: inForce.policies.length - granting.length,
    expired: world.policies.filter((policy) => mayGrant(policy, world)).length - granting.length,
  }
}

/** How many grants a world has from an instant on, without making them: those of one name in several files count once. */
export function grantCount(world: World, at: number): number {
  const granting = inForceAt(world, at).policies.filter((policy) => mayGrant(policy, world))
  return new Set(granting.flatMap(({ name, identities }) => identities.map(({ value }) => keyOf(name.value, value.text)))).size
}

/** The part of a policy that is about one entry of its identities. */
export function forIdentity(policy: Policy, identity: string): Policy {
  return { ...policy, identities: policy.identities.filter(({ value }) => value.text === identity).slice(0, 1) }
}

/** The denies of a policy, those of its permissions groups included, as a policy; undefined where it denies nothing that is known. */
export function denyingPart(policy: Policy, world: World): Policy | undefined {
  const deny = permissionsOf(policy, world).flatMap(({ set, isKnown }) => (isKnown ? set.deny : []))
  if (deny.length === 0) return undefined
  return { ...policy, permissions: { allow: [], except: [], deny }, permissionsGroups: [] }
}

/** The owner of a grant: the first whose pattern matches the name of its policy, else the one that the policy names. */
export function ownerOf({ key, policies }: Pick<Grant, 'key' | 'policies'>, owners: readonly Owner[]): string | undefined {
  return owners.find((each) => matches(glob(each.policies), key.policy))?.owner ?? policies[0]?.owner
}

/** The access of a grant in the form of a lockfile: as it is written, and as it is understood. */
export interface Written {
  readonly access: Access
  readonly world: World
}

/** The access of a world in the form of a lockfile, less what has expired; undecided where it has too many parts. */
export async function writtenAccess(
  world: World,
  instant: number,
  settings: Settings,
  run: Budget,
): Promise<Written | { readonly access?: undefined; readonly culprits: readonly string[] }> {
  try {
    const text = lockText(factsOf(policiesOf(inForceAt(world, instant)), run))
    const source = sourceOf('access', text, 'yaml')
    const [document] = (await treeOf(source)).documents
    const policies = document?.kind === 'map' ? field(document, 'policies') : undefined
    const { world: read } = await readLock(source, settings)
    if (!policies || !read) throw new Error('a lockfile that was just written can be read')
    // Nothing rests on how it is written: that it says the same is proved.
    const same = isSameAccess(inForceAt(world, instant), read, undefined, run)
    if (same === 'changed') throw new Error('the access as it is written would not be the access that is granted')
    if (same !== 'same') return same
    return { access: plainValue(policies) as Access, world: read }
  } catch (error) {
    if (!(error instanceof Undecided)) throw error
    return { culprits: error.culprits }
  }
}

/** Whether a world in the form of a lockfile allows something, or may do. */
export function allowsAny({ policies }: World): boolean {
  return policies.some(({ permissions, permissionsGroups }) => permissions.allow.length + permissionsGroups.length > 0)
}
