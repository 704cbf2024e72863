import type { Condition } from '../policy.ts'

/** A policy as it is written: its fields, in order. */
export type PolicyFields = Readonly<Record<string, unknown>>

/** A condition in the fields of a policy. */
export type ConditionFields =
  | { readonly operator: 'MATCH'; readonly values: Readonly<Record<string, string>> }
  | { readonly operator: string; readonly conditions: readonly ConditionFields[] }

/** A condition as the fields of a policy; undefined where a part of it is not understood. Conditions nest no deeper than the reader allows. */
export function conditionFields(condition: Condition): ConditionFields | undefined {
  if (condition.kind === 'opaque') return undefined
  if (condition.kind === 'match') return { operator: 'MATCH', values: { [condition.key.value]: condition.value.value } }
  const { kind, operands } = condition
  // Several comparisons that all have to hold are one, where each is of another key.
  const comparisons = operands.flatMap((each) => (each.kind === 'match' ? [[each.key.value, each.value.value] as const] : []))
  const values = new Map(comparisons)
  if (kind === 'and' && values.size === operands.length && values.size > 0) return { operator: 'MATCH', values: Object.fromEntries(values) }
  const parts = operands.map(conditionFields)
  return parts.every((each) => each !== undefined) ? { operator: kind.toUpperCase(), conditions: parts } : undefined
}
