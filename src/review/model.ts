/**
 * A review of access: what policies grant, who decided what about it, and when. Types only; the file that holds one is written by
 * `text.ts` and read by `read.ts`.
 */

export const choices = ['keep', 'remove', 'shorten', 'ask'] as const

/** The kinds of decisions about a grant. `shorten`: it ends after a day. `ask`: it is to be decided by another person. */
export type Choice = (typeof choices)[number]

/** A value of JSON, as the fields of policies are written. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value }

/** The access of a grant in the form of a lockfile: the items of its list of policies. */
export type Access = readonly Value[]

/** The names of a grant: a policy, and one entry of its identities as it is written. */
export interface GrantKey {
  readonly policy: string
  /** The file, where policies of the same name in several files grant something to this identity. */
  readonly file?: string
  readonly identity: string
}

/** The words of a reviewer about a grant. */
export interface Verdict {
  readonly decision: Choice
  /** The last day of the access, of `shorten`: `2026-12-31`. */
  readonly until?: string
  readonly by: string
  /** The day of the decision. */
  readonly date: string
  readonly reason?: string
}

/** A decision as it is recorded: it is never changed, and later ones about the same grant follow it. */
export interface Decision extends GrantKey, Verdict {
  readonly owner?: string
  readonly access: Access
  /** The name of the round. */
  readonly round?: string
  /** The SHA-256 of the lockfile of all policies at the time. */
  readonly lock?: string
  /** The SHA-256 of this decision and of the hash before it. */
  readonly hash: string
}

/** A decision before it gets its place in the chain. */
export type Unchained = Omit<Decision, 'hash'>

/** A grant that is to be decided, with what a reviewer has filled in so far. */
export interface OpenRow extends GrantKey, Partial<Omit<Verdict, 'decision'>> {
  readonly owner?: string
  readonly access: Access
  /** How recorded calls use it, and since when the identity has it, in words. */
  readonly used?: string
  readonly since?: string
  /** The decision about it that is no longer valid, in words. */
  readonly previous?: string
  /** How its access differs from that of the decision before, a sentence each. */
  readonly changed?: readonly string[]
  readonly decision?: Choice
}

/** Who owns the policies whose names match a pattern. */
export interface Owner {
  readonly policies: string
  readonly owner: string
}

export interface Review {
  /** The name of the round: `2026-Q4`. */
  readonly round?: string
  /** The day at whose end everything has to be decided. */
  readonly due?: string
  readonly owners: readonly Owner[]
  readonly open: readonly OpenRow[]
  /** In the order in which they were made. */
  readonly decisions: readonly Decision[]
  /** The hash of the last decision; undefined where there is none. */
  readonly chain?: string
}
