import { compareText } from '../diagnostic.ts'
import { keyOf } from '../keys.ts'
import type { GrantKey } from './model.ts'

/** A text for the names of a grant. */
export const keyText = ({ policy, file, identity }: GrantKey): string => keyOf(policy, identity, file)

/** The order in which grants are listed. */
export function compareKeys(a: GrantKey, b: GrantKey): number {
  return compareText(a.policy, b.policy) || compareText(a.identity, b.identity) || compareText(a.file ?? '', b.file ?? '')
}
