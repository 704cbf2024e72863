// Fixes what can be fixed in a text, as `grantwise lint --fix-suggested` does.
import { defaultSettings, fixFiles, loadCatalogue, readSources, sourceOf } from 'grantwise'

const text = `[{
  "name": "servers",
  "identities": ["urn:v1:eu:identity:user:ab12-svc/ann"],
  "resources": [{ "urn": "urn:v1:eu:resource:vps:vps-1" }],
  "permissions": { "allow": [{ "action": "vps:apisvc:rebooot" }] }
}]`

const files = await readSources([{ source: sourceOf('servers.json', text) }], defaultSettings)
const run = { files, catalogue: await loadCatalogue(defaultSettings.brand), now: Date.UTC(2026, 0, 1) }
const { changed } = await fixFiles(run, 'suggested')
for (const { after } of changed) console.log(after.source.text.split('\n')[4])
