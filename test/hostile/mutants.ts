/** Texts of real shape to start from, and small harms done to them: the same ones for the same seed. */

export const policyTexts: { readonly json: readonly string[]; readonly yaml: readonly string[] } = {
  json: [
    `{
  "name": "web readers",
  "description": "may look, not touch é",
  "identities": ["urn:v1:eu:identity:user:ab12-svc/ann", "urn:v1:eu:identity:group:ab12-svc/ops"],
  "resources": [{ "urn": "urn:v1:eu:resource:webHosting:*" }],
  "permissions": {
    "allow": [{ "action": "webHosting:apisvc:*" }, { "action": "*get" }],
    "except": [{ "action": "webHosting:apisvc:delete" }],
    "deny": [{ "action": "webHosting:apisvc:user/delete" }]
  },
  "conditions": { "operator": "AND", "conditions": [{ "operator": "MATCH", "values": { "request.IP.IN_RANGE": "10.0.0.0/8" } }] },
  "expiredAt": null
}
`,
    '{"policies":[{"name":"a\\u00e9\\n","identities":[],"resources":[],"permissions":{"allow":[]},"readOnly":true,"n":-1.5e3}]}',
    '[[],{},[{}],"",0,-0.5,true,false,null,{"a":{"b":[1,2,3]}}]',
  ],
  yaml: [
    `# who may look
name: web readers
description: "may look, not touch é"
identities:
  - urn:v1:eu:identity:user:ab12-svc/ann
  - 'urn:v1:eu:identity:group:ab12-svc/the ''ops'''
resources:
- urn: urn:v1:eu:resource:webHosting:*   # everything
permissions:
  allow:
    - action: webHosting:apisvc:*
    - { action: "*get" }
  except: [{action: webHosting:apisvc:delete}]
  deny:
  -
    action: webHosting:apisvc:user/delete
conditions: {operator: AND, conditions: [
  {operator: MATCH, values: {request.IP.IN_RANGE: 10.0.0.0/8}}
  ]}
expiredAt: ~
`,
    `---
name: one
readOnly: true
level: 3
tags: {env: prod, "a b": 'c'}
---
- a
- - b
  - c: 1
    d: null
- [x, "y", 'z', [], {}]
...
`,
    `policies:
  - name: a
    permissions:
      allow: []
      deny:
        - action: |
            folded
            text
        - action: >-
            more
  - name: &anchor b
    other: *anchor
    ? key
    : !tag value
`,
  ],
}

/** A small generator of pseudo-random numbers below a bound (mulberry32). */
export function randoms(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below)
  }
}

const harmful = [
  ...'{}[]:,"\'\\/#*&!|>-?%@` \t\n\r0aé\0\u00a0\u200b\u202e\ufeff\ud800',
  '\r\n',
  '---\n',
  '...\n',
  '  ',
  ': ',
  '- ',
  ' #',
  '\\u',
  '<<',
  '~',
  '""',
  "''",
  '\n\n',
]

/** `count` texts, each a base text with one to three pieces deleted, doubled, swapped, moved or put in. */
export function* mutants(bases: readonly string[], count: number, seed: number): Generator<string> {
  const random = randoms(seed)
  for (let n = 0; n < count; n++) {
    let text = bases[random(bases.length)] as string
    for (let times = random(3); times >= 0; times--) {
      const at = random(text.length + 1)
      const length = random(4) === 0 ? random(40) : 1
      const piece = text.slice(at, at + length)
      const rest = text.slice(at + length)
      switch (random(5)) {
        case 0:
          text = text.slice(0, at) + rest
          break
        case 1:
          text = text.slice(0, at) + piece + piece + rest
          break
        case 2:
          text = text.slice(0, at) + harmful[random(harmful.length)] + text.slice(at)
          break
        case 3:
          text = text.slice(0, at) + harmful[random(harmful.length)] + rest
          break
        default: {
          const to = random(text.length + 1)
          text = text.slice(0, to) + piece + text.slice(to)
        }
      }
    }
    yield text
  }
}
