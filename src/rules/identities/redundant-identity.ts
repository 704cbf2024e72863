import type { Rule } from '../rule.ts'
import { coverers } from '../support/cover.ts'
import { removal } from '../support/fixes.ts'
import { quote } from '../support/text.ts'
import { nodeAt } from '../support/written.ts'

export const redundantIdentity: Rule = {
  code: 'redundant-identity',
  section: 'identities',
  severity: 'info',
  fixes: ['safe'],
  summary: 'An identity that another entry of the same policy covers.',
  why:
    'The entry changes nothing, and removing it later will not take the access away: the other entry still gives it. Remove it, or narrow the ' +
    'wider one if it is wider than meant.',
  examples: {
    bad: [
      `
identities:
  - urn:v1:eu:identity:group:ab12-svc/web
  - urn:v1:eu:identity:group:ab12-svc/web
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-identity`,
      `
identities:
  - urn:v1:eu:identity:user:ab12-svc/ann
#   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ redundant-identity
  - urn:v1:eu:identity:user:ab12-svc/*
permissions: { deny: [{ action: "vps:apisvc:terminate" }] }`,
    ],
    good: [
      `
identities: ["urn:v1:eu:identity:user:ab12-svc/ann", "urn:v1:eu:identity:user:cd34-svc/ann", "urn:v1:eu:identity:group:ab12-svc/ann"]`,
    ],
  },
  check: {
    *policy({ identities, node }) {
      const by = coverers(identities.map((identity) => identity.value.glob))
      if (by.length === 0) return
      for (const [i, identity] of identities.entries()) {
        const other = identities[by[i] ?? -1]
        if (!other) continue
        const same = other.value.text === identity.value.text
        yield {
          span: identity.span,
          message: same
            ? `${quote(identity.value.text)} is listed twice`
            : `${quote(identity.value.text)} is covered by ${quote(other.value.text)}`,
          help: 'remove it: it changes nothing',
          related: [{ message: same ? 'the first one' : 'the wider entry', span: other.span }],
          ...removal(nodeAt(node, 'identities'), [identity.span], true),
        }
      }
    },
  },
}
