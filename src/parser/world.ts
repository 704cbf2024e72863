import type { Diagnostic } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import type { Identity, PermissionSet, PermissionsGroup, Policy, Resource, ResourceGroup, World } from '../policy.ts'
import type { Span } from '../source.ts'
import { exactNames, factNamer, withoutUnknowns } from '../unknown/without-unknowns.ts'
import type { Facts } from './policy.ts'

export interface BuiltWorld {
  readonly world: World
  /** Things that are described twice, and differently. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Makes one world of many sources. Stating the same twice is fine; a contradiction is an error, since either half may hold the
 * deny. Owners and tags of resources add up. `others`: the facts of all worlds that are compared, these included.
 */
export function buildWorld(allFacts: readonly Facts[], others: readonly Facts[] = []): BuiltWorld {
  const settle = [...allFacts, ...others].find((facts) => facts.settle)?.settle
  const compared = settle ? settle(others, others) : others
  const parts = settle ? settle(allFacts, others.length > 0 ? others : allFacts) : allFacts
  const diagnostics: Diagnostic[] = []
  const policies: Policy[] = []
  const permissionsGroups = new Map<string, PermissionsGroup>()
  const resourceGroups = new Map<string, ResourceGroup>()
  /** The first description of each resource group by its id, whichever region is named. */
  const groupsById = new Map<string, ResourceGroup>()
  const resources = new Map<string, Resource>()
  const identities = new Map<string, Identity>()
  /** The first description of each identity that lists its groups. */
  const memberships = new Map<string, Identity>()
  let isOpen = false
  let account: { readonly value: string; readonly span: Span } | undefined
  const contradiction = (what: string, urn: string, span: Span, first: Span) =>
    diagnostics.push({
      code: 'duplicate-definition',
      severity: 'error',
      message: `${what} \`${urn}\` is described twice, and differently`,
      span,
      help: 'keep one description: which of the two holds would be a guess',
      related: [{ message: 'described before here', span: first }],
    })

  const byId = resourceIds(parts)
  for (const facts of parts) {
    for (const policy of facts.policies) {
      policies.push(policy)
      isOpen ||= policy.open !== undefined
    }
    for (const written of facts.accounts) {
      if (account && account.value !== written.value) contradiction('the owner', written.value, written.span, account.span)
      account ??= written
    }
    for (const group of facts.permissionsGroups) {
      const urn = group.urn.value.text
      const sameGroup = permissionsGroups.get(urn)
      if (sameGroup && !samePermissions(sameGroup.permissions, group.permissions))
        contradiction('permissions group', urn, group.urn.span, sameGroup.urn.span)
      if (!sameGroup) permissionsGroups.set(urn, group)
      isOpen ||= group.open !== undefined
    }
    for (const { urn, name, members, ids, complete, span } of facts.resourceGroups) {
      const sameGroup = resourceGroups.get(urn.value)
      const memberUrns = ids.flatMap((id) => byId.get(id) ?? [])
      const isComplete = complete && ids.every((id) => byId.has(id))
      const groupFacts = { ...(name !== undefined && { name }), members: new Set([...members, ...memberUrns]), complete: isComplete }
      const group: ResourceGroup = { urn, ...groupFacts, span }
      // A group that is known by its id alone may be the one of any region.
      const first = groupsById.get(idOf(urn.value))
      const same = sameGroup ?? (first && [first.urn.value, urn.value].some(isOfAnyRegion) ? first : undefined)
      if (same && !(sameSet(same.members, group.members) && same.complete === isComplete))
        contradiction('resource group', urn.value, urn.span, same.urn.span)
      if (!sameGroup) resourceGroups.set(urn.value, group)
      if (!first) groupsById.set(idOf(urn.value), group)
    }
    for (const resource of facts.resources) {
      const urn = resource.urn.value
      const described = resources.get(urn)
      const conflict =
        described &&
        ((described.owner !== undefined && resource.owner !== undefined && described.owner !== resource.owner) ||
          (described.tags && resource.tags && !sameMap(described.tags, resource.tags)))
      if (conflict) contradiction('resource', urn, resource.urn.span, described.urn.span)
      const owner = described?.owner ?? resource.owner
      const tags = described?.tags ?? resource.tags
      const owners = [...new Set([...(described?.owners ?? []), ...(resource.owners ?? [])])]
      const mentioned = resource.mentioned && (!described || described.mentioned)
      resources.set(urn, {
        urn: described?.urn ?? resource.urn,
        ...(owner !== undefined && { owner }),
        ...(owners.length > 0 && { owners }),
        ...(tags && { tags }),
        ...(mentioned && { mentioned }),
      })
    }
    for (const identity of facts.identities) {
      const { urn } = identity
      const sameIdentity = identities.get(urn.value)
      const groups = [...new Set(identity.groups)]
      const listed = memberships.get(urn.value)
      if (identity.hasNoList) {
        if (!sameIdentity) identities.set(urn.value, { urn, groups })
        continue
      }
      if (listed && !sameSet(new Set(listed.groups), new Set(groups))) contradiction('identity', urn.value, urn.span, listed.urn.span)
      if (listed) continue
      memberships.set(urn.value, identity)
      const { places } = identity
      identities.set(urn.value, { urn: sameIdentity?.urn ?? urn, groups, ...(places && { places }) })
    }
  }
  const credentials = parts.flatMap((facts) => facts.credentials ?? [])
  const apart = compared.length > 0 ? accountsApart(policiesIn(compared)) : (policy: Policy) => policy
  const isApart = compared.length > 0 && policies.some((policy) => apart(policy) !== policy)
  // In one order for each of the worlds: what is named by its place, or by its number, is the same in all of them.
  const all = compared.length > 0 ? compared : parts
  return {
    world: {
      ...(isOpen || isApart
        ? withoutUnknowns(policies.map(apart), permissionsGroups, namesFor(all, apart), policiesIn(all))
        : { policies, permissionsGroups }),
      resourceGroups,
      resources,
      identities,
      ...(account && { account: account.value }),
      ...(credentials.length > 0 && { credentials }),
    },
    diagnostics,
  }
}

/** The world of a single policy, with the groups and the inventory of some sources. */
export type WorldWith = (policy: Policy) => World

/** Worlds of single policies that are compared with each other: unknown values are the same exactly where their symbols are. */
export function worldsOfOne(parts: readonly Facts[]): WorldWith {
  const groups = new Map<string, PermissionsGroup>()
  for (const { permissionsGroups } of parts)
    for (const group of permissionsGroups) if (!groups.has(group.urn.value.text)) groups.set(group.urn.value.text, group)
  const { world } = buildWorld(parts)
  return (policy) => ({ ...world, ...withoutUnknowns([policy], groups, exactNames) })
}

const isOfAnyRegion = (urn: string) => urn.startsWith('urn:v1:*:')

/** The id in the URN of a resource group. */
function idOf(urn: string): string {
  return urn.slice(urn.lastIndexOf(':') + 1)
}

function policiesIn(parts: readonly Facts[]): readonly Policy[] {
  return parts.flatMap(({ policies }) => policies)
}

/** Names of what is not known in some sources together. */
function namesFor(parts: readonly Facts[], apart: (policy: Policy) => Policy) {
  return factNamer(
    policiesIn(parts).map(apart),
    parts.flatMap(({ permissionsGroups }) => permissionsGroups),
  )
}

/**
 * Where worlds that are compared apply policies with several providers, or in several places, each policy depends on its own: with
 * another, it is of another account, and gives the access there.
 */
function accountsApart(policies: readonly Policy[]): (policy: Policy) => Policy {
  const accounts = new Set(policies.flatMap(({ account }) => (account ? [keyOf(account.scope, account.id ?? account.fact)] : [])))
  return (policy) => {
    const { account, open = [], perhaps = [], unread } = policy
    if (!account || unread || accounts.size < 2) return policy
    return { ...policy, open, perhaps: [...perhaps, account] }
  }
}

/** The resources by the service's ids; none under an id that two of them have. */
function resourceIds(parts: readonly Facts[]): ReadonlyMap<string, string> {
  const out = new Map<string, string>()
  const ambiguous = new Set<string>()
  for (const { resources } of parts) {
    for (const { id, urn } of resources) {
      if (id === undefined) continue
      if (out.has(id) && out.get(id) !== urn.value) ambiguous.add(id)
      out.set(id, urn.value)
    }
  }
  for (const id of ambiguous) out.delete(id)
  return out
}

function samePermissions(a: PermissionSet, b: PermissionSet): boolean {
  const texts = (set: PermissionSet, list: keyof PermissionSet) => new Set(set[list].map((entry) => entry.value.text))
  return (['allow', 'except', 'deny'] as const).every((list) => sameSet(texts(a, list), texts(b, list)))
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item))
}

function sameMap(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}
