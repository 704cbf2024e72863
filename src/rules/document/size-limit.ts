import type { Policy } from '../../policy.ts'
import type { Rule } from '../rule.ts'
import { writtenConditions } from '../support/conditions.ts'
import { numberOption } from '../support/options.ts'
import { counted } from '../support/words.ts'
import { countWritten, nodeAt } from '../support/written.ts'

const code = 'size-limit'

/** What is counted in a policy, the option that bounds it, and the field to show. */
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
  summary: 'A policy, or a set of policies, that is larger than the limits that are set for it.',
  why:
    'The service refuses what is over its quotas, and it does so when the policy is applied, long after the review. The quotas of an account are ' +
    'not published, so that they are given as options; limits of your own keep policies at a size that can be read. Without an option the rule ' +
    'says nothing.',
  options: [
    { name: 'policies', type: 'number', text: 'the most policies of one owner' },
    ...counts.map(({ option, what }) => ({
      name: option,
      type: 'number' as const,
      text: `the most ${counted(2, what).slice(2)} in a policy`,
    })),
  ],
  examples: {
    bad: [
      {
        options: { identities: 1 },
        text: `
identities: ["urn:v1:eu:identity:user:ab12-svc/ann", "urn:v1:eu:identity:user:ab12-svc/bob"]
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ size-limit`,
      },
      {
        options: { policies: 1 },
        text: `
- name: web readers
  identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
  permissions: { allow: [{ action: "webHosting:apisvc:get" }] }
- name: web editors
#       ^^^^^^^^^^^ size-limit
  identities: ["urn:v1:eu:identity:user:ab12-svc/bob"]
  resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
  permissions: { allow: [{ action: "webHosting:apisvc:edit" }] }`,
      },
    ],
    good: [
      {
        options: { identities: 2, allow: 1, policies: 10 },
        text: `
identities: ["urn:v1:eu:identity:user:ab12-svc/ann", "urn:v1:eu:identity:user:ab12-svc/cleo"]`,
      },
    ],
  },
  check: {
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
              help: 'split the policy, or name groups and patterns in place of single entries',
            }
        }
        const position = (owned.get(owner) ?? 0) + 1
        owned.set(owner, position)
        // Once for each owner: at the first one too many.
        if (most !== undefined && position === most + 1)
          yield {
            span: name.span,
            message: `this is the first policy over the limit of ${counted(most, 'policy')}`,
            help: 'merge policies that give the same identities the same resources, or delete what is no longer needed',
          }
      }
    },
  },
}
