import { pushTo } from '../collections.ts'
import type { Condition, Policy } from '../policy.ts'
import type { Facts, ResourceFact } from './policy.ts'

type Tags = ReadonlyMap<string, string>

/**
 * Sources with the tags that configurations give to resources as facts. A configuration says which tags it manages, and leaves others
 * as they are: where a condition of the policies looks at another one, the tags of that resource are not known. A world file may list
 * more of them.
 */
export function withConfiguredTags(parts: readonly Facts[], policies: readonly Policy[]): readonly Facts[] {
  const managed = new Map<string, Tags[]>()
  const listed = new Map<string, Tags>()
  for (const { settle, resources } of parts)
    for (const resource of resources) {
      const { urn, tags } = resource
      if (!tags) continue
      if (settle && !resource.mentioned) pushTo(managed, urn.value, tags)
      else listed.set(urn.value, tags)
    }
  if (managed.size === 0) return parts
  const keys = new Set(policies.flatMap(({ condition }) => (condition ? tagKeysIn(condition) : [])))
  const settledResource = (resource: ResourceFact): ResourceFact => {
    const { tags: ownTags, ...untagged } = resource
    if (!ownTags || resource.mentioned) return resource
    const tags = together(managed.get(resource.urn.value) as readonly Tags[])
    const others = listed.get(resource.urn.value)
    // A contradiction is left as it is, and reported.
    if (!tags || (others && !isAmong(tags, others))) return resource
    return others || [...keys].some((key) => !tags.has(key)) ? untagged : { ...resource, tags }
  }
  return parts.map((part) => (part.settle ? { ...part, resources: part.resources.map(settledResource) } : part))
}

/** All tags of some lists; undefined where two give one key different values. */
function together(lists: readonly Tags[]): Tags | undefined {
  const all = new Map(lists.flatMap((tags) => [...tags]))
  return lists.every((tags) => isAmong(tags, all)) ? all : undefined
}

function isAmong(tags: Tags, others: Tags): boolean {
  return [...tags].every(([key, value]) => others.get(key) === value)
}

/** The keys of the tags that a condition looks at. */
function tagKeysIn(condition: Condition): readonly string[] {
  if (condition.kind === 'opaque') return []
  if (condition.kind !== 'match') return condition.operands.flatMap(tagKeysIn)
  const { subject } = condition.test
  return subject.kind === 'tag' ? [subject.parameter] : []
}
