import type { Rule } from '../rule.ts'
import { countWritten, keyNode } from '../support/written.ts'

export const noPermissions: Rule = {
  code: 'no-permissions',
  section: 'document',
  // A part that could not be read may be what allows or denies.
  whole: true,
  severity: 'warning',
  summary: 'A policy that neither allows nor denies anything.',
  why:
    'Without an `allow` or `deny` entry or a permissions group, a policy has no effect. An `except` list has no effect on its own, ' +
    'because it only subtracts from the `allow` list. Add what the policy should allow or deny, or delete it.',
  needs: 'mayBeOdd',
  *policy({ name, node }) {
    if (['allow', 'deny'].some((list) => countWritten(node, 'permissions', list) > 0) || countWritten(node, 'permissionsGroups') > 0) return
    const onlyExcept = countWritten(node, 'permissions', 'except') > 0
    yield {
      span: keyNode(node, 'permissions') ?? name.span,
      message: onlyExcept
        ? 'the policy has no effect: `except` subtracts from `allow`, which is missing'
        : 'the policy has no effect: it neither allows nor denies anything',
      help: onlyExcept
        ? 'use `deny` to deny the actions regardless of other policies'
        : 'add `allow` or `deny` entries or a permissions group, or delete the policy',
    }
  },
}
