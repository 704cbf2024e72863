import type { Rule } from '../rule.ts'

export const identityUrn: Rule = {
  code: 'identity-urn',
  section: 'identities',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'An identity that is not a well-formed identity URN.',
  why:
    'Identities have the form `urn:v1:<region>:identity:<kind>:<id>`. The kinds are `account` (`<account_id>`), `user` ' +
    '(`<account_id>/<login>`), `group` (`<account_id>/<group>`) and `credential`, a service account ' +
    '(`<account_id>/oauth2-<client_id>`). A `*` is only allowed at the end of the id. Anything else is refused or applies to nobody.',
  examples: {
    bad: [
      `
identities: ["urn:v1:eu:identity:usr:ab12-svc/ann"]
#                                ^^^ identity-urn`,
      `
identities:
  - urn:v1:eu:resource:vps:vps-1.example.net
#             ^^^^^^^^ identity-urn
  - ab12-svc/ann
#   ^^^^^^^^^^^^ identity-urn`,
      `
identities: ["urn:v1:eu:identity:account:ab12-svc/ann"]
#                                                ^^^^ identity-urn`,
    ],
    good: `
identities:
  - urn:v1:eu:identity:account:ab12-svc
  - urn:v1:eu:identity:user:ab12-svc/ann
  - urn:v1:eu:identity:group:ab12-svc/read only
  - urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef`,
  },
  check: { reader: true },
}
