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
  reader: true,
}
