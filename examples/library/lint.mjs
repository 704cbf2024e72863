// Lints a text as `grantwise lint` does, prints the findings, and fixes what can be fixed.
import { defaultSettings, fixFiles, lintFiles, loadCatalogue, position, readSources, sourceOf } from 'grantwise'

const text = `[{
  "name": "servers",
  "identities": ["urn:v1:eu:identity:user:ab12-svc/ann"],
  "resources": [{ "urn": "urn:v1:eu:resource:vps:vps-1" }],
  "permissions": { "allow": [{ "action": "vps:apisvc:rebooot" }] }
}]`

const files = await readSources([{ source: sourceOf('servers.json', text) }], defaultSettings)
const run = { files, catalogue: await loadCatalogue(defaultSettings.brand), now: Date.UTC(2026, 0, 1) }
for (const { code, severity, message, help, span } of lintFiles(run).findings) {
  const { line, column } = position(span.source, span.start)
  console.log(`${span.source.path}:${line}:${column} ${severity} ${code}: ${message}\n  ${help}`)
}

const { changed } = await fixFiles(run, 'suggested')
for (const { after } of changed) console.log(after.source.text.split('\n')[4])
