import { glob, overlaps } from '../../glob.ts'
import type { Rule } from '../rule.ts'
import { quote, some } from '../support/text.ts'
import { grantedActions, isWriting } from '../support/verbs.ts'
import { counted } from '../support/words.ts'

/** The parts of the account that control access: policies, identities, keys and login methods. */
const controls = [
  'iam/permissionsGroup/',
  'iam/policy/',
  'iam/resource/',
  'iam/resourceGroup/',
  'me/accessRestriction/',
  'me/api/application/',
  'me/api/credential/',
  'me/api/oauth2/',
  'me/identity/',
  'me/sshKey/',
  'me/subAccount/',
]

export const controlPlaneResource: Rule = {
  code: 'control-plane-resource',
  section: 'resources',
  severity: 'warning',
  preset: 'strict',
  security: 8,
  summary: 'The account as a resource, with actions that control access.',
  why:
    'Anyone who can change policies, users, groups, keys or login methods can give any permission to anybody, including themselves, and ' +
    'remove every other limit in this policy. Keep such grants in a separate policy for few people. The reported actions are those left ' +
    'after `except` and `deny` of the policy.',
  *policy({ resources, permissions: { allow, except, deny }, readOnly }, context) {
    const targets = resources.filter(({ value }) => value.kind === 'resource' && value.type === 'account')
    if (targets.length === 0 || readOnly) return
    const heads = controls.map((path) => `account:api${context.settings.brand}:${path}`)
    const taken = [...except, ...deny].map((entry) => entry.value)
    const actions = new Set<string>()
    let first: (typeof allow)[number] | undefined
    for (const entry of allow) {
      if (!heads.some((head) => overlaps(entry.value, glob(`${head}*`)))) continue
      const writingActions = grantedActions(context, entry.value, taken).filter(
        (action) => isWriting(action) && heads.some((head) => action.startsWith(head)),
      )
      if (writingActions.length > 0) first ??= entry
      for (const action of writingActions) actions.add(action)
    }
    if (!first) return
    for (const { value, span } of targets) {
      yield {
        span,
        message: `${quote(value.text)} with ${counted(actions.size, 'action')} that control access: ${some([...actions], 3)}`,
        help: 'grant only the needed actions, in a separate policy',
        related: [{ message: 'granted here', span: first.span }],
      }
    }
  },
}
