import type { Condition } from '../../policy.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { exposes } from '../support/residual.ts'

export const grantsTagging: Rule = {
  code: 'grants-tagging',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'A grant to change tags that policies depend on.',
  why:
    'A condition on a tag is only as strong as the permission to set the tag: anyone who can tag a resource can move it into a grant, ' +
    'or out of a deny. Only reported if some policy uses tags. Limit tagging to those who may grant access.',
  policy: (policy, context) => (context.once(looksAtTags) ? tagging.policy(policy, context) : []),
}

const tagging = exposes(['tagging'], 'limit tagging to those who may grant access')

/** Whether some policy has a condition on a tag. */
function looksAtTags({ world }: RuleContext): boolean {
  const looks = (part: Condition): boolean =>
    part.kind === 'match' ? part.test.subject.kind === 'tag' : part.kind !== 'opaque' && part.operands.some(looks)
  return world.policies.some(({ condition }) => condition !== undefined && looks(condition))
}
