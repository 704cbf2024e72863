import type { Rule } from '../rule.ts'
import { redundantEntries } from '../support/cover.ts'
import { removal } from '../support/fixes.ts'
import { nodeAt } from '../support/written.ts'

export const redundantIdentity: Rule = {
  code: 'redundant-identity',
  section: 'identities',
  severity: 'info',
  fixes: ['safe'],
  summary: 'An identity that is covered by another entry of the same policy.',
  why:
    'The entry has no effect, and removing it later will not remove the access, because the other entry still gives it. Remove it, or ' +
    'narrow the wider entry if it is too wide.',
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
    good: `
identities: ["urn:v1:eu:identity:user:ab12-svc/ann", "urn:v1:eu:identity:user:cd34-svc/ann", "urn:v1:eu:identity:group:ab12-svc/ann"]`,
  },
  check: {
    policy: ({ identities, node }) =>
      redundantEntries(
        identities,
        ({ glob }) => glob,
        'the wider entry',
        ({ span }) => removal(nodeAt(node, 'identities'), [span], true),
      ),
  },
}
