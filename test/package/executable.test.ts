import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node.js'
import { Client, uriOf } from '../lsp/client.ts'
import { until } from '../support/patience.ts'
import { root, run } from './run.ts'

/** Commands that go on until they are ended, and modules that are loaded when they are needed, in the single executable. */

const executable = inject('executable')
const folderWith = (files: Readonly<Record<string, string>>) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'grantwise-executable-')))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function started(args: readonly string[], cwd: string) {
  const child = spawn(executable, args, { cwd, stdio: 'pipe' })
  const said = { stdout: '', stderr: '' }
  child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()))
  const ended = new Promise<number | null>((done) => child.on('close', done))
  return { child, said, ended }
}

/** A policy with findings. */
const wrong = 'name: a\nidentities: []\nresources: []\npermissions: { allow: [] }\n'

const readIfThere = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

test('`serve` keeps its state in a file', async () => {
  const folder = folderWith({})
  const answers: string[] = []
  for (const _ of ['first', 'second']) {
    const { child, said, ended } = started(['serve', '--port', '0', '--state', 'state.db', '--quiet', '--ready-file', 'ready.json'], folder)
    const { health } = JSON.parse(await until(() => readIfThere(join(folder, 'ready.json')) || undefined))
    answers.push(((await (await fetch(health)).json()) as { status: string }).status)
    child.kill('SIGTERM')
    await ended
    expect(said.stderr).toBe('')
  }
  expect(answers).toEqual(['ok', 'ok'])
  expect(readFileSync(join(folder, 'state.db')).subarray(0, 15).toString()).toBe('SQLite format 3')
})

test('`mcp` answers calls in a thread, and has the documentation', async () => {
  const folder = folderWith({ 'policy.yaml': wrong })
  const request = (id: number, method: string, params: unknown) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  const { child, said, ended } = started(['mcp'], folder)
  child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()))
  const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  child.stdin.write(request(1, 'initialize', initialize))
  child.stdin.write(request(2, 'tools/call', { name: 'lint', arguments: { paths: ['policy.yaml'] } }))
  child.stdin.write(request(3, 'resources/read', { uri: 'grantwise://docs/semantics' }))
  const answers = await until(() => {
    const lines = said.stdout.trimEnd().split('\n')
    return lines.length === 3 ? lines.map((line) => JSON.parse(line)) : undefined
  })
  child.stdin.end()
  expect([await ended, said.stderr]).toEqual([0, ''])
  const answer = (id: number) => answers.find((each) => each.id === id).result
  expect(answer(2).structuredContent.exitCode).toBe(1)
  expect(answer(3).contents[0].text).toBe(readFileSync(join(root, 'docs/semantics.md'), 'utf8'))
})

test('`lsp` analyses in a thread', async () => {
  const folder = folderWith({ 'policy.yaml': wrong })
  const { child, said, ended } = started(['lsp', '--stdio'], folder)
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
  const client = new Client(connection, async () => {})
  await client.start([folder])
  await until(() => client.published.get(uriOf(join(folder, 'policy.yaml'))))
  await client.end()
  expect([await ended, said.stderr]).toEqual([0, ''])
})

test('a failure of the program is reported as in the package, with no trace of where it is', () => {
  const folder = folderWith({ 'policy.json': '{' })
  const [one, other] = [
    run(executable, ['lint', 'policy.json', 'missing.json'], folder),
    run(process.execPath, [join(root, 'bin/grantwise.js'), 'lint', 'policy.json', 'missing.json'], folder),
  ]
  expect(one).toEqual(other)
  expect(one.status).toBe(2)
})
