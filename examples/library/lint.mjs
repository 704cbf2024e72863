// Lints a text with the recommended rules and prints the findings.
import { defaultSettings, lint, loadCatalogue, position, readWorld, ruleContext, rules } from 'grantwise'

const text = `[{
  "name": "servers",
  "identities": ["urn:v1:eu:identity:user:ab12-svc/ann"],
  "resources": [{ "urn": "urn:v1:eu:resource:vps:vps-1" }],
  "permissions": { "allow": [{ "action": "vps:apisvc:rebooot" }] }
}]`

const { world, diagnostics } = await readWorld([{ path: 'servers.json', text }])
if (!world) throw new Error(diagnostics[0].message)
const catalogue = await loadCatalogue(defaultSettings.brand)
const context = ruleContext({ world, catalogue, settings: defaultSettings, now: Date.UTC(2026, 0, 1) })
for (const { code, severity, message, help, span } of lint(rules, context, diagnostics)) {
  const { line, column } = position(span.source, span.start)
  console.log(`${span.source.path}:${line}:${column} ${severity} ${code}: ${message}\n  ${help}`)
}
