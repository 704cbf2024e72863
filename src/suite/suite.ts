import type { Facts } from '../parser/policy.ts'
import type { Policy } from '../policy.ts'
import type { Reason, Verdict } from '../simulate/decision.ts'
import type { Context } from '../simulate/question.ts'
import type { Located, Span } from '../source.ts'
import type { Formula } from '../symbolic/formula.ts'

/** Types only: what a file of policy tests says once it is understood. */
export interface Suite {
  /** The paths of the policies under test, as written; undefined: those of the run. */
  readonly policies: readonly Located<string>[] | undefined
  /** The file's own description: groups, resources, identities, the account. */
  readonly facts: Facts | undefined
  /** The facts that hold for each question that does not give them. */
  readonly usual: UsualContext
  readonly checks: readonly Check[]
}

/** The facts that a file gives to all its questions. Without `at`, the time is that of the run. */
export type UsualContext = Omit<Context, 'at'> & Partial<Pick<Context, 'at'>>

/** The names of a question, as written. Facts that the context leaves out are not known. */
export interface Asked {
  readonly identity: Located<string>
  readonly action: Located<string>
  readonly resource: Located<string>
}

export interface SingleCheck {
  readonly kind: 'test'
  readonly name: string
  readonly span: Span
  readonly asked: Asked
  readonly context: Context
  readonly expected: Expected
}

export interface Expected {
  readonly verdict: Verdict
  readonly reason?: Reason
  /** The names of the policies whose entries decide: all of them, in any order. */
  readonly because?: readonly string[]
  /** The facts that would settle it: all of them, in any order. */
  readonly missing?: readonly string[]
}

/** The actions that patterns match: all possible ones, or those of the catalogue. */
export type ActionScope = 'all' | 'catalogue'

/** A table: each identity, each action, each resource; all must be allowed, or all denied. */
export interface TableCheck {
  readonly kind: 'allow' | 'deny'
  readonly name: string
  readonly span: Span
  readonly identities: readonly Located<string>[]
  readonly actions: readonly Located<string>[]
  readonly resources: readonly Located<string>[]
  readonly context: Context
  readonly over: ActionScope
  /** The table as a policy that allows it, for its patterns. Its lists are in the order of the text. */
  readonly box: Policy
}

/** A claim about every request there could be in a box. */
export interface InvariantCheck {
  readonly kind: 'never' | 'only' | 'always'
  readonly name: string
  readonly span: Span
  readonly over: ActionScope
  /** The subject of the claim, as a policy that allows it: for `only`, `identities` are those who may. */
  readonly box: Policy
}

export type Check = SingleCheck | TableCheck | InvariantCheck

/** A claim to be proved: an invariant, or a pattern of a table in the context that the table gives. */
export interface Claim {
  readonly kind: 'never' | 'only' | 'always'
  readonly box: Policy
  /** The facts of the contexts in which it is claimed, in addition to the condition of the box. */
  readonly context?: Formula
  /** The groups of the one identity that the box names, in addition to those of its description: it is in no others. */
  readonly groups?: readonly string[]
}
