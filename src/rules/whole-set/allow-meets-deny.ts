import type { Policy } from '../../policy.ts'
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
    'For some requests both apply, and the deny wins, as intended. The list of affected policies shows how far the deny reaches, which ' +
    'is useful in a review.',
  *world(context) {
    const set = wholeSet(context)
    if (!set) return
    for (const policy of context.world.policies) {
      const denies = set.own.get(policy)?.denies ?? []
      if (denies.length === 0 || verdicts(context).has(policy)) continue
      const cut = new Set<Policy>()
      for (const deny of denies) {
        const patterned = deny.identities.some(({ value }) => value.glob.pieces.length > 1)
        const members = deny.identities.flatMap(({ value }) => membersOf(value, set))
        for (const allow of patterned ? set.allows.statements : set.allows.about(members)) {
          if (set.comparisons-- < 0) return
          if (allow.policy === policy || cut.has(allow.policy)) continue
          const common = meeting(allow, deny)
          if (common && canApply(common, context) && satisfiable(context, [allow.formula, deny.formula]) === true) cut.add(allow.policy)
        }
      }
      if (cut.size === 0) continue
      const names = [...cut].map(({ name }) => name.value)
      yield {
        span: policy.name.span,
        message: `this denies some of what ${some(names)} ${names.length === 1 ? 'allows' : 'allow'}`,
        help: 'check that the deny is intended to reach this far',
        related: cite([...cut], () => 'this allows it'),
      }
    }
  },
}
