import type { Identity, Policy, ResourceGroup, World } from '../policy.ts'
import type { Question } from '../simulate/decision.ts'
import type { Source, Span } from '../source.ts'
import type { List } from '../symbolic/entries.ts'
import type { Formula } from '../symbolic/formula.ts'
import { resourceGroupOf } from '../world.ts'
import type { PolicyFields } from './fields.ts'

/** One edit of a plan: what is done to which policy, and where. A new policy has no place yet. */
export interface Edit {
  /** `correct`: `misspelt` becomes `text`. `expand`: a group gives way to its other members. `join`, `leave`: what is in a group changes. `narrow`: a condition is added. `widen`, `exclude`: the condition changes for the facts in `text`. */
  readonly kind:
    | 'add'
    | 'correct'
    | 'remove'
    | 'remove-policy'
    | 'remove-expiry'
    | 'extend-expiry'
    | 'new-policy'
    | 'expand'
    | 'join'
    | 'leave'
    | 'narrow'
    | 'widen'
    | 'exclude'
  readonly policy?: Policy
  readonly list?: List
  readonly text?: string
  /** The entry that is corrected. */
  readonly misspelt?: string
  /** The meaning of `text`, for a condition. */
  readonly condition?: Formula
  /** The group that is joined or left. */
  readonly group?: string
  /** The replacement of a group. */
  readonly members?: readonly string[]
  /** The deny that no longer reaches what leaves the group. */
  readonly evades?: Policy
  /** The entries that a new policy lacks, compared with the one that it is taken from. */
  readonly lacks?: { readonly list: List; readonly texts: readonly string[] }
  readonly span?: Span
}

/** A question as an edit has to answer it. */
export interface Asking extends Question {
  /** It is about its instant alone, so that the clock is a fact of it. */
  readonly isMoment: boolean
  /** The action, or the URN of a resource, that a misspelt one probably means; undefined for one that is known, or of which that cannot be said. */
  readonly intended: (text: string) => string | undefined
}

/** That an identity or a resource is in a group, or no longer, as an inventory describes it. */
export interface Membership {
  readonly of: 'identity' | 'resource'
  readonly member: string
  readonly group: string
  readonly isMember: boolean
}

/** A policy that is new. */
export interface Added {
  readonly fields: PolicyFields
  /** The file that it belongs in, if that can hold several. */
  readonly near?: Source
}

/** Edits that together may turn a verdict. */
export interface Plan {
  readonly edits: readonly Edit[]
  /** The new version of each edited policy; undefined: it is removed. */
  readonly revision: ReadonlyMap<Policy, Policy | undefined>
  readonly added?: readonly Added[]
  readonly memberships?: readonly Membership[]
}

export const nothing: Plan = { edits: [], revision: new Map() }

/** Two plans combined. The second is about policies as given, or as the first leaves them. */
export function joined(first: Plan, second: Plan): Plan {
  const revision = new Map(first.revision)
  for (const [policy, now] of second.revision) {
    const origin = [...first.revision].find(([, draft]) => draft === policy)?.[0] ?? policy
    revision.set(origin, now)
  }
  const memberships = new Map([...(first.memberships ?? []), ...(second.memberships ?? [])].map((each) => [JSON.stringify(each), each]))
  const edits = new Map([...first.edits, ...second.edits].map((edit) => [editKey(edit), edit]))
  const added = [...(first.added ?? []), ...(second.added ?? [])]
  return {
    edits: [...edits.values()],
    revision,
    ...(added.length > 0 && { added }),
    ...(memberships.size > 0 && { memberships: [...memberships.values()] }),
  }
}

/** Two policies may both call for the same membership to change. */
function editKey({ kind, policy, list, text, group, span }: Edit): string {
  return JSON.stringify([kind, policy?.span.source.path, policy?.span.start, list, text, group, span?.source.path, span?.start])
}

/** The world with a plan carried out; new policies are left aside. */
export function applied(world: World, { revision, memberships = [] }: Plan): World {
  const policies =
    revision.size === 0
      ? world.policies
      : world.policies.flatMap((policy) => {
          const now = revision.has(policy) ? revision.get(policy) : policy
          return now ? [now] : []
        })
  return memberships.reduce<World>(withMember, { ...world, policies })
}

function withMember(world: World, { of, member, group, isMember }: Membership): World {
  if (of === 'identity') {
    const described = world.identities.get(member)
    const others = (described?.groups ?? []).filter((each) => each !== group)
    const urn = described?.urn ?? { value: member, span: (world.policies[0] as Policy).span }
    const now: Identity = { urn, groups: isMember ? [...others, group] : others }
    return { ...world, identities: new Map([...world.identities, [member, now]]) }
  }
  const knownGroup = resourceGroupOf(world, group)
  if (!knownGroup) return world
  const members = new Set(knownGroup.members)
  if (isMember) members.add(member)
  else members.delete(member)
  const now: ResourceGroup = { ...knownGroup, members }
  return { ...world, resourceGroups: new Map([...world.resourceGroups, [knownGroup.urn.value, now]]) }
}
