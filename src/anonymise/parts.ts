import { groupedBy } from '../collections.ts'
import { keyOf } from '../keys.ts'
import type { Condition, ListName, PermissionSet, Policy, World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import type { Draft } from './portrait.ts'

/** The parts of a world and a question that may be left out of a reproduction. */

type PolicyList = 'identities' | 'resources' | 'permissionsGroups' | ListName

/** Each is named by its place, so that several can be left out together. */
export type Part =
  | { readonly of: 'policy'; readonly policy: Policy }
  | { readonly of: 'entry'; readonly policy: Policy; readonly list: PolicyList; readonly place: number }
  /** `path`: the place of the operand in each condition, from the outermost. None: the whole condition. */
  | { readonly of: 'condition'; readonly policy: Policy; readonly path: readonly number[] }
  | { readonly of: 'expiry' | 'readOnly'; readonly policy: Policy }
  | { readonly of: 'permissionsGroup' | 'resourceGroup' | 'identity' | 'resource'; readonly urn: string }
  | { readonly of: 'groupEntry'; readonly urn: string; readonly list: ListName; readonly place: number }
  | { readonly of: 'member'; readonly urn: string; readonly member: string }
  /** That a group has members which are not known. */
  | { readonly of: 'openMembers'; readonly urn: string }
  | { readonly of: 'membership'; readonly urn: string; readonly group: string }
  | { readonly of: 'owner' | 'tags'; readonly urn: string }
  | { readonly of: 'tag'; readonly urn: string; readonly key: string }
  | { readonly of: 'account' }
  | { readonly of: 'asked'; readonly field: 'ip' | 'owner' | 'tags' }
  | { readonly of: 'askedGroup'; readonly place: number }
  | { readonly of: 'askedTag'; readonly key: string }

const lists = ['allow', 'except', 'deny'] as const
const policyLists = ['identities', 'resources', 'permissionsGroups', ...lists] as const

/** Whole policies, and whole descriptions of other things. `isFixed`: policies that stay as they are. */
export function largeParts({ world }: Draft, isFixed: (policy: Policy) => boolean): readonly Part[] {
  const each = (of: 'permissionsGroup' | 'resourceGroup' | 'identity' | 'resource', urns: Iterable<string>): readonly Part[] =>
    Array.from(urns, (urn) => ({ of, urn }))
  return [
    ...world.policies.filter((policy) => !isFixed(policy)).map((policy): Part => ({ of: 'policy', policy })),
    ...each('permissionsGroup', world.permissionsGroups.keys()),
    ...each('resourceGroup', world.resourceGroups.keys()),
    ...each('identity', world.identities.keys()),
    ...each('resource', world.resources.keys()),
  ]
}

/** All parts. What is given with the question comes first: facts that the world knows as well stay there. */
export function allParts(draft: Draft, isFixed: (policy: Policy) => boolean): readonly Part[] {
  const { world, question } = draft
  return [
    ...askedParts(question),
    ...largeParts(draft, isFixed),
    ...world.policies.filter((policy) => !isFixed(policy)).flatMap(partsOfPolicy),
    ...[...world.permissionsGroups].flatMap(([urn, { permissions }]) =>
      lists.flatMap((list) => permissions[list].map((_, place): Part => ({ of: 'groupEntry', urn, list, place }))),
    ),
    ...[...world.resourceGroups].flatMap(([urn, { members, complete }]): readonly Part[] => [
      ...(complete ? [] : [{ of: 'openMembers', urn } as const]),
      ...Array.from(members, (member) => ({ of: 'member', urn, member }) as const),
    ]),
    ...[...world.identities].flatMap(([urn, { groups }]) => groups.map((group): Part => ({ of: 'membership', urn, group }))),
    ...[...world.resources].flatMap(([urn, { owner, tags }]): readonly Part[] => [
      ...(owner === undefined ? [] : [{ of: 'owner', urn } as const]),
      ...(tags ? [{ of: 'tags', urn } as const] : []),
      ...Array.from(tags?.keys() ?? [], (key) => ({ of: 'tag', urn, key }) as const),
    ]),
    ...(world.account === undefined ? [] : [{ of: 'account' } as const]),
  ]
}

function askedParts({ ip, owner, tags, groups }: Question): readonly Part[] {
  return [
    ...(ip ? [{ of: 'asked', field: 'ip' } as const] : []),
    ...(owner === undefined ? [] : [{ of: 'asked', field: 'owner' } as const]),
    ...(tags ? [{ of: 'asked', field: 'tags' } as const] : []),
    ...groups.map((_, place) => ({ of: 'askedGroup', place }) as const),
    // The tags of a question are all of its resource: the last one goes with them.
    ...(tags && tags.size > 1 ? Array.from(tags.keys(), (key) => ({ of: 'askedTag', key }) as const) : []),
  ]
}

function partsOfPolicy(policy: Policy): readonly Part[] {
  const { condition, expiresAt, readOnly } = policy
  return [
    ...policyLists.flatMap((list) => entriesIn(policy, list).map((_, place): Part => ({ of: 'entry', policy, list, place }))),
    ...(condition ? conditionPaths(condition).map((path): Part => ({ of: 'condition', policy, path })) : []),
    ...(expiresAt ? [{ of: 'expiry', policy } as const] : []),
    ...(readOnly ? [{ of: 'readOnly', policy } as const] : []),
  ]
}

function entriesIn({ identities, resources, permissionsGroups, permissions }: Policy, list: PolicyList): readonly unknown[] {
  return { identities, resources, permissionsGroups, ...permissions }[list]
}

/** The paths of a condition and of all operands in it. */
function conditionPaths(condition: Condition, path: readonly number[] = []): readonly (readonly number[])[] {
  if (condition.kind === 'match' || condition.kind === 'opaque') return [path]
  return [path, ...condition.operands.flatMap((operand, i) => conditionPaths(operand, [...path, i]))]
}

/**
 * The draft without some of its parts; undefined where that leaves no policy a reader would write: one without identities or resources, or a
 * condition without the operand on which it rests.
 */
export function without(draft: Draft, parts: readonly Part[]): Draft | undefined {
  const { world, question, origins } = draft
  const byPolicy = groupedBy(parts.filter(isOfPolicy), ({ policy }) => policy)
  const gone = new Set(parts.filter((part) => !isOfPolicy(part)).map(partKey))
  const has = (part: Part) => gone.has(partKey(part))
  const policies: Policy[] = []
  const changed = new Map<Policy, number>()
  for (const policy of world.policies) {
    const policyParts = byPolicy.get(policy) ?? []
    if (policyParts.some(({ of }) => of === 'policy')) continue
    const rest = policyParts.length === 0 ? policy : policyWithout(policy, policyParts)
    if (!rest) return undefined
    policies.push(rest)
    changed.set(rest, origins.get(policy) ?? -1)
  }
  if (gone.size === 0) return { world: { ...world, policies }, question, origins: changed }
  const { account, ...described } = world
  const rest: World = {
    ...described,
    policies,
    permissionsGroups: kept(world.permissionsGroups, (group, urn) =>
      has({ of: 'permissionsGroup', urn })
        ? undefined
        : { ...group, permissions: setWithout(group.permissions, (list, place) => has({ of: 'groupEntry', urn, list, place })) },
    ),
    resourceGroups: kept(world.resourceGroups, (group, urn) =>
      has({ of: 'resourceGroup', urn })
        ? undefined
        : {
            ...group,
            complete: group.complete || has({ of: 'openMembers', urn }),
            members: new Set([...group.members].filter((member) => !has({ of: 'member', urn, member }))),
          },
    ),
    identities: kept(world.identities, (identity, urn) =>
      has({ of: 'identity', urn })
        ? undefined
        : { ...identity, groups: identity.groups.filter((group) => !has({ of: 'membership', urn, group })) },
    ),
    resources: kept(world.resources, ({ owner, tags, ...resource }, urn) =>
      has({ of: 'resource', urn })
        ? undefined
        : {
            ...resource,
            ...(owner !== undefined && !has({ of: 'owner', urn }) && { owner }),
            ...(tags &&
              !has({ of: 'tags', urn }) && { tags: kept(tags, (text, key) => (has({ of: 'tag', urn, key }) ? undefined : text)) }),
          },
    ),
    ...(account !== undefined && !has({ of: 'account' }) && { account }),
  }
  const asked = questionWithout(question, has)
  return asked && { world: rest, question: asked, origins: changed }
}

type PartOfPolicy = Extract<Part, { readonly policy: Policy }>
const isOfPolicy = (part: Part): part is PartOfPolicy => 'policy' in part
const partKey = (part: Part): string => ('policy' in part ? '' : keyOf(...Object.values(part)))

function policyWithout(policy: Policy, parts: readonly PartOfPolicy[]): Policy | undefined {
  const entries = new Set(parts.flatMap((part) => (part.of === 'entry' ? [keyOf(part.list, part.place)] : [])))
  const remaining = <T>(list: PolicyList, all: readonly T[]) => all.filter((_, place) => !entries.has(keyOf(list, place)))
  const { condition, expiresAt, ...bare } = policy
  const identities = remaining('identities', policy.identities)
  const resources = remaining('resources', policy.resources)
  if (isEmptied(policy.identities, identities) || isEmptied(policy.resources, resources)) return undefined
  const paths = parts.flatMap((part) => (part.of === 'condition' ? [part.path] : []))
  const isWhole = paths.some((path) => path.length === 0)
  const rest = condition && !isWhole ? conditionWithout(condition, paths) : undefined
  if (condition && !isWhole && !rest) return undefined
  const has = (of: Part['of']) => parts.some((part) => part.of === of)
  return {
    ...bare,
    identities,
    resources,
    permissionsGroups: remaining('permissionsGroups', policy.permissionsGroups),
    permissions: setWithout(policy.permissions, (list, place) => entries.has(keyOf(list, place))),
    readOnly: policy.readOnly && !has('readOnly'),
    ...(rest && { condition: rest }),
    ...(expiresAt && !has('expiry') && { expiresAt }),
  }
}

const isEmptied = (before: readonly unknown[], after: readonly unknown[]) => before.length > 0 && after.length === 0

function setWithout({ allow, except, deny }: PermissionSet, isGone: (list: ListName, place: number) => boolean): PermissionSet {
  return {
    allow: allow.filter((_, place) => !isGone('allow', place)),
    except: except.filter((_, place) => !isGone('except', place)),
    deny: deny.filter((_, place) => !isGone('deny', place)),
  }
}

/** A condition without the operands at some paths. An AND or OR of one operand is that operand. */
function conditionWithout(condition: Condition, paths: readonly (readonly number[])[]): Condition | undefined {
  if (paths.length === 0 || condition.kind === 'match' || condition.kind === 'opaque') return condition
  const operands: Condition[] = []
  for (const [i, operand] of condition.operands.entries()) {
    const inner = paths.filter(([first]) => first === i).map(([, ...rest]) => rest)
    if (inner.some((path) => path.length === 0)) continue
    const rest = conditionWithout(operand, inner)
    if (!rest) return undefined
    operands.push(rest)
  }
  if (isEmptied(condition.operands, operands)) return undefined
  const [only] = operands
  return operands.length === 1 && only && condition.kind !== 'not' ? only : { ...condition, operands }
}

function questionWithout(question: Question, has: (part: Part) => boolean): Question | undefined {
  const { ip, owner, tags, groups, ...bare } = question
  const remainingTags =
    tags && !has({ of: 'asked', field: 'tags' }) ? kept(tags, (text, key) => (has({ of: 'askedTag', key }) ? undefined : text)) : undefined
  if (remainingTags && tags && isEmptied([...tags], [...remainingTags])) return undefined
  return {
    ...bare,
    groups: groups.filter((_, place) => !has({ of: 'askedGroup', place })),
    ...(ip && !has({ of: 'asked', field: 'ip' }) && { ip }),
    ...(owner !== undefined && !has({ of: 'asked', field: 'owner' }) && { owner }),
    ...(remainingTags && { tags: remainingTags }),
  }
}

/** The values of a map that `change` keeps. */
function kept<K, V>(map: ReadonlyMap<K, V>, change: (value: V, key: K) => V | undefined): ReadonlyMap<K, V> {
  const out = new Map<K, V>()
  for (const [key, value] of map) {
    const next = change(value, key)
    if (next !== undefined) out.set(key, next)
  }
  return out
}
