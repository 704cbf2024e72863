import type { Condition, Policy } from '../policy.ts'
import { entriesOf, type List } from '../symbolic/entries.ts'
import { field, plainValue } from '../tree.ts'

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

/** The fields of a policy with another name and other identities, and the condition and the expiry of the one it is made of. */
export function fieldsLike(policy: Policy, now: Policy, name: string, identities: readonly string[]): PolicyFields {
  const texts = (list: List) => entriesOf(now, list).map(({ value }) => value.text)
  const actions = (['allow', 'except', 'deny'] as const).flatMap((list) =>
    texts(list).length > 0 ? [[list, texts(list).map((action) => ({ action }))]] : [],
  )
  const groups = texts('permissionsGroups').map((urn) => ({ urn }))
  const [condition, expiry] = [field(policy.node, 'conditions'), field(policy.node, 'expiredAt')]
  return {
    name,
    identities,
    resources: texts('resources').map((urn) => ({ urn })),
    permissions: Object.fromEntries(actions),
    ...(groups.length > 0 && { permissionsGroups: groups }),
    ...(condition && { conditions: plainValue(condition) }),
    ...(expiry && { expiredAt: plainValue(expiry) }),
  }
}

/** The end of the name of an identity, in characters that the name of a policy may have. */
export const shortNameOf = (identity: string): string => identity.slice(identity.search(/[^:/]*$/)).replace(/[^A-Za-z0-9 _.-]+/g, '-')
