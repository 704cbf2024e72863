import { covers } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import type { Statement } from '../../symbolic/statements.ts'
import type { Rule } from '../rule.ts'
import { exceptedParts } from '../support/excepted.ts'
import { quote } from '../support/text.ts'
import { isJudged } from '../support/verdicts.ts'
import { coveredBy, type WholeSet, wholeSet } from '../support/whole-set.ts'

export const exceptIsNotDeny: Rule = {
  code: 'except-is-not-deny',
  section: 'actions',
  looksAround: true,
  severity: 'warning',
  security: 5.5,
  precision: 'very-high',
  summary: 'An excepted action that another policy or permissions group grants to the same identity on the same resource.',
  why:
    '`except` only subtracts from the `allow` list beside it. It does not deny: another policy, or a permissions group in the same ' +
    'policy, still grants the action. If the action must not be possible, use `deny`, which overrides every grant; otherwise remove the ' +
    'misleading exception.',
  needs: 'except',
  *policy(policy, context) {
    if (policy.permissions.except.length === 0 || !isJudged(policy, context)) return
    const set = wholeSet(context)
    if (!set) return
    for (const entry of policy.permissions.except) {
      const leak = leakOf(policy, entry, set)
      if (!leak) continue
      const { part, by } = leak
      const [other] = by
      const same = other === policy
      const grant = grantIn(set, by, part)
      yield {
        span: entry.span,
        message:
          `\`except\` does not keep ${quote(part.identities[0]?.value.text ?? '')} from ${quote(part.actions[0]?.value.text ?? '')}: ` +
          (same ? 'a permissions group of this policy grants it' : `${quote(other?.name.value ?? '')} grants it on the same resource`),
        help: 'use `deny` if the action must not be possible, otherwise remove the exception',
        related: [{ message: 'granted here', span: grant ?? (other ?? policy).name.span }],
      }
    }
  },
}

/** A part of what an entry excepts, for one identity on one resource, that is granted nevertheless, and by whom. */
export function leakOf(
  policy: Policy,
  entry: Policy['permissions']['except'][number],
  set: WholeSet,
): { readonly part: Statement; readonly by: readonly Policy[] } | undefined {
  for (const part of exceptedParts(policy, entry, set)) {
    const skip = (other: Statement) => other.policy === policy && other.group === part.group
    const by = coveredBy([part], { by: set.allows, skip }, set)
    if (by && !coveredBy([part], { by: set.side.denies, skip: () => false }, set)) return { part, by }
  }
  return undefined
}

/** The allow entry that grants it. */
function grantIn(set: WholeSet, by: readonly Policy[], part: Statement) {
  const [action] = part.actions
  for (const policy of by) {
    for (const { actions, group } of set.own.get(policy)?.allows ?? []) {
      if (policy === part.policy && group === part.group) continue
      const granting = action && actions.find(({ value }) => covers(value, action.value))
      if (granting) return granting.span
    }
  }
  return undefined
}
