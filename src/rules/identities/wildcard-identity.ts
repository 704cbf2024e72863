import { isPattern } from '../../glob.ts'
import type { Policy, World } from '../../policy.ts'
import type { IdentityUrn } from '../../urn/identity.ts'
import type { Rule } from '../rule.ts'
import { quote } from '../support/text.ts'

export const wildcardIdentity: Rule = {
  code: 'wildcard-identity',
  section: 'identities',
  severity: 'warning',
  summary: 'A grant to every identity that matches a pattern, including future ones.',
  why:
    'Anyone who gets a matching name in the future gets the permissions, so creating a user is enough to gain access. Name the ' +
    'identities, or use a group with deliberate membership. Policies that only deny are not reported, because there a wildcard is the ' +
    'safe choice.',
  needs: 'mayBeOdd',
  *policy(policy, { world }) {
    if (!mayGrant(policy, world)) return
    for (const { value, span } of policy.identities) {
      if (!isPattern(value.glob)) continue
      yield {
        span,
        message: `this grants to ${whom(value)}, including those created later`,
        help: 'name the identities, or grant to a group with deliberate membership',
      }
    }
  },
}

const plurals: Readonly<Record<IdentityUrn['kind'], string>> = {
  account: 'account',
  user: 'user',
  group: 'group',
  credential: 'service account',
}

function whom({ kind, account, name }: IdentityUrn): string {
  const start = name.slice(0, -1)
  if (account === undefined) {
    const whose = start === '' ? 'every account' : `every account whose id starts with ${quote(start)}`
    return kind === 'account' ? whose : `every ${plurals[kind]} of ${whose}`
  }
  return `every ${plurals[kind]} of account ${quote(account)}${start === '' ? '' : ` whose name starts with ${quote(start)}`}`
}

function mayGrant({ permissions, permissionsGroups }: Policy, world: World): boolean {
  if (permissions.allow.length > 0) return true
  return permissionsGroups.some(({ value }) => world.permissionsGroups.get(value.text)?.permissions.allow.length !== 0)
}
