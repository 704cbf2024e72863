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

/** A client of a folder whose analysis waits until it is let go, and after `hold` again. */
function held(file: string): { readonly folder: string; readonly client: Client; readonly release: () => void; readonly hold: () => void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-first-')))
  writeFileSync(join(folder, 'policy.yaml'), file)
  writeFileSync(join(folder, 'groups.yaml'), groups)
  writeFileSync(join(folder, 'a.yaml'), policy('vps:apisvc:get', 'server-care'))
  let release = () => {}
  let gate = Promise.resolve()
  const hold = () => {
    gate = new Promise((done) => {
      release = done
    })
  }
  hold()
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
        interrupt: () => analysis.interrupt(),
        close: () => {},
      }
    },
  )
  return { folder, client, release: () => release(), hold }
}

const codes = (found: readonly Diagnostic[] = []) => found.map(({ code }) => code)
const linesOf = (found: readonly Diagnostic[] = []) => found.map(({ code, range }) => `${code} ${range.start.line}`)

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

test('an edit shows its own findings before the folder is linted again, and those about other files where they are now', async () => {
  const text = policy('vps:apisvc:rebot', 'server-care')
  const { folder, client, release, hold } = held(text)
  const uri = uriOf(join(folder, 'policy.yaml'))
  release()
  await client.start([folder])
  await client.open(uri, text)
  await client.settled()
  expect(linesOf(client.published.get(uri))).toEqual(['duplicate-name 0', 'unknown-action 3'])
  hold()
  await client.change(uri, [{ text: `# operators\n${text}` }])
  await client.change(uri, [{ text: `# operators\n${policy('vps:apisvc:reboot', 'server-care')}` }])
  await until(() => client.published.get(uri)?.length === 1)
  expect(linesOf(client.published.get(uri))).toEqual(['duplicate-name 1'])
  // The parts that the edit touches are not known before the folder is linted.
  await client.change(uri, [{ text: `# operators\n${policy('vps:apisvc:rebot', 'server-care').replace('operators', 'operator')}` }])
  await until(() => codes(client.published.get(uri)).includes('unknown-action'))
  expect(linesOf(client.published.get(uri))).toEqual(['unknown-action 4'])
  release()
  await client.settled()
  expect(linesOf(client.published.get(uri))).toEqual(['unknown-action 4'])
  await client.end()
})
