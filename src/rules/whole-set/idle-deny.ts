import { firstNewAccess } from '../../symbolic/covers.ts'
import { indexOf } from '../../symbolic/side.ts'
import type { Rule } from '../rule.ts'
import { isJudged, mayDeny, verdicts } from '../support/verdicts.ts'
import { haveSameSubject, isSettled, wholeSet } from '../support/whole-set.ts'

export const idleDeny: Rule = {
  code: 'idle-deny',
  section: 'whole set',
  severity: 'info',
  preset: 'auditor',
  precision: 'medium',
  summary: 'A policy of denies for access that nobody has.',
  why:
    'No policy grants what it denies. That may be a guard rail against future grants, which should stay; or it may name the wrong ' +
    'identity or resource. Check in a review.',
  *world(context) {
    if (!context.world.policies.some(mayDeny)) return
    // An entry that was not understood may grant it.
    if (!context.world.policies.every((policy) => isSettled(policy, context))) return
    const set = wholeSet(context)
    if (!set) return
    const policyVerdicts = verdicts(context)
    for (const policy of context.world.policies) {
      const statements = set.own.get(policy)
      if (
        !statements ||
        statements.denies.length === 0 ||
        statements.allows.length > 0 ||
        policyVerdicts.has(policy) ||
        !isJudged(policy, context)
      )
        continue
      set.comparisons -= set.side.allows.statements.length
      if (set.comparisons < 0) return
      const touched = set.side.allows.statements.filter((allow) => statements.denies.some((deny) => haveSameSubject(allow, deny)))
      const allows = indexOf(touched)
      const outcome =
        touched.length === 0
          ? { kind: 'none' }
          : firstNewAccess(
              { ...set.side, allows, denies: indexOf([]) },
              { ...set.side, allows, denies: indexOf(statements.denies) },
              { budget: 20_000 },
            )
      if (outcome.kind !== 'none') continue
      yield {
        span: policy.name.span,
        message: 'no policy grants what this policy denies',
        help: 'keep it if it is a guard rail, otherwise check what it names',
      }
    }
  },
}
