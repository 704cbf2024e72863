import type { Rule } from '../rule.ts'
import { plainVerdicts } from '../support/verdicts.ts'

export const deadPolicy: Rule = {
  code: 'dead-policy',
  section: 'whole set',
  severity: 'warning',
  summary: 'A policy that can never grant or deny anything.',
  why:
    'Its permissions groups except everything they allow and deny nothing, so the policy has no effect. For conditions that no resource ' +
    'meets, see `deny-fails-open` and `allow-never-applies`; for conditions that no request meets, `impossible-condition`; for empty ' +
    'resource groups, `empty-resource-group`.',
  needs: 'denyOrGroup',
  *policy(policy, context) {
    const verdict = plainVerdicts(context).get(policy)
    if (verdict?.kind !== 'dead' || verdict.why === 'said elsewhere') return
    const { permissionsGroups, name } = policy
    const span = permissionsGroups[0]?.span
    yield {
      span: name.span,
      message: 'this policy has no effect: its permissions groups grant and deny nothing',
      help: 'correct the groups, use others, or delete the policy',
      ...(span && { related: [{ message: 'this has no effect', span }] }),
    }
  },
}
