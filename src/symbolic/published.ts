import { type Glob, hasInnerWildcard } from '../glob.ts'
import type { PermissionSet, Policy } from '../policy.ts'
import type { Located } from '../source.ts'

/**
 * Entries with a wildcard whose meaning is not published (docs/semantics.md, Names): no proof rests on what they mean
 * (docs/analysis.md, The whole set).
 */
const isOddAction = ({ value }: Located<Glob>) => hasInnerWildcard(value)

export function isOddResource({ value }: Policy['resources'][number]): boolean {
  return value.kind === 'resource' && [value.type, value.name].some((text) => ![-1, text.length - 1].includes(text.indexOf('*')))
}

/** The set without such entries; itself where there is none. */
export function publishedSet(set: PermissionSet): PermissionSet {
  const { allow, except, deny } = set
  if (![allow, except, deny].some((list) => list.some(isOddAction))) return set
  const strip = (list: readonly Located<Glob>[]) => list.filter((entry) => !isOddAction(entry))
  return { allow: strip(allow), except: strip(except), deny: strip(deny) }
}

/** The policy without such entries; itself where there is none. */
export function publishedPolicy(policy: Policy): Policy {
  const permissions = publishedSet(policy.permissions)
  if (permissions === policy.permissions && !policy.resources.some(isOddResource)) return policy
  return { ...policy, permissions, resources: policy.resources.filter((entry) => !isOddResource(entry)) }
}
