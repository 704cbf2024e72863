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
  summary: 'A `*` in a place of a resource URN where its meaning is not published.',
  why:
    'A `*` may stand for a whole type, for a whole name, or end a name; in a resource group it may only stand for every group. What the ' +
    'service makes of one elsewhere is not published: it is evaluated here as any run of characters, which may be more or less than the service does.',
  examples: {
    bad: [
      `
resources:
  - urn: urn:v1:eu:resource:vps*
#                              ^ resource-wildcard`,
      `
resources:
  - urn: urn:v1:eu:resource:domain:*.example.org
#                                  ^ resource-wildcard
  - urn: urn:v1:eu:resourceGroup:prod-*
#                                     ^ resource-wildcard`,
    ],
    good: [
      `
resources:
  - urn: urn:v1:eu:resource:vps:*
  - urn: urn:v1:eu:resource:webHosting:prod-*
  - urn: urn:v1:ca:resource:*
  - urn: urn:v1:eu:resourceGroup:*
identities: ["urn:v1:eu:identity:user:ab12-svc/ann", "urn:v1:ca:identity:user:cd34-svc/ann"]`,
    ],
  },
  check: {
    *policy({ resources }) {
      for (const urn of resources) {
        const at = oddWildcard(urn.value)
        if (at === undefined) continue
        const likely = urn.value.kind === 'resource' && urn.value.name === '' ? urn.value.text.replace(/\*+$/, ':*') : undefined
        yield {
          span: insideUrn(urn, at, at + 1),
          message: 'the meaning of a `*` in this place is not published: it is taken here for any run of characters',
          help:
            likely !== undefined
              ? `write ${quote(likely)} for every resource of the type`
              : urn.value.kind === 'group'
                ? 'name the resource groups one by one'
                : 'let the wildcard end the name or stand for the whole type, or list the resources',
          ...replacement(urn.span, likely, false),
        }
      }
    },
  },
}
