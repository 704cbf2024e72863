import { covers, type Glob, glob, matches, overlaps } from '../../glob.ts'
import type { Policy, World } from '../../policy.ts'
import type { Located } from '../../source.ts'
import type { IdentityUrn } from '../../urn/identity.ts'
import { mayGrant } from '../../world.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { spend } from '../support/budget.ts'
import { leavesOf } from '../support/tests.ts'
import { quote } from '../support/text.ts'

/** The actions that change the tags of a resource, after `account:api<brand>:`. */
const tagging = ['iam/resource/tag/add', 'iam/resource/tag/remove', 'iam/resource/edit']

/** How many pairs of identities are compared in one run. */
const mostPairs = 1_000_000

export const selfServiceTag: Rule = {
  code: 'self-service-tag',
  section: 'conditions',
  severity: 'warning',
  preset: 'auditor',
  security: 7,
  precision: 'medium',
  summary: 'A grant that depends on a tag that the same identity can change.',
  why:
    'Whoever can change tags decides where the grant applies, so the tag is not a limit. Let others manage tags, or deny the tagging ' +
    'actions to identities whose permissions depend on tags.',
  *world(context) {
    const { world, settings } = context
    const actions = tagging.map((path) => `account:api${settings.brand}:${path}`)
    const gated = world.policies.flatMap((policy) => {
      const tags = policy.condition ? leavesOf(policy.condition).filter(({ test }) => test.subject.kind === 'tag') : []
      return tags.length > 0 && mayGrant(policy, world) ? [{ policy, tags }] : []
    })
    if (gated.length === 0) return
    const taggers = world.policies.flatMap((policy) => taggerOf(policy, actions, context))
    const sizes = taggers.reduce((sum, { policy }) => sum + policy.identities.length, 0)
    for (const { policy, tags } of gated) {
      if (!spend(context, 'self-service-tag', sizes * policy.identities.length, mostPairs)) return
      const tagger = taggers.find(({ policy: other }) => meet(policy, other, world))
      const [first] = tags
      if (!tagger || !first || deniedTo(policy, actions, world)) continue
      yield {
        span: first.key.span,
        message: `the same identities can change this tag: policy ${quote(tagger.policy.name.value)} allows ${quote(tagger.entry.value.text)}`,
        help: 'let others manage tags, or deny the tagging actions to these identities',
        related: [{ message: 'allows tagging', span: tagger.entry.span }],
      }
    }
  },
}

function taggerOf(
  policy: Policy,
  actions: readonly string[],
  { world }: RuleContext,
): readonly { readonly policy: Policy; readonly entry: Located<Glob> }[] {
  const groups = policy.permissionsGroups.flatMap(({ value }) => world.permissionsGroups.get(value.text)?.permissions ?? [])
  for (const { allow, except } of [policy.permissions, ...groups]) {
    const entry = allow.find(({ value }) =>
      actions.some((action) => matches(value, action) && !except.some((taken) => matches(taken.value, action))),
    )
    if (entry && isAboutAccount(policy)) return [{ policy, entry }]
  }
  return []
}

/** Whether a policy may apply to an account, as tagging actions do. */
function isAboutAccount({ resources }: Policy): boolean {
  return resources.some(({ value }) => value.kind === 'group' || overlaps(value.glob, glob(`urn:v1:${value.region}:resource:account:*`)))
}

/** Whether every identity of a policy is unconditionally denied to tag. */
function deniedTo({ identities }: Policy, actions: readonly string[], { policies }: World): boolean {
  const denies = policies.filter(({ condition, expiresAt }) => !condition && !expiresAt)
  return actions.every((action) =>
    identities.every(({ value }) =>
      denies.some(
        (policy) =>
          isAboutAccount(policy) &&
          policy.permissions.deny.some((entry) => matches(entry.value, action)) &&
          policy.identities.some((identity) => covers(identity.value.glob, value.glob)),
      ),
    ),
  )
}

/** Whether some identity is in both, by its own entries or by a known group. */
function meet(a: Policy, b: Policy, world: World): boolean {
  const reaches = (one: IdentityUrn, other: IdentityUrn) =>
    overlaps(one.glob, other.glob) || (world.identities.get(one.text)?.groups.some((group) => matches(other.glob, group)) ?? false)
  return a.identities.some((one) => b.identities.some((other) => reaches(one.value, other.value) || reaches(other.value, one.value)))
}
