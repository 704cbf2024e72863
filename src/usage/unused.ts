import type { Catalogue } from '../actions/catalogue.ts'
import { type Glob, matches } from '../glob.ts'
import { memoizeByObject } from '../memo.ts'
import { type PermissionSet, type Policy, readsTags, type World } from '../policy.ts'
import type { Clause } from '../simulate/decision.ts'
import type { Located } from '../source.ts'
import type { ActionsByType } from '../symbolic/described.ts'
import { formulaOf, settled } from '../symbolic/formula.ts'
import { Judge, truthFor } from '../symbolic/known.ts'
import { permissionsOf } from '../symbolic/regions.ts'
import { typeAndName } from '../urn/resource.ts'
import { inResourceGroup } from '../world.ts'
import { groupsOf, inForce, withGroups } from './least.ts'
import type { Tally, Use } from './tally.ts'

/** An entry of which a part is in no recorded use. */
export interface UnusedEntry {
  readonly clause: Clause
  /** Actions of the catalogue that it grants, and that no identity of its policy used on the resources of its policy. */
  readonly actions: readonly string[]
  /** No action that it grants was used, in the catalogue or not. */
  readonly isWhole: boolean
}

export interface Unused {
  readonly entries: readonly UnusedEntry[]
  /** How many entries of policies in force grant something. */
  readonly of: number
  /** Permissions groups that are not described: what they grant is not known. */
  readonly unknownGroups: readonly string[]
  /** A call is no use of a policy since the resource does not have the tags today that its condition asks for. */
  readonly isByTags: boolean
}

export interface UnusedOptions {
  readonly catalogue: Pick<Catalogue, 'expand'>
  readonly actions: Pick<ActionsByType, 'of'>
  /** The policies that have expired by then are left out. */
  readonly at: number
}

/**
 * The entries of policies that grant what no record shows as used. A condition that cannot have held for a call excludes its policy: by the
 * name, the type and the tags that the resource has, and where the call was made once, by its time and address. What is not known counts
 * as used: a call on a resource that no record names, a member of a group where the groups of a caller are not known.
 */
export function unusedEntries(current: World, tally: Tally, { catalogue, actions, at }: UnusedOptions): Unused {
  const world = withGroups(inForce(current, at), tally.groups)
  const uses: readonly Use[] = [...tally.uses, ...tally.left['unknown-resource'], ...tally.left.undecided]
  const groupsAt = memoizeByObject((use: Use) => groupsOf(use, world))
  const unknownGroups = new Set<string>()
  const entries: UnusedEntry[] = []
  let of = 0
  let isByTags = false
  for (const policy of world.policies) {
    const about = uses.filter((use) => isAbout(policy, use, groupsAt(use), world))
    const fit = about.filter((use) => mayHold(policy, use, world))
    if (fit.length < about.length && policy.condition && readsTags(policy.condition)) isByTags = true
    const used = new Set(fit.map(({ action }) => action))
    const fitting = actionsOn(policy, actions)
    for (const { set, group, isKnown } of permissionsOf(policy, world)) {
      if (!isKnown && group !== undefined) unknownGroups.add(group)
      for (const entry of isKnown ? set.allow : []) {
        of++
        const isGranted = (action: string) => !set.except.some(({ value }) => matches(value, action))
        const unusedActions = catalogue
          .expand(entry.value)
          .filter((action) => isGranted(action) && !used.has(action) && fitting?.has(action) !== false)
        const isWhole = ![...used].some((action) => matches(entry.value, action) && isGranted(action))
        if (isWhole || unusedActions.length > 0) entries.push({ clause: clauseOf(policy, entry, group), actions: unusedActions, isWhole })
      }
    }
  }
  return { entries, of, unknownGroups: [...unknownGroups], isByTags }
}

const clauseOf = (policy: Policy, entry: Located<Glob>, group: string | undefined): Clause => ({
  policy,
  list: 'allow' satisfies keyof PermissionSet,
  entry,
  ...(group !== undefined && { group }),
})

/** Whether a policy may be about a use: by who, or a group, and by the resource. */
function isAbout(policy: Policy, { identity, resource }: Use, groups: readonly string[] | undefined, world: World): boolean {
  const isNamed = policy.identities.some(
    ({ value }) =>
      matches(value.glob, identity) || (groups === undefined ? value.kind === 'group' : groups.some((group) => matches(value.glob, group))),
  )
  if (!isNamed || resource === null) return isNamed
  return policy.resources.some(({ value }) =>
    value.kind === 'resource' ? matches(value.glob, resource) : inResourceGroup(world, value, resource) !== false,
  )
}

/** Whether the condition of a policy may have held for a use: tags are those of today. */
function mayHold({ condition }: Policy, { resource, count, first, ip }: Use, world: World): boolean {
  if (!condition || resource === null) return true
  // Of several calls only the first and the last time are known.
  const once = count === 1 ? { ...(first !== undefined && { at: first }), ...(ip && { ip }) } : {}
  return (
    new Judge().certainty(settled(formulaOf(condition), (test) => truthFor(test, resource, world, { groups: [], ...once }))) !== 'never'
  )
}

/** The actions of the catalogue about the types that a policy names; undefined where it may name any. */
function actionsOn(policy: Policy, actions: UnusedOptions['actions']): ReadonlySet<string> | undefined {
  const types = policy.resources.map(({ value }) => (value.kind === 'resource' ? typeAndName(value.text).type : '*'))
  const found = types.map((type) => (type.includes('*') ? [] : actions.of(type)))
  return found.some((of) => of.length === 0) ? undefined : new Set(found.flat())
}
