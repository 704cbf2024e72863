import type { Policy } from '../../policy.ts'
import type { Rule } from '../rule.ts'
import { writtenConditions } from '../support/conditions.ts'
import { numberOption } from '../support/options.ts'
import { counted } from '../support/words.ts'
import { countWritten, nodeAt } from '../support/written.ts'

const code = 'size-limit'

/** The counted list of a policy, the option that limits it, and the field to report. */
const counts: readonly {
  readonly option: string
  readonly what: string
  readonly path: readonly string[]
  readonly of?: (policy: Policy) => number
}[] = [
  { option: 'identities', what: 'identity', path: ['identities'] },
  { option: 'resources', what: 'resource', path: ['resources'] },
  { option: 'allow', what: 'allow entry', path: ['permissions', 'allow'] },
  { option: 'except', what: 'except entry', path: ['permissions', 'except'] },
  { option: 'deny', what: 'deny entry', path: ['permissions', 'deny'] },
  { option: 'groups', what: 'permissions group', path: ['permissionsGroups'] },
  { option: 'conditions', what: 'condition', path: ['conditions'], of: (policy) => [...writtenConditions(policy)].length },
]

export const sizeLimit: Rule = {
  code,
  section: 'document',
  severity: 'warning',
  preset: 'auditor',
  summary: 'A policy, or a set of policies, that exceeds a configured limit.',
  why:
    'The service refuses what exceeds its quotas, but only when the policy is applied. The quotas of an account are not published, so ' +
    'set them as options, or use your own limits to keep policies readable. Without options, nothing is reported.',
  options: [
    { name: 'policies', type: 'number', text: 'the maximum number of policies per owner' },
    ...counts.map(({ option, what }) => ({
      name: option,
      type: 'number' as const,
      text: `the maximum number of ${counted(2, what).slice(2)} in a policy`,
    })),
  ],
  *world(context) {
    const most = numberOption(context, code, 'policies')
    const owned = new Map<string, number>()
    for (const policy of context.world.policies) {
      const { node, name, owner = '' } = policy
      for (const { option, what, path, of } of counts) {
        const limit = numberOption(context, code, option)
        if (limit === undefined) continue
        const count = of ? of(policy) : countWritten(node, ...path)
        if (count > limit)
          yield {
            span: nodeAt(node, ...path) ?? name.span,
            message: `the policy has ${counted(count, what)}: the limit is ${limit}`,
            help: 'split the policy, or use groups or patterns instead of single entries',
          }
      }
      const position = (owned.get(owner) ?? 0) + 1
      owned.set(owner, position)
      // Once per owner.
      if (most !== undefined && position === most + 1)
        yield {
          span: name.span,
          message: `this policy exceeds the limit of ${counted(most, 'policy')}`,
          help: 'merge policies with the same identities and resources, or delete unneeded ones',
        }
    }
  },
}
