import type { Policy } from '../policy.ts'
import { formulaOf, printFormula } from './formula.ts'

/** The lists that two policies may be joined by. `except` lists never are: more of them is less access. */
const joined = ['identities', 'resources', 'allow', 'deny', 'permissionsGroups'] as const

/** For each of these lists a text: the same for policies that differ in nothing else, in whatever order their entries are. */
export function joinKeys(policy: Policy): readonly (readonly [list: (typeof joined)[number], key: string])[] {
  const { identities, resources, permissionsGroups, condition, expiresAt, owner } = policy
  const { allow, except, deny } = policy.permissions
  const textOf = (list: readonly { readonly value: { readonly text: string } }[]) =>
    [...new Set(list.map(({ value }) => value.text))].sort()
  const lists = Object.entries({ identities, resources, allow, except, deny, permissionsGroups }).map(
    ([name, list]) => [name, textOf(list)] as const,
  )
  const rest = [condition ? printFormula(formulaOf(condition)) : '', expiresAt?.value, owner]
  return joined.map((list) => [list, JSON.stringify([list, lists.filter(([name]) => name !== list), rest])])
}
