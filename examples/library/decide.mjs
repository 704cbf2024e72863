// Reads one policy from a text, decides one question over it, and prints why.
import { decide, position, readQuestion, readWorld } from 'grantwise'

const text = `
name: website monitor
identities: ["urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef"]
resources: [{ urn: "urn:v1:eu:resource:webHosting:example.org" }]
permissions: { allow: [{ action: "webHosting:apisvc:get" }] }
`

const { world, diagnostics } = await readWorld([{ path: 'policy.yaml', text }])
// If a part was not understood, there is no world to decide over: that part could contain a deny.
if (!world) throw new Error(diagnostics[0].message)

const { question, problems } = readQuestion(
  'urn:v1:eu:identity:credential:ab12-svc/oauth2-0123456789abcdef',
  'webHosting:apisvc:get',
  'urn:v1:eu:resource:webHosting:example.org',
  { at: Date.UTC(2026, 0, 1) },
)
if (!question) throw new Error(problems[0].message)

const { verdict, reason, clauses } = decide(world, question)
console.log(verdict, reason)
for (const { entry, policy } of clauses) {
  const { line, column } = position(entry.span.source, entry.span.start)
  console.log(`line ${line}, column ${column} of ${policy.name.value}: ${entry.value.text}`)
}
