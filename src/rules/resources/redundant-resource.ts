import type { Rule } from '../rule.ts'
import { coverers } from '../support/cover.ts'
import { removal } from '../support/fixes.ts'
import { quote } from '../support/text.ts'
import { oddWildcard } from '../support/wildcards.ts'
import { nodeAt } from '../support/written.ts'

export const redundantResource: Rule = {
  code: 'redundant-resource',
  section: 'resources',
  severity: 'info',
  fixes: ['safe'],
  summary: 'A resource that another entry of the same policy covers.',
  why:
    'The entry changes nothing, and removing it later will not take the access away: the other entry still gives it. Remove it, or narrow the ' +
    'wider one if it is wider than meant.',
  examples: {
    bad: [
      `
resources:
  - urn: urn:v1:eu:resource:vps:vps-1.example.net
#        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-resource
  - urn: urn:v1:eu:resource:vps:*`,
    ],
    good: [
      `
resources:
  - urn: urn:v1:eu:resource:vps:vps-1.example.net
  - urn: urn:v1:ca:resource:vps:vps-1.example.net
  - urn: urn:v1:eu:resource:vps:vps-2*
identities: ["urn:v1:eu:identity:user:ab12-svc/ann", "urn:v1:ca:identity:user:cd34-svc/ann"]`,
    ],
  },
  check: {
    *policy({ resources, node }) {
      const by = coverers(resources.map((resource) => resource.value.glob))
      if (by.length === 0) return
      for (const [i, resource] of resources.entries()) {
        const other = resources[by[i] ?? -1]
        if (!other) continue
        const same = other.value.text === resource.value.text
        // What is plain must not come to rest on a wildcard whose meaning is not published.
        const isSure = same || oddWildcard(other.value) === undefined
        yield {
          span: resource.span,
          message: same
            ? `${quote(resource.value.text)} is listed twice`
            : `${quote(resource.value.text)} is covered by ${quote(other.value.text)}`,
          help: 'remove it: it changes nothing',
          related: [{ message: same ? 'the first one' : 'the wider entry', span: other.span }],
          ...removal(nodeAt(node, 'resources'), [resource.span], isSure),
        }
      }
    },
  },
}
