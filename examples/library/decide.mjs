import { decide, position, readQuestion, readWorld } from 'grantwise'

const text = `name: website monitor
identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
resources: [{ urn: "urn:v1:eu:resource:webHosting:*" }]
permissions: { allow: [{ action: "webHosting:apisvc:get" }] }`
const asked = ['urn:v1:eu:identity:user:ab12-svc/ann', 'webHosting:apisvc:get', 'urn:v1:eu:resource:webHosting:example.org']
const { world, diagnostics } = await readWorld([{ path: 'policy.yaml', text }])
const { question, problems } = readQuestion(...asked, { at: Date.UTC(2026, 0, 1) })
if (!world || !question) throw new Error([...diagnostics, ...problems][0].message)
const { verdict, reason, clauses } = decide(world, question)
console.log(verdict, reason)
for (const { entry, policy } of clauses)
  console.log(`line ${position(entry.span.source, entry.span.start).line} of ${policy.name.value}: ${entry.value.text}`)
