import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../support/patience.ts'
import { started, uriOf } from './client.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-lsp-')))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('the built program finds what is wrong in files that are not open, follows edits, and ends as it is asked to', async () => {
  const folder = folderWith({ 'policy.yaml': 'name: a\nidentities: []\nresources: []\npermissions: { allow: [] }\n' })
  const { client, ended, stderr } = started(folder)
  const { serverInfo, capabilities } = await client.start([folder])
  expect([serverInfo?.name, capabilities.positionEncoding]).toEqual(['grantwise', 'utf-16'])
  const uri = uriOf(join(folder, 'policy.yaml'))
  await until(() => client.published.get(uri) !== undefined)
  await client.open(uri, 'name: [\nidentities: urn:v1:')
  await until(() => client.published.get(uri)?.some(({ code }) => code === 'syntax') === true)
  await client.change(uri, [{ text: '# nothing' }])
  await until(() => client.published.get(uri) === undefined)
  await client.end()
  expect([await ended, stderr()]).toEqual([0, ''])
})

test('without a request to shut down, the end of input and `exit` are failures', async () => {
  const folder = folderWith({})
  const [first, second] = [started(folder), started(folder)]
  await first.client.start([folder])
  first.child.stdin.end()
  expect(await first.ended).toBe(1)
  await second.client.start([folder])
  await second.client.connection.sendNotification('exit')
  expect(await second.ended).toBe(1)
})

test.concurrent.each([
  ['before it is asked anything', (pid: number) => [`--clientProcessId=${pid}`], undefined],
  ['after a start that names no process', (pid: number) => ['--stdio', '--clientProcessId', `${pid}`], null],
  ['after a start that names it', () => ['--stdio'], 'named'],
])('the server ends when the process of the editor is gone: %s', async (_when, options, named) => {
  const folder = folderWith({})
  const editor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  const { child, ended, client } = started(folder, options(editor.pid as number))
  if (named !== undefined) await client.start([folder], { processId: named === null ? null : (editor.pid as number) })
  expect(child.exitCode).toBe(null)
  editor.kill()
  expect(await ended).toBe(1)
})
