import type { Policy } from '../policy.ts'
import type { Span } from '../source.ts'
import { isSameMoment, type Moment, type State } from './state.ts'

/** Whether a claim about the policies holds: a guardrail, or a policy test. */
export type ClaimStatus = 'passed' | 'failed' | 'undecided'

/** An entry, or another part of a policy. */
export interface ClaimCause {
  readonly policy: Policy
  readonly span: Span
}

/** How a claim comes out, and the entries by which it fails. */
export interface ClaimResult {
  readonly name: string
  readonly status: ClaimStatus
  readonly by: readonly ClaimCause[]
}

export interface ClaimChange {
  readonly name: string
  /** Undefined: there were no policies. */
  readonly before: ClaimStatus | undefined
  readonly after: ClaimResult
}

/** The claims that come out otherwise after a change. */
export interface ClaimsChange {
  readonly kind: 'claims'
  readonly changes: readonly ClaimChange[]
}

/** Judges every claim in a state, in one order: from an instant on, or over all times. */
export type Judge = (state: State, at: number | undefined) => readonly ClaimResult[]

/** The results of claims in states, each found once. */
export class Claims {
  private readonly judge: Judge
  private readonly results = new WeakMap<State, Map<number | undefined, readonly ClaimResult[]>>()

  constructor(judge: Judge) {
    this.judge = judge
  }

  at({ state, at }: Moment): readonly ClaimResult[] {
    const resultsByInstant = this.results.get(state) ?? new Map<number | undefined, readonly ClaimResult[]>()
    this.results.set(state, resultsByInstant)
    const results = resultsByInstant.get(at) ?? this.judge(state, at)
    resultsByInstant.set(at, results)
    return results
  }

  /** How claims change; undefined where all come out the same. Before the first commit, each of them holds. */
  readonly change = (before: Moment | undefined, after: Moment): ClaimsChange | undefined => {
    if (before && isSameMoment(before, after)) return undefined
    const old = before && this.at(before)
    const changes = this.at(after).flatMap((result, i): ClaimChange[] =>
      (old?.[i]?.status ?? 'passed') === result.status ? [] : [{ name: result.name, before: old?.[i]?.status, after: result }],
    )
    return changes.length === 0 ? undefined : { kind: 'claims', changes }
  }
}
