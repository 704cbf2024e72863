/**
 * How soon an editor shows findings in large folders: node bench/lsp-folders.mjs [--policies 1000,2000,9900] [--other 50000] [--edits 20]
 * For each number of policies, one to a file, a server is started and a file with one mistake is opened; then a second mistake is
 * typed and taken back in turns. The last row has 300 policies among other files (`--other`). Milliseconds from opening to the first
 * findings of the file, from an edit to its finding (120 of them are the wait for a quiet moment), the processor time of an edit with
 * the report of the whole folder, and the resident memory at the end in MiB. Prints a table.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = createRequire(import.meta.url)('vscode-languageserver/node')
const text = (value) => ({ type: 'string', default: value })
const { values } = parseArgs({ options: { policies: text('1000,2000,9900'), other: text('50000'), edits: text('20') } })
const [others, edits] = [Number(values.other), Number(values.edits)]
const program = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))

console.log('| policies | other files | first findings, ms | an edit, ms: median, longest | CPU of an edit, ms | memory, MiB |')
console.log('|---|---|---|---|---|---|')
for (const count of values.policies.split(',').map(Number)) await measure(count, 0)
await measure(300, others)

async function measure(count, other) {
  const top = mkdtempSync(join(tmpdir(), 'grantwise-bench-folders-'))
  writePolicies(top, count)
  writeOthers(top, other)
  const child = spawn(process.execPath, [program, 'lsp', '--stdio'], { cwd: top, stdio: ['pipe', 'pipe', 'inherit'] })
  const client = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
  const published = new Map()
  let arrived = () => {}
  client.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
    published.set(uri, diagnostics.filter(({ code }) => code === 'unknown-action').length)
    arrived()
  })
  client.listen()
  await client.sendRequest('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {},
    workspaceFolders: [{ uri: pathToFileURL(top).href, name: 'bench' }],
  })
  client.sendNotification('initialized', {})
  const file = join(top, 'team-0', 'policy-7.yaml')
  const uri = pathToFileURL(file).href
  const saved = readFileSync(file, 'utf8')
  let version = 1
  const edit = (given) =>
    client.sendNotification('textDocument/didChange', { textDocument: { uri, version: ++version }, contentChanges: [{ text: given }] })
  const until = async (mistakes) => {
    while (published.get(uri) !== mistakes)
      await new Promise((done) => {
        arrived = done
      })
  }
  const opened = performance.now()
  client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version, text: saved } })
  await until(1)
  const first = performance.now() - opened
  await idle(child.pid)
  const [times, busy] = [[], []]
  for (let i = 0; i < edits; i++) {
    const [from, before] = [performance.now(), cpu(child.pid)]
    edit(saved.replace('vps:apisvc:get', 'vps:apisvc:gett'))
    await until(2)
    times.push(performance.now() - from)
    await idle(child.pid)
    busy.push(cpu(child.pid) - before)
    edit(saved)
    await until(1)
    await idle(child.pid)
  }
  const memory = Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024)
  const longest = Math.round(Math.max(...times))
  console.log(`| ${count} | ${other} | ${Math.round(first)} | ${median(times)}, ${longest} | ${median(busy)} | ${memory} |`)
  await client.sendRequest('shutdown')
  client.sendNotification('exit')
  await new Promise((done) => child.once('exit', done))
  rmSync(top, { recursive: true })
}

/** Settled once a process has had nothing to do for half a second. */
async function idle(pid) {
  for (let quiet = 0, before = cpu(pid); quiet < 5; ) {
    await new Promise((done) => setTimeout(done, 100))
    const now = cpu(pid)
    quiet = now - before < 10 ? quiet + 1 : 0
    before = now
  }
}

/** The processor time of a process, in milliseconds. */
function cpu(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * 10
}

function median(list) {
  return Math.round(list.toSorted((a, b) => a - b)[list.length >> 1])
}

function writePolicies(top, count) {
  for (let i = 0; i < count; i++) {
    const place = join(top, `team-${Math.floor(i / 100)}`)
    mkdirSync(place, { recursive: true })
    const users = Array.from({ length: 2 + (i % 4) }, (_, k) => `  - urn:v1:eu:identity:user:ab12-svc/user-${(i * 3 + k) % count}`)
    const resources = Array.from({ length: 4 + (i % 12) }, (_, k) => `  - urn: urn:v1:eu:resource:vps:vps-${i}-${k}`)
    const actions = ['get', i === 7 ? 'rebot' : 'reboot', 'start', 'stop'].map((name) => `    - action: vps:apisvc:${name}`)
    const lines = [
      `name: policy-${i}`,
      'identities:',
      ...new Set(users),
      'resources:',
      ...resources,
      'permissions:',
      '  allow:',
      ...actions,
    ]
    writeFileSync(join(place, `policy-${i}.yaml`), `${lines.join('\n')}\n`)
  }
}

function writeOthers(top, count) {
  const kinds = ['ts', 'js', 'py', 'md', 'txt', 'go', 'css', 'html', 'svg', 'json']
  for (let i = 0; i < count; i++) {
    const place = join(top, 'src', `package-${Math.floor(i / 100)}`)
    mkdirSync(place, { recursive: true })
    const kind = kinds[i % kinds.length]
    writeFileSync(join(place, `file-${i}.${kind}`), kind === 'json' ? `{ "name": "package-${i}", "version": "1.0.0" }\n` : `text ${i}\n`)
  }
}
