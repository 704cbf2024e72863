import type { Glob } from '../glob.ts'
import type { Policy } from '../policy.ts'
import type { Span } from '../source.ts'
import { formulaOf, printFormula } from './formula.ts'

/** The lists of a policy whose entries count. */
export const lists = ['identities', 'resources', 'allow', 'except', 'deny', 'permissionsGroups'] as const
export type List = (typeof lists)[number]

/** One entry of a list: what is written, and where. */
export interface Entry {
  readonly value: { readonly text: string; readonly words?: string; readonly glob?: Glob }
  readonly span: Span
}

export function entriesOf(policy: Policy, list: List): readonly Entry[] {
  return list === 'allow' || list === 'except' || list === 'deny' ? policy.permissions[list] : policy[list]
}

/** The policy with other entries in a list. They must be entries of that kind of list. */
export function withEntries(policy: Policy, list: List, entries: readonly Entry[]): Policy {
  if (list === 'allow' || list === 'except' || list === 'deny')
    return { ...policy, permissions: { ...policy.permissions, [list]: entries } }
  return { ...policy, [list]: entries }
}

export function globOf({ value }: Pick<Entry, 'value'>): Glob {
  return value.glob ?? (value as Glob)
}

/** A condition as a text that is the same for equal ones. */
export function conditionText({ condition }: Pick<Policy, 'condition'>): string {
  return condition ? printFormula(formulaOf(condition)) : ''
}

/** The lists that two policies may be joined by. `except` lists never are: more of them is less access. */
const joined = ['identities', 'resources', 'allow', 'deny', 'permissionsGroups'] as const

/**
 * A key for each of these lists: equal for policies that differ in nothing else, independent of the order of entries. `nameOf`: what is written
 * for the text of an entry.
 */
export function joinKeys(
  policy: Policy,
  nameOf: (text: string) => string | number = (text) => text,
): readonly (readonly [list: (typeof joined)[number], key: string])[] {
  const texts = lists.map((list) => [list, [...new Set(entriesOf(policy, list).map(({ value }) => nameOf(value.text)))].sort()] as const)
  const rest = [conditionText(policy), policy.expiresAt?.value, policy.owner]
  return joined.map((list) => [list, JSON.stringify([list, texts.filter(([name]) => name !== list), rest])])
}
