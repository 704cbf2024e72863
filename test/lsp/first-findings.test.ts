import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Diagnostic } from 'vscode-languageserver'
import { type Analyser, Analysis } from '../../src/lsp/analysis.ts'
import { until } from '../support/patience.ts'
import { type Client, inProcess, uriOf } from './client.ts'

const policy = (action: string, group: string) => `name: operators
identities: ["urn:v1:eu:identity:user:ab12-svc/bob"]
resources: [{ urn: "urn:v1:eu:resource:vps:web-1" }]
permissions: { allow: [{ action: ${action} }] }
permissionsGroups: [{ urn: "urn:v1:eu:permissionsGroup:ab12-svc:${group}" }]
`
const groups = `policies: []
permissionsGroups:
  - urn: urn:v1:eu:permissionsGroup:ab12-svc:server-care
    permissions: { allow: [{ action: vps:apisvc:get }] }
`

/** A client of a folder whose analysis waits until it is let go. */
function held(file: string): { readonly folder: string; readonly client: Client; readonly release: () => void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-first-')))
  writeFileSync(join(folder, 'policy.yaml'), file)
  writeFileSync(join(folder, 'groups.yaml'), groups)
  writeFileSync(join(folder, 'a.yaml'), policy('vps:apisvc:get', 'server-care'))
  let release = () => {}
  const gate = new Promise<void>((done) => {
    release = done
  })
  const client = inProcess(
    folder,
    () => Date.UTC(2026, 5, 1),
    (host): Analyser => {
      const analysis = new Analysis(host)
      return {
        setUp: (encoding, folders) => analysis.setUp(encoding, folders),
        put: (texts) => analysis.put(texts),
        drop: (uris) => analysis.drop(uris),
        lint: async () => {
          await gate
          return analysis.lint()
        },
        close: () => {},
      }
    },
  )
  return { folder, client, release }
}

const codes = (found: readonly Diagnostic[] = []) => found.map(({ code }) => code)

test('findings in an open text that no other file can change are shown before the folder is read, and no others', async () => {
  const text = policy('vps:apisvc:rebot', 'server-care')
  const { folder, client, release } = held(text)
  await client.start([folder])
  const uri = uriOf(join(folder, 'policy.yaml'))
  await client.open(uri, text)
  await until(() => client.published.has(uri))
  expect(codes(client.published.get(uri))).toEqual(['unknown-action'])
  await client.change(uri, [{ text: policy('vps:apisvc:reboot', 'server-care') }])
  await until(() => !client.published.has(uri))
  await client.change(uri, [{ text: policy('vps:apisvc:rebot', 'server-care') }])
  await until(() => client.published.has(uri))
  release()
  await client.settled()
  expect(codes(client.published.get(uri))).toEqual(expect.arrayContaining(['unknown-action', 'duplicate-name']))
  await client.end()
})

test('a group that another file describes is never called unknown', async () => {
  const text = policy('vps:apisvc:rebot', 'server-care')
  const { folder, client, release } = held(text)
  const seen = new Set<unknown>()
  client.connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
    for (const code of codes(diagnostics)) seen.add(code)
    client.published.set(uri, diagnostics)
  })
  await client.start([folder])
  await client.open(uriOf(join(folder, 'policy.yaml')), text)
  await until(() => seen.has('unknown-action'))
  release()
  await client.settled()
  expect([...seen]).not.toContain('unknown-permissions-group')
  await client.end()
})
