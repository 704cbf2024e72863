import type { Test } from './conditions/test.ts'
import type { Glob } from './glob.ts'
import type { Located, Span } from './source.ts'
import type { MapNode } from './tree.ts'
import type { IdentityUrn } from './urn/identity.ts'
import type { PermissionsGroupUrn, ResourceGroupUrn, ResourceUrn } from './urn/resource.ts'

/** Types only: what policies say once they are understood (docs/semantics.md, Records). */

export type ListName = 'allow' | 'except' | 'deny'

export interface PermissionSet {
  readonly allow: readonly Located<Glob>[]
  /** Subtracts from the `allow` list of the same set, nothing else. */
  readonly except: readonly Located<Glob>[]
  /** Wins over every allow anywhere. */
  readonly deny: readonly Located<Glob>[]
}

export type Condition =
  | { readonly kind: 'match'; readonly key: Located<string>; readonly value: Located<string>; readonly test: Test; readonly span: Span }
  | { readonly kind: 'and' | 'or' | 'not'; readonly operands: readonly Condition[]; readonly span: Span }
  /**
   * A part that could not be parsed, or is not known: its truth is unknown. The same `text` has the same truth everywhere; with
   * `scope`, only everywhere in that scope. `isValue`: it is parsed and depends on an unknown value.
   */
  | {
      readonly kind: 'opaque'
      readonly text: string
      readonly scope?: string
      /** See `OpenFact`. */
      readonly id?: string
      readonly isValue?: true
      /** The subject of an unknown entry: who asks, what is asked on, or only which account identities are of. */
      readonly about?: 'identities' | 'resources' | 'account'
      /** It is about who asks: whether one of the names within these bounds is meant. For another caller it may be otherwise. */
      readonly askers?: readonly Glob[]
      readonly span: Span
    }

/**
 * An entry of a list that is not fully known: every name and pattern that it may be is within `bound`. The same `fact` in the
 * same list is the same entry.
 */
export interface OpenEntry {
  readonly list: ListName | 'identities' | 'resources'
  readonly bound: Glob
  /** Of a group: the users that are its members, as bounds. */
  readonly members?: readonly Glob[]
  /** It is an identity of the account that the policy is applied to: only the account is missing, and perhaps the name. */
  readonly isOwn?: true
  /** Only the account is not known: a world file may name it. */
  readonly needsAccount?: true
  /** The missing fact, as messages name it. */
  readonly fact: string
  /** Where `fact` has its meaning. */
  readonly scope: string
  /** Distinguishes facts of the same words in the same scope. */
  readonly id?: string
  readonly span: Span
}

/**
 * A user as a configuration makes it, and a group that it puts the user into. Names are the literal strings around their unknown
 * parts; which account they are of is known only together with the rest of the world.
 */
export interface Membership {
  /** The URN of the user, where a tool has noted it. */
  readonly urn?: string
  readonly login: readonly string[]
  /** Undefined: the user is described, and no group. */
  readonly group: readonly string[] | undefined
  /** The facts that decide whether it exists, and what is not known of the names. */
  readonly perhaps: readonly OpenFact[]
  /** The provider that it is applied with; none where nothing is known of that. */
  readonly account?: OpenFact
  /** Its address: `svc_me_identity_user.ann`. */
  readonly address: string
  readonly span: Span
}

/** An unknown fact, as messages name it. */
export interface OpenFact {
  readonly fact: string
  readonly scope: string
  /** Distinguishes facts of the same words in the same scope. */
  readonly id?: string
  readonly span: Span
}

export interface Policy {
  readonly name: Located<string>
  readonly description?: Located<string>
  readonly identities: readonly Located<IdentityUrn>[]
  readonly resources: readonly Located<ResourceUrn | ResourceGroupUrn>[]
  readonly permissions: PermissionSet
  readonly permissionsGroups: readonly Located<PermissionsGroupUrn>[]
  readonly condition?: Condition
  /** Milliseconds since 1970. The policy still applies at this instant and no longer after it. */
  readonly expiresAt?: Located<number>
  readonly readOnly: boolean
  readonly owner?: string
  /** Entries that are not known; none in the policies of a world, which hold them as conditions. */
  readonly open?: readonly OpenEntry[]
  /** The facts that decide whether the policy exists and applies; none in the policies of a world. */
  readonly perhaps?: readonly OpenFact[]
  /** The policy represents a part that was not read and may hold any policies; in the policies of a world that is a condition. */
  readonly unread?: OpenFact
  /** The provider that it is applied with, whose account it belongs to; none where nothing is known of that. */
  readonly account?: OpenFact
  readonly span: Span
  /** The policy as written, for rules about its notation. */
  readonly node: MapNode
  /** Its address in the tool that describes it: `svc_iam_policy.ops`. */
  readonly address?: string
}

/** The permissions groups that a policy names, each once: one that is named twice means nothing more. */
export function groupsOf({ permissionsGroups }: Policy): Policy['permissionsGroups'] {
  if (permissionsGroups.length < 2) return permissionsGroups
  const seen = new Set<string>()
  return permissionsGroups.filter(({ value: { text } }) => !seen.has(text) && seen.add(text))
}

/** A policy as reports show it: its name, and what the tool that describes it calls it. */
export function titled(name: string, address: string | undefined): string {
  return address === undefined || address === name ? name : `${name} (${address})`
}

export interface PermissionsGroup {
  readonly urn: Located<PermissionsGroupUrn>
  readonly name: string
  readonly permissions: PermissionSet
  /** Entries that are not known; none in the groups of a world. */
  readonly open?: readonly OpenEntry[]
  readonly span: Span
  /** The group as written. */
  readonly node: MapNode
}

export interface ResourceGroup {
  /** `urn:v1:<region>:resourceGroup:<id>`, or `urn:v1:*:resourceGroup:<id>` when only the id is known. */
  readonly urn: Located<string>
  /** Its display name. */
  readonly name?: string
  readonly members: ReadonlySet<string>
  /** False when a member is named by an id that no URN is known for: others may then be members too. */
  readonly complete: boolean
  readonly span: Span
}

export interface Resource {
  readonly urn: Located<string>
  readonly owner?: string
  /** Who approves new access to it. No decision depends on them. */
  readonly owners?: readonly string[]
  /** Undefined: not described. An empty map: described as having none. */
  readonly tags?: ReadonlyMap<string, string>
  /** Described only where a policy or a group names it: that others are not described then says nothing of them. */
  readonly mentioned?: true
}

export interface Identity {
  readonly urn: Located<string>
  readonly groups: readonly string[]
  /** Where each membership is described, by a configuration: there may be others. */
  readonly places?: ReadonlyMap<string, Span>
}

/** One rule of delegated access; `*` in the path matches any run of characters. */
export interface AccessRule {
  readonly method: Located<string>
  readonly path: Located<string>
  readonly span: Span
}

/** A request for delegated access, or a credential that has it. No decision rests on it. */
export interface CredentialRequest {
  readonly rules: readonly AccessRule[]
  readonly redirection?: Located<string>
  readonly span: Span
  /** The request as written. */
  readonly node: MapNode
}

/** All that is known. Below this layer nothing reads files, the clock or the environment. */
export interface World {
  readonly policies: readonly Policy[]
  readonly permissionsGroups: ReadonlyMap<string, PermissionsGroup>
  readonly resourceGroups: ReadonlyMap<string, ResourceGroup>
  readonly resources: ReadonlyMap<string, Resource>
  readonly identities: ReadonlyMap<string, Identity>
  /** Requests for delegated access: for rules, not for decisions. */
  readonly credentials?: readonly CredentialRequest[]
  /** The account that owns the policies, and the resources that name no other owner. */
  readonly account?: string
}

/** Whether a condition may look at the tags of a resource. */
export function readsTags(condition: Condition): boolean {
  if (condition.kind === 'opaque') return true
  return condition.kind === 'match' ? /^resource\.Tag/.test(condition.key.value) : condition.operands.some(readsTags)
}
