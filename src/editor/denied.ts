import { covers, type Glob, hasInnerWildcard, matches } from '../glob.ts'
import type { Policy } from '../policy.ts'
import type { Workspace } from './model.ts'

/**
 * The policy by which an allow entry grants nothing: it denies all of the entry, to all identities of its policy, on all of its
 * resources, without a condition and for at least as long. Several that do so only together are not looked for.
 */
export function deniedBy({ world, denying }: Pick<Workspace, 'world' | 'denying'>, policy: Policy, entry: Glob): Policy | undefined {
  const groupsOf = (urn: string) => world.identities.get(urn)?.groups ?? []
  return denying.find((other) => {
    const { identities, resources, permissions, expiresAt } = other
    if (expiresAt && expiresAt.value < (policy.expiresAt?.value ?? Number.POSITIVE_INFINITY)) return false
    if (!permissions.deny.some(({ value }) => !hasInnerWildcard(value) && covers(value, entry))) return false
    const isAll =
      policy.identities.length > 0 &&
      policy.identities.every(
        // An owning account cannot be denied anything.
        ({ value }) =>
          value.kind !== 'account' &&
          identities.some(
            (each) => covers(each.value.glob, value.glob) || groupsOf(value.text).some((group) => matches(each.value.glob, group)),
          ),
      )
    return (
      isAll &&
      policy.resources.every(({ value }) => resources.some((each) => each.value.kind === value.kind && covers(each.value.glob, value.glob)))
    )
  })
}

/** The policies that deny something without a condition, and are wholly known. */
export function denyingIn(policies: readonly Policy[]): readonly Policy[] {
  return policies.filter(({ permissions, condition, open, perhaps }) => permissions.deny.length > 0 && !condition && !open && !perhaps)
}
