import { isPattern } from '../glob.ts'
import type { Policy } from '../policy.ts'
import { publishedSet } from '../world.ts'

/** Whether a resource has a wildcard whose meaning is not published (docs/semantics.md, Names): no proof rests on what it means. */
export function isOddResource({ value }: Policy['resources'][number]): boolean {
  return (
    value.kind === 'resource' &&
    isPattern(value.glob) &&
    [value.type, value.name].some((text) => ![-1, text.length - 1].includes(text.indexOf('*')))
  )
}

/** The policy without such entries; itself where there is none. */
export function publishedPolicy(policy: Policy): Policy {
  const permissions = publishedSet(policy.permissions)
  if (permissions === policy.permissions && !policy.resources.some(isOddResource)) return policy
  return { ...policy, permissions, resources: policy.resources.filter((entry) => !isOddResource(entry)) }
}
