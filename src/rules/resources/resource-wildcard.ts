import type { Rule } from '../rule.ts'
import { insideUrn } from '../support/conditions.ts'
import { replacement } from '../support/fixes.ts'
import { quote } from '../support/text.ts'
import { oddWildcard } from '../support/wildcards.ts'

export const resourceWildcard: Rule = {
  code: 'resource-wildcard',
  section: 'resources',
  severity: 'warning',
  fixes: ['suggested'],
  summary: 'A `*` in a position of a resource URN where its meaning is not documented.',
  why:
    'A `*` may stand for the whole type or the whole name, or end a name; in a resource group it may only stand for every group. In ' +
    'other positions its meaning is not documented. Here, it matches any characters, which may be more or less than what the service ' +
    'matches.',
  needs: 'resourcePattern',
  *policy({ resources }) {
    for (const urn of resources) {
      const wildcardIndex = oddWildcard(urn.value)
      if (wildcardIndex === undefined) continue
      const likely = urn.value.kind === 'resource' && urn.value.name === '' ? urn.value.text.replace(/\*+$/, ':*') : undefined
      yield {
        span: insideUrn(urn, wildcardIndex, wildcardIndex + 1),
        message: 'the meaning of a `*` in this position is not documented: it is assumed to match any characters',
        help:
          likely !== undefined
            ? `write ${quote(likely)} for every resource of the type`
            : urn.value.kind === 'group'
              ? 'name the resource groups one by one'
              : 'use the wildcard at the end of the name or as the whole type, or list the resources',
        ...replacement(urn.span, likely, false),
      }
    }
  },
}
