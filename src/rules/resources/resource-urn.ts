import type { Rule } from '../rule.ts'

export const resourceUrn: Rule = {
  code: 'resource-urn',
  section: 'resources',
  severity: 'error',
  fixes: ['suggested'],
  summary: 'A resource that is not a well-formed resource URN.',
  why:
    'Resources have the form `urn:v1:<region>:resource:<type>:<name>` or `urn:v1:<region>:resourceGroup:<id>`. ' +
    '`urn:v1:<region>:resource:*` is every resource of a region. The service refuses a bare `*`, and a wildcard in the version, region ' +
    'or kind.',
  examples: {
    bad: [
      `
resources:
  - urn: "*"
#         ^ resource-urn`,
      `
resources:
  - urn: urn:v1:*:resource:vps:vps-1.example.net
#               ^ resource-urn`,
      `
resources:
  - urn: urn:v1:eu:ressource:vps:vps-1.example.net
#                  ^^^^^^^^^ resource-urn
  - urn: urn:v1:eu:resource:vps
#                           ^^^ resource-urn`,
    ],
    good: `
resources:
  - urn: urn:v1:eu:resource:vps:vps-1.example.net
  - urn: urn:v1:eu:resource:ip:192.0.2.0/24
  - urn: urn:v1:eu:resourceGroup:0b8f4a52-52bd-4d63-8d0e-63a1f5f0c9b7`,
  },
  check: { reader: true },
}
