import { keyText } from './keys.ts'
import type { Decision, GrantKey, Verdict } from './model.ts'

/** Decisions that restore access which an earlier decision ended: each needs a reason. */

type Outcome = Pick<Verdict, 'decision' | 'until'>

/** The decisions about each grant, as far as they limit what later ones may do without a reason. */
export interface Limiting {
  /** The last decision about each grant, by the text of its key. One that asks, or that lacks a reason, does not count. */
  readonly last: ReadonlyMap<string, Decision>
  /** The places, in the list, of the decisions that restore access without a reason. */
  readonly unexplained: ReadonlySet<number>
}

/** Goes through the decisions of a review in their order. */
export function limitingDecisions(decisions: readonly Decision[]): Limiting {
  const last = new Map<string, Decision>()
  const unexplained = new Set<number>()
  for (const [i, decision] of decisions.entries()) {
    if (decision.decision === 'ask') continue
    if (restoredBy({ last }, decision, decision) && !hasReason(decision)) unexplained.add(i)
    else last.set(keyText(decision), decision)
  }
  return { last, unexplained }
}

/** The decision whose removed or shortened access another one about the same grant restores; undefined where it restores nothing. */
export function restoredBy({ last }: Pick<Limiting, 'last'>, key: GrantKey, outcome: Outcome): Decision | undefined {
  const before = last.get(keyText(key))
  return before && outcome.decision !== 'ask' && lastDay(outcome) > lastDay(before) ? before : undefined
}

/** Whether a decision has a reason that says something. */
export const hasReason = ({ reason = '' }: Pick<Verdict, 'reason'>): boolean => reason.trim() !== ''

/** The last day of the access that a decision leaves, in an order of strings. */
const lastDay = ({ decision, until = '' }: Outcome): string => (decision === 'keep' ? '\u{10ffff}' : decision === 'shorten' ? until : '')

/** The words for the earlier decision, where a later one needs a reason. */
export const restoredWords = ({ decision, by, date }: Verdict): string =>
  `it restores access that was decided as \`${decision}\` by ${by} on ${date}`
