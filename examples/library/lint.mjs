import { lintText } from 'grantwise'

const text = `
name: servers
identities: ["urn:v1:eu:identity:user:ab12-svc/ann"]
resources: [{ urn: "urn:v1:eu:resource:vps:vps-1" }]
permissions: { allow: [{ action: "vps:apisvc:rebooot" }] }
`
const findings = await lintText(text, { path: 'servers.yaml', preset: 'strict', now: Date.now() })
for (const { code, severity, message, help, start } of findings)
  console.log(`${start.line}:${start.column} ${severity} ${code}: ${message}\n  ${help}`)
