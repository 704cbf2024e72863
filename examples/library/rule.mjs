import { lintText } from 'grantwise'

const isDescribed = {
  code: 'acme/describe',
  section: 'document',
  severity: 'warning',
  summary: 'A policy has no description.',
  why: 'A review asks what a policy is for.',
  policy: ({ name, description }) => (description ? [] : [{ span: name.span, message: 'no description', help: 'say what it is for' }]),
}
const permissions = 'permissions: { allow: [{ action: "vps:apisvc:get" }] }'
const text = `identities: ["urn:v1:eu:identity:user:ab/ann"]\nresources: [{ urn: "urn:v1:eu:resource:vps:*" }]\n${permissions}\nname: p`
const findings = await lintText(text, { rules: [isDescribed], now: Date.now() })
for (const { code, message, start } of findings) console.log(`${start.line}:${start.column} ${code}: ${message}`)
