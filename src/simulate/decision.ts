import type { Address, AddressRange } from '../conditions/address.ts'
import type { Glob } from '../glob.ts'
import type { ListName, Policy } from '../policy.ts'
import type { Located } from '../source.ts'

/** Is this identity allowed this action on this resource, at this time, in this context? (docs/semantics.md, Decision) */
export interface Question {
  readonly identity: string
  readonly action: string
  readonly resource: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Groups of the identity in addition to those in the world. */
  readonly groups: readonly string[]
  /** Undefined: not given. */
  readonly ip?: Address
  /** All tags of the resource; undefined: not given, the world may know. */
  readonly tags?: ReadonlyMap<string, string>
  /** The account that owns the resource; undefined: not given, the world may know. */
  readonly owner?: string
}

/** The possible effects of an unknown permissions group on a question. */
export type Outcome = 'allow' | 'deny' | 'nothing'

/** Something that a decision may depend on and that neither the world nor the question gives. */
export type Fact =
  | { readonly kind: 'address' }
  | { readonly kind: 'tag'; readonly key: string }
  /** Whether the resource is in a group that an entry names: `urn` is the entry, which may be a pattern. */
  | { readonly kind: 'resourceGroup'; readonly urn: string }
  /** The content of a permissions group. */
  | { readonly kind: 'permissionsGroup'; readonly urn: string }
  /** Whether a condition holds that is not understood. */
  | { readonly kind: 'condition'; readonly text: string }
  /** Whether something holds that rests on an expression of a source whose value is not known. `about`: see `Condition`. */
  | { readonly kind: 'expression'; readonly text: string; readonly about?: 'identities' | 'resources' | 'account' }

/** A fact with one of its values. */
export type FactValue =
  | { readonly kind: 'address'; readonly address: Address }
  /** null: the resource has no such tag. */
  | { readonly kind: 'tag'; readonly key: string; readonly text: string | null }
  /** `name`: that of a group that the world describes, for display. */
  | { readonly kind: 'resourceGroup'; readonly urn: string; readonly isMember: boolean; readonly name?: string }
  | { readonly kind: 'permissionsGroup'; readonly urn: string; readonly outcome: Outcome }
  | {
      readonly kind: 'condition' | 'expression'
      readonly text: string
      readonly about?: 'identities' | 'resources' | 'account'
      readonly holds: boolean
    }

/** Something in a question that cannot be understood: one line, and what was probably meant. */
export interface Problem {
  readonly message: string
  readonly help?: string
}

export type Verdict = 'allow' | 'deny' | 'unknown'

/** The verdict of two gates that must both let a request through: one deny denies, else one unknown leaves it open. */
export function strictest(a: Verdict, b: Verdict): Verdict {
  if (a === 'deny' || b === 'deny') return 'deny'
  return a === 'unknown' ? a : b
}

/** `granted` and `denied` rest on entries; `default`: nothing granted it; `root`: the owning account cannot be restricted. */
export type Reason = 'granted' | 'denied' | 'default' | 'root' | 'unknown'

/** One written entry on which a decision rests. */
export interface Clause {
  readonly policy: Policy
  readonly list: ListName
  readonly entry: Located<Glob>
  /** URN of the permissions group that holds it. */
  readonly group?: string
}

/** Reasons why a verdict may be less certain than it looks (docs/semantics.md, Unknown). */
export type Caveat = 'approximate' | 'groups-unknown' | 'inner-wildcard' | 'managed-policies' | 'root-unknown'

/** Each caveat in a sentence. */
export const caveats: Readonly<Record<Caveat, string>> = {
  approximate: 'too many facts are missing to try every way to complete them: more might be certain than is shown',
  'groups-unknown': 'a group of the same account would allow it, or might: give the groups of the identity to be sure',
  'inner-wildcard': 'it rests on an entry with a wildcard in the middle, whose meaning the service does not publish',
  'managed-policies': 'the service also applies its own policies, and the files given contain none of them',
  'root-unknown': 'the owning account cannot be restricted, and who owns the resource is not known',
}

/** A value for each of some facts. */
export type Completion = readonly FactValue[]

/** A fact that an unknown verdict depends on, with one completion of the facts that allows and one that denies. */
export interface Missing {
  readonly fact: Fact
  readonly allows: Completion
  readonly denies: Completion
}

/** The verdict of a question from each address of a run; `unknown` where other facts decide too. */
export interface AddressVerdict extends Pick<AddressRange, 'family' | 'first' | 'last'> {
  readonly verdict: Verdict
}

export interface Decision {
  readonly verdict: Verdict
  readonly reason: Reason
  /** The deciding entries: allows for `granted`, denies for `denied`, every possible one for `unknown`; in file order. */
  readonly clauses: readonly Clause[]
  readonly missing: readonly Missing[]
  readonly caveats: readonly Caveat[]
}

/** The gates that a policy passes, in this order, before its entries count. */
export const gates = ['expiry', 'identity', 'resource', 'condition', 'action'] as const
export type Gate = (typeof gates)[number]

/** One policy's part in a decision: the gate where it stopped, or the entries it brought. */
export interface Trace {
  readonly policy: Policy
  /** The first gate that is certainly closed; undefined when the policy takes part in the decision. */
  readonly stoppedAt: Gate | undefined
  /** Whether the policy applies: its resource and its condition may be unknown. */
  readonly applies: boolean | undefined
  readonly grants: readonly Clause[]
  readonly denies: readonly Clause[]
  /** The `except` entries that took a grant away. */
  readonly excepted: readonly Clause[]
  /** Permissions groups that the world does not hold: they may allow, deny or do nothing. */
  readonly unknownGroups: readonly string[]
}

/** A group of the identity's account, as a policy writes it, whose members would be allowed, or perhaps. */
export interface Lift {
  readonly group: string
  readonly verdict: 'allow' | 'unknown'
}

/** The same of an allow: its members would be denied, or perhaps. */
export interface Overruling {
  readonly group: string
  readonly verdict: 'deny' | 'unknown'
}

/** The words where an identity may be in a group. `turn`: what its members would be, such as `allowed`. `name`: that of the group. */
export function asMemberWords({ group, verdict }: Lift | Overruling, turn: string, name = group): string {
  const member = group.includes('*') ? 'a member of a group that fits' : 'a member of'
  return `${member} \`${name}\` ${verdict === 'unknown' ? 'might' : 'would'} be ${turn}: give the groups of the identity with \`--group\` to be sure`
}

export interface Explanation {
  readonly decision: Decision
  readonly traces: readonly Trace[]
  /** For a default deny: the policies that would grant it if one gate were open, nearest first. */
  readonly nearest: readonly Trace[]
  /** The verdict from every address, in order, where the address is missing and decides; undefined also where that is too much. */
  readonly byAddress?: readonly AddressVerdict[]
  /** The group behind the caveat `groups-unknown`. */
  readonly lift?: Lift
  /** For an allow, where the groups of the identity are not described: a group of its account that a deny is for. */
  readonly overruled?: Overruling
  /** The verdict if entries with an inner wildcard matched nothing; undefined when no such entry counts. */
  readonly withoutInnerWildcards?: Verdict
}
