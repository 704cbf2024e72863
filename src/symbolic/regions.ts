import { type Glob, glob, matches } from '../glob.ts'
import { groupsOf, type PermissionSet, type Policy, type World } from '../policy.ts'
import type { Clause } from '../simulate/decision.ts'
import type { Located, Span } from '../source.ts'
import type { ResourceGroupUrn } from '../urn/resource.ts'
import { inResourceGroup } from '../world.ts'
import { allOf, always, anyOf, type Formula, formulaOf, groupDecides, isNever, never, settled, until } from './formula.ts'
import { type RequestFacts, truthAt } from './known.ts'
import { literal } from './patterns.ts'
import { memberships, openGroups, type Place, patternPlace, placeOf, placesWithin } from './place.ts'

/**
 * The granted and denied access of the policies of a world, as regions, as far as something is known of the requests
 * (docs/analysis.md, Regions): `what` knows the identity, `who` knows the action and the resource. A region holds where its
 * formula does, which is only about unknown facts.
 */
export interface Region {
  readonly effect: 'allow' | 'deny'
  readonly policy: Policy
  /** The permissions group that grants or denies it, and whether the world knows what that holds. */
  readonly group: string | undefined
  readonly isKnownGroup: boolean
  readonly place: Place
  /** Those that are about the action that is known. */
  readonly actions: readonly Located<Glob>[]
  readonly except: readonly Glob[]
  /** That the policy applies. */
  readonly applies: Formula
  /** That a permissions group that is not known does this; else `always`. */
  readonly does: Formula
  /** Both of them. */
  readonly formula: Formula
}

/** One permission set of a policy: its own, or that of a permissions group. */
export interface Permissions {
  readonly set: PermissionSet
  readonly group: string | undefined
  /** False: it may allow or deny anything. */
  readonly isKnown: boolean
}

const everyAction = glob('*')

/** The permission sets of a policy (docs/semantics.md, Decision). */
export function permissionsOf(policy: Policy, world: World): readonly Permissions[] {
  return [
    { set: policy.permissions, group: undefined, isKnown: true },
    ...groupsOf(policy).map(({ value: { text }, span }) => permissionsOfGroup(text, span, world)),
  ]
}

function permissionsOfGroup(group: string, span: Span, world: World): Permissions {
  const held = world.permissionsGroups.get(group)
  if (held) return { set: held.permissions, group, isKnown: true }
  const anything = [{ value: everyAction, span }]
  return { set: { allow: anything, except: [], deny: anything }, group, isKnown: false }
}

/**
 * The granted and the denied access of the policies, where something is known of the requests; in the order of the policies.
 * `among`: the open groups whose facts count, where several worlds are compared.
 */
export function regions(world: World, requestFacts: RequestFacts, among?: readonly ResourceGroupUrn[]): readonly Region[] {
  const { identity, action } = requestFacts
  const members = identity === undefined ? undefined : [identity, ...requestFacts.groups, ...(world.identities.get(identity)?.groups ?? [])]
  const policies = world.policies.filter(
    ({ identities, expiresAt }) =>
      !(expiresAt && requestFacts.at !== undefined && requestFacts.at > expiresAt.value) &&
      (!members || identities.some(({ value }) => members.some((member) => matches(value.glob, member)))),
  )
  const open = among ?? openGroups(policies, world)
  const out: Region[] = []
  for (const policy of policies) {
    const sets = permissionsOf(policy, world)
      .map((each) => (action === undefined ? each : { ...each, set: aboutAction(each.set, action) }))
      .filter(({ set }) => set.allow.length + set.deny.length > 0)
    if (sets.length === 0) continue
    for (const { place, formula } of placesOf(policy, world, open, requestFacts)) {
      const condition = policy.condition
        ? settled(formulaOf(policy.condition), (test) => truthAt(test, place, world, requestFacts))
        : always
      const expiry: Formula = policy.expiresAt && requestFacts.at === undefined ? until(policy.expiresAt.value) : always
      const applies = allOf([formula, condition, expiry])
      if (isNever(applies)) continue
      for (const { set, group, isKnown } of sets) {
        for (const effect of ['allow', 'deny'] as const) {
          if (set[effect].length === 0) continue
          const does = group === undefined || isKnown ? always : groupDecides(group, effect)
          out.push({
            effect,
            policy,
            group,
            isKnownGroup: isKnown,
            place,
            actions: set[effect],
            except: effect === 'allow' ? set.except.map(({ value }) => value) : [],
            applies,
            does,
            formula: allOf([applies, does]),
          })
        }
      }
    }
  }
  return out
}

/** The entries of a set that are about an action; what a set excepts it does not allow. */
function aboutAction({ allow, except, deny }: PermissionSet, action: string): PermissionSet {
  const about = (list: readonly Located<Glob>[]) => list.filter(({ value }) => matches(value, action))
  return { allow: about(except).length > 0 ? [] : about(allow), except: [], deny: about(deny) }
}

/** Where a policy applies as far as is known, each entry of its resources a place; a resource that is known is the only one. */
function placesOf(
  { resources }: Policy,
  world: World,
  open: readonly ResourceGroupUrn[],
  { resource, within }: RequestFacts,
): readonly { readonly place: Place; readonly formula: Formula }[] {
  if (resource === undefined) {
    const places = resources
      .map(({ value }) => placeOf(value, world))
      .filter((place) => place.kind === 'pattern' || place.isOpen || place.members.size > 0)
    return (within ? places.flatMap((place) => placesWithin(place, within)) : places).map((place) => ({ place, formula: always }))
  }
  const formula = anyOf(
    resources.map(({ value }) => {
      if (value.kind === 'resource') return matches(value.glob, resource) ? always : never
      const holds = inResourceGroup(world, value, resource)
      return holds === undefined ? anyOf(memberships(value, open)) : holds ? always : never
    }),
  )
  return isNever(formula) ? [] : [{ place: patternPlace(literal(resource)), formula }]
}

/** The written entries of a region; none where it represents the possible content of an unknown permissions group. */
export function clausesOf({ isKnownGroup, actions, policy, effect, group }: Region, entries = actions): readonly Clause[] {
  return isKnownGroup ? entries.map((entry) => ({ policy, list: effect, entry, ...(group !== undefined && { group }) })) : []
}

/** The permissions groups among regions that are not known, sorted. */
export function unknownPermissions(regions: readonly Region[]): readonly string[] {
  return [...new Set(regions.flatMap(({ group, isKnownGroup }) => (group !== undefined && !isKnownGroup ? [group] : [])))].sort()
}
