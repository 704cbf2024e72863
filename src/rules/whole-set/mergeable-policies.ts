import { compareText } from '../../diagnostic.ts'
import type { Policy } from '../../policy.ts'
import { formulaOf, printFormula } from '../../symbolic/formula.ts'
import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'
import { isJudged, verdicts } from '../support/verdicts.ts'

export const mergeablePolicies: Rule = {
  code: 'mergeable-policies',
  section: 'whole set',
  severity: 'info',
  preset: 'auditor',
  precision: 'very-high',
  summary: 'Two policies that differ in one list only, and could be one.',
  why:
    'With that list joined the two become one policy, and nobody gains or loses anything: what an entry of the list grants depends on the other ' +
    'lists alone, and these are the same. `except` lists are never joined, since there more entries mean less access.',
  examples: {
    bad: [
      `
- name: ann restarts servers
  identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { allow: [{ action: "vps:apisvc:reboot" }, { action: "vps:apisvc:start" }] }
- name: bob restarts servers
#       ^^^^^^^^^^^^^^^^^^^^ mergeable-policies
  identities: ["urn:v1:eu:identity:user:ab12-svc/bob"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { allow: [{ action: "vps:apisvc:start" }, { action: "vps:apisvc:reboot" }] }`,
    ],
    good: [
      `
- name: ann restarts servers
  identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
  resources: [{ urn: "urn:v1:eu:resource:vps:*" }]
  permissions: { allow: [{ action: "vps:apisvc:reboot" }] }
- name: bob restarts servers
  identities: ["urn:v1:eu:identity:user:ab12-svc/bob"]
  resources: [{ urn: "urn:v1:eu:resource:vps:vps-5b1d.example" }]
  permissions: { allow: [{ action: "vps:apisvc:reboot" }] }`,
    ],
  },
  check: {
    *world(context) {
      const found = verdicts(context)
      const partners = new Map<string, Policy>()
      for (const policy of context.world.policies) {
        if (!isJudged(policy, context) || found.has(policy)) continue
        const parts = partsOf(policy)
        for (const list of lists) {
          const key = JSON.stringify([list, parts.map(({ name, text }) => (name === list ? '' : text))])
          const other = partners.get(key)
          if (!other) {
            partners.set(key, policy)
            continue
          }
          yield {
            span: policy.name.span,
            message: `this policy differs from ${quote(other.name.value)} only in its ${words[list]}`,
            help: `put the ${words[list]} of both into one policy: nobody gains or loses anything`,
            related: [{ message: 'the other one', span: other.name.span }],
          }
          break
        }
      }
    },
  },
}

const lists = ['identities', 'resources', 'allow', 'deny', 'permissionsGroups'] as const
const words = {
  identities: 'identities',
  resources: 'resources',
  allow: '`allow` list',
  deny: '`deny` list',
  permissionsGroups: 'permissions groups',
} as const

/** What a policy consists of, each part as a text that is the same for the same entries in any order. */
function partsOf(policy: Policy): readonly { readonly name: string; readonly text: string }[] {
  const { identities, resources, permissions, permissionsGroups, condition, expiresAt, owner } = policy
  const texts = (list: readonly { readonly value: { readonly text: string } }[]) =>
    JSON.stringify([...new Set(list.map(({ value }) => value.text))].sort(compareText))
  return [
    { name: 'identities', text: texts(identities) },
    { name: 'resources', text: texts(resources) },
    { name: 'allow', text: texts(permissions.allow) },
    { name: 'except', text: texts(permissions.except) },
    { name: 'deny', text: texts(permissions.deny) },
    { name: 'permissionsGroups', text: texts(permissionsGroups) },
    { name: 'condition', text: condition ? printFormula(formulaOf(condition, (test) => ({ kind: 'test', test }))) : '' },
    { name: 'expiry', text: String(expiresAt?.value ?? '') },
    { name: 'owner', text: owner ?? '' },
  ]
}
