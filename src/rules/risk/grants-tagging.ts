import type { Condition, World } from '../../policy.ts'
import type { Rule } from '../rule.ts'
import { exposureFinding, exposureOf } from '../support/residual.ts'

export const grantsTagging: Rule = {
  code: 'grants-tagging',
  section: 'risk',
  severity: 'warning',
  preset: 'strict',
  security: 5.5,
  summary: 'A grant to change tags while policies decide by tags.',
  why:
    'A condition on a tag is only as strong as the right to set the tag: whoever may tag a resource moves it into the reach of a grant, or out of the reach ' +
    'of a deny. Reported only where some policy looks at tags. Keep tagging to those who may grant access.',
  examples: {
    bad: [
      `
- name: taggers
  identities: ["urn:v1:eu:identity:group:ab12-svc/ops"]
  resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
  permissions: { allow: [{ action: "account:apisvc:iam/resource/tag/*" }] }
#                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ grants-tagging
- name: test servers
  identities: ["urn:v1:eu:identity:group:ab12-svc/students"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { allow: [{ action: "vps:apisvc:reboot" }] }
  conditions: { operator: MATCH, values: { resource.Tag(env): test } }`,
    ],
    good: [
      `
- name: taggers
  identities: ["urn:v1:eu:identity:group:ab12-svc/ops"]
  resources: [{ urn: "urn:v1:eu:resource:account:ab12-svc" }]
  permissions: { allow: [{ action: "account:apisvc:iam/resource/tag/*" }] }
- name: test servers
  identities: ["urn:v1:eu:identity:group:ab12-svc/students"]
  resources: [{ urn: "urn:v1:eu:resource:vps:test-1.example" }]
  permissions: { allow: [{ action: "vps:apisvc:reboot" }] }`,
    ],
  },
  check: {
    *policy(policy, context) {
      if (!looksAtTags(context.world)) return
      const exposure = exposureOf(policy, context, ['tagging'])
      if (exposure) yield exposureFinding(exposure, 'keep tagging to those who may grant access')
    },
  },
}

const known = new WeakMap<World, boolean>()

/** Whether some policy has a condition on a tag. */
function looksAtTags(world: World): boolean {
  const looks = (part: Condition): boolean =>
    part.kind === 'match' ? part.test.subject.kind === 'tag' : part.kind !== 'opaque' && part.operands.some(looks)
  const answer = known.get(world) ?? world.policies.some(({ condition }) => condition !== undefined && looks(condition))
  known.set(world, answer)
  return answer
}
