import { type Glob, hasInnerWildcard } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import type { Located } from '../../source.ts'
import { meetIfFeasible } from '../../symbolic/patterns.ts'
import type { Statement } from '../../symbolic/statements.ts'
import type { WholeSet } from './whole-set.ts'

/**
 * The access that one `except` entry removes from the `allow` list of its set, as grants: for each identity, resource and allow
 * entry of the policy by itself, under its condition.
 */
export function* exceptedParts(policy: Policy, entry: Located<Glob>, set: WholeSet): Iterable<Statement> {
  if (hasInnerWildcard(entry.value)) return
  for (const statement of set.own.get(policy)?.allows ?? []) {
    if (statement.group !== undefined) continue
    const exclusions = statement.exclusions.filter(({ dimension }) => dimension !== 'action')
    for (const allowed of statement.actions) {
      for (const action of meetIfFeasible(allowed.value, entry.value) ?? []) {
        for (const identity of statement.identities) {
          for (const box of statement.boxes) {
            const actions = [{ value: action, span: entry.span }]
            yield { ...statement, identities: [identity], boxes: [box], actions, exclusions, key: '' }
          }
        }
      }
    }
  }
}
