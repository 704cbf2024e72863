import type { Policy } from '../../policy.ts'
import { hasOpenFacts } from '../../symbolic/formula.ts'
import type { Rule } from '../rule.ts'
import { satisfiable } from '../support/satisfiable.ts'
import { some } from '../support/text.ts'
import { cite, verdicts } from '../support/verdicts.ts'
import { canApply, meeting, membersOf, wholeSet } from '../support/whole-set.ts'

export const allowMeetsDeny: Rule = {
  code: 'allow-meets-deny',
  section: 'whole set',
  severity: 'info',
  preset: 'auditor',
  summary: 'A policy that denies what other policies allow to the same identities.',
  why:
    'For some requests both apply, and the deny wins, as intended. Where that depends on a group or a condition that is not known, the ' +
    'finding says that it may. The list of affected policies shows how far the deny reaches, which ' +
    'is useful in a review.',
  *world(context) {
    const set = wholeSet(context)
    if (!set) return
    for (const policy of context.world.policies) {
      const denies = set.own.get(policy)?.denies ?? []
      if (denies.length === 0 || verdicts(context).has(policy)) continue
      const cut = new Set<Policy>()
      const perhaps = new Set<Policy>()
      for (const deny of denies) {
        const patterned = deny.identities.some(({ value }) => value.glob.pieces.length > 1)
        const members = deny.identities.flatMap(({ value }) => membersOf(value, set))
        for (const allow of patterned ? set.allows.statements : set.allows.about(members)) {
          if (set.comparisons-- < 0) return
          if (allow.policy === policy || cut.has(allow.policy)) continue
          const common = meeting(allow, deny)
          if (!common || !canApply(common, context) || satisfiable(context, [allow.formula, deny.formula]) !== true) continue
          // The members of an undescribed group, or an unknown condition, decide whether they meet.
          const isKnown = ![allow, deny, common].some(({ formula }) => hasOpenFacts(formula))
          ;(isKnown ? cut : perhaps).add(allow.policy)
        }
      }
      const only = [...perhaps].filter((each) => !cut.has(each))
      const cutPolicies = [...cut, ...only]
      if (cutPolicies.length === 0) continue
      const what = (policies: readonly Policy[]) =>
        `some of what ${some(policies.map(({ name }) => name.value))} ${policies.length === 1 ? 'allows' : 'allow'}`
      const parts = [...(cut.size > 0 ? [`denies ${what([...cut])}`] : []), ...(only.length > 0 ? [`may deny ${what(only)}`] : [])]
      yield {
        span: policy.name.span,
        message: `this ${parts.join(', and ')}`,
        help:
          only.length > 0
            ? 'describe what is not known, and check that the deny is intended to reach this far'
            : 'check that the deny is intended to reach this far',
        related: cite(cutPolicies, (other) => (cut.has(other) ? 'this allows it' : 'this may allow it')),
      }
    }
  },
}
