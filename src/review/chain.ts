import { sha256 } from '../lint/sha256.ts'
import type { Decision, Review, Unchained, Value } from './model.ts'

/**
 * The chain of decisions: each has the hash of what it says and of the hash before it, so that one that is edited, removed,
 * inserted or moved later is noticed. The last hash is in the file once more. Who rewrites the whole chain is noticed only by a
 * last hash that is kept elsewhere.
 */

/** A value as a text that is the same for equal ones, whatever the order of their fields. */
function canonical(value: Value | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(',')}}`
}

/** The hash of a decision that follows one with a hash; '' for the first. */
export function hashAfter(previous: string, decision: Unchained): string {
  const { hash: _, ...said } = decision as Unchained & { readonly hash?: string }
  return sha256(canonical([previous, said as unknown as Value]))
}

/** Decisions put behind those of a chain, in order. */
export function chained(decisions: readonly Decision[], added: readonly Unchained[]): readonly Decision[] {
  const all = [...decisions]
  for (const decision of added) all.push({ ...decision, hash: hashAfter(all.at(-1)?.hash ?? '', decision) })
  return all
}

/** A place where a chain is broken. */
export type Break =
  /** The decision at this index was edited, or one before it was removed, inserted or moved. */
  | { readonly kind: 'decision'; readonly index: number }
  /** The last hash of the file is another one: the last decisions were removed, or some were added without the program. */
  | { readonly kind: 'end' }

/** All places where the chain of a review is broken; none where every decision is as it was recorded. */
export function breaksOf({ decisions, chain }: Pick<Review, 'decisions' | 'chain'>): readonly Break[] {
  const breaks: Break[] = decisions.flatMap((decision, index) =>
    decision.hash === hashAfter(decisions[index - 1]?.hash ?? '', decision) ? [] : [{ kind: 'decision', index }],
  )
  return chain === decisions.at(-1)?.hash ? breaks : [...breaks, { kind: 'end' }]
}

/** The index of the first decision of an earlier chain that is not at its place in a later one; undefined where all are. */
export function departureFrom(earlier: readonly Decision[], later: readonly Decision[]): number | undefined {
  const index = earlier.findIndex(({ hash }, i) => later[i]?.hash !== hash)
  return index < 0 ? undefined : index
}
