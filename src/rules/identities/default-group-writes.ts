import type { Glob } from '../../glob.ts'
import type { Policy } from '../../policy.ts'
import type { Located } from '../../source.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { textsOption } from '../support/options.ts'
import { quote, some } from '../support/text.ts'
import { grantedActions, isWriting } from '../support/verbs.ts'

const code = 'default-group-writes'

export const defaultGroupWrites: Rule = {
  code,
  section: 'identities',
  severity: 'warning',
  preset: 'auditor',
  security: 6,
  summary: 'A group that every user belongs to may change something.',
  why:
    'Every new user is in the default groups immediately, so this grants to everyone, now and later. Limit default groups to reading, ' +
    'and grant changes to groups with deliberate membership.',
  options: [{ name: 'groups', type: 'texts', text: 'names or URNs of the groups that every user belongs to', required: true }],
  *policy(policy, context) {
    const groups = textsOption(context, code, 'groups')
    const named = policy.identities.filter(
      ({ value }) => value.kind === 'group' && groups?.some((group) => group === value.name || group === value.text),
    )
    if (named.length === 0) return
    const write = firstWrite(policy, context)
    if (!write) return
    for (const { value, span } of named) {
      yield {
        span,
        message: `this grants ${some(write.actions, 2)} to every user: all are in ${quote(value.name)}`,
        help: 'grant it to a group with deliberate membership',
        related: [{ message: 'granted here', span: write.entry.span }],
      }
    }
  },
}

/** The first entry that grants a change, after the policy's own `except` and `deny`. */
function firstWrite(
  policy: Policy,
  context: RuleContext,
): { readonly entry: Located<Glob>; readonly actions: readonly string[] } | undefined {
  const denies = policy.permissions.deny
  const groups = policy.permissionsGroups.flatMap(({ value }) => context.world.permissionsGroups.get(value.text)?.permissions ?? [])
  for (const { allow, except } of [policy.permissions, ...groups]) {
    const taken = [...except, ...denies].map((entry) => entry.value)
    for (const entry of allow) {
      const actions = grantedActions(context, entry.value, taken).filter(isWriting)
      if (actions.length > 0) return { entry, actions }
    }
  }
  return undefined
}
