import type { Policy } from '../../policy.ts'
import { field, type MapNode } from '../../tree.ts'
import type { Rule, RuleContext } from '../rule.ts'
import { removalOfEntries } from '../support/fixes.ts'
import { some } from '../support/text.ts'
import { keyNode } from '../support/written.ts'

const fields = ['id', 'owner', 'readOnly', 'createdAt', 'updatedAt'] as const

export const serverField: Rule = {
  code: 'server-field',
  section: 'document',
  severity: 'info',
  fixes: ['safe'],
  summary: 'A field that only the service sets.',
  why:
    'The service sets `id`, `owner`, `readOnly`, `createdAt` and `updatedAt`. In policies kept as source files they have no effect, ' +
    'become outdated, and make a copy look like the original. Files that are evidently listings made by the service (several policies ' +
    'with an `id`, or one managed by the service) are not reported.',
  *world(context) {
    const withFields = context.world.policies.filter(
      (policy) => !context.summaryOf(policy) && !policy.readOnly && fields.some((name) => keyNode(policy.node, name)),
    )
    if (withFields.length === 0) return
    const listings = sourcesOfListings(context)
    for (const { node, span } of withFields) {
      if (listings.has(span.source)) continue
      const keys = fields.flatMap((name) => keyNode(node, name) ?? []).sort((a, b) => a.start - b.start)
      const [first, ...others] = keys
      if (!first) continue
      const are = others.length > 0 ? 'are' : 'is'
      yield {
        span: first,
        message: `${some(
          keys.map((key) => key.value),
          5,
        )} ${are} set by the service and ${others.length > 0 ? 'say' : 'says'} nothing in a source file`,
        help: `remove ${others.length > 0 ? 'them' : 'it'}`,
        ...removalOfEntries(
          node,
          keys.map((key) => key.value),
          true,
          `remove ${others.length > 0 ? 'them' : 'it'}`,
        ),
        ...(others.length > 0 && { related: others.map((span) => ({ message: 'set by the service too', span })) }),
      }
    }
  },
}

/**
 * The files that the service wrote: with its own policy, with an id on more than one policy, or with facts of a resource next to
 * its URN.
 */
function sourcesOfListings({ world: { policies }, keep }: RuleContext): ReadonlySet<unknown> {
  const withId = new Map<unknown, number>()
  for (const policy of policies) withId.set(policy.span.source, (withId.get(policy.span.source) ?? 0) + keep(weight, policy))
  return new Set([...withId].filter(([, count]) => count > 1).map(([source]) => source))
}

function weight({ readOnly, node }: Policy): number {
  return readOnly || isExpanded(node) ? 2 : keyNode(node, 'id') ? 1 : 0
}

function isExpanded(policy: MapNode): boolean {
  const resources = field(policy, 'resources')
  return (
    resources?.kind === 'list' &&
    resources.items.some((item) => item.kind === 'map' && (field(item, 'resource') ?? field(item, 'group')) !== undefined)
  )
}
