import type { Rule } from '../rule.ts'

export const syntax: Rule = {
  code: 'syntax',
  section: 'document',
  severity: 'error',
  fixes: ['safe'],
  summary: 'A file that is not well-formed JSON or YAML, or that says one thing twice.',
  why:
    'What cannot be read may hold the entry that matters, so no decision is made over it. JSON files are read by the letter of the standard ' +
    '(no comments, no trailing commas), YAML files without anchors, tags and merge keys, which hide what a policy says. A key that is given ' +
    'twice is an error too: other parsers silently keep the last one, and a `deny` can vanish that way. In YAML, quote what starts with `*`.',
  examples: {
    bad: [
      `
permissions:
  allow:
    - action: *
#             ^ syntax`,
      `
{
  "name": "web readers",
  "identities": ["urn:v1:eu:identity:user:ab12-svc/ann"],
  "resources": [{ "urn": "urn:v1:eu:resource:vps:*" }],
  "permissions": {
    "deny": [{ "action": "vps:apisvc:terminate" }],
    "deny": [{ "action": "vps:apisvc:reinstall" }]
#   ^^^^^^ syntax
  }
}`,
    ],
    good: [
      `
permissions:
  deny:
    - action: "*"`,
      `
{
  "name": "web readers",
  "identities": ["urn:v1:eu:identity:user:ab12-svc/ann"],
  "resources": [{ "urn": "urn:v1:eu:resource:vps:*" }],
  "permissions": {
    "deny": [{ "action": "vps:apisvc:terminate" }, { "action": "vps:apisvc:reinstall" }]
  }
}`,
    ],
  },
  check: { reader: true },
}
