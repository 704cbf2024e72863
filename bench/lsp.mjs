/**
 * How fast the language server answers over a folder of policies, and how much memory it takes over many edits:
 * node bench/lsp.mjs [--policies 1000] [--edits 10000] [--requests 200] [--seed 1]
 * Each kind of request is sent right after an edit, as an editor does; the time until its answer is what is printed, and at
 * the end the memory of the process, which is measured after every tenth of the edits. Prints a line of JSON.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = createRequire(import.meta.url)('vscode-languageserver/node')
const text = (value) => ({ type: 'string', default: value })
const { values } = parseArgs({ options: { policies: text('1000'), edits: text('10000'), requests: text('200'), seed: text('1') } })
const [count, edits, requests] = [values.policies, values.edits, values.requests].map(Number)
const program = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))
let seed = Number(values.seed)
const random = (below) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

const folder = mkdtempSync(join(tmpdir(), 'grantwise-bench-lsp-'))
writePolicies(folder)
const child = spawn(process.execPath, [program, 'lsp', '--stdio'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
const client = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
const published = new Map()
let waiting
client.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
  published.set(uri, diagnostics)
  waiting?.()
})
client.listen()
const start = performance.now()
await client.sendRequest('initialize', {
  processId: process.pid,
  rootUri: null,
  capabilities: {
    workspace: { workspaceEdit: { documentChanges: true }, didChangeWatchedFiles: { dynamicRegistration: false } },
    textDocument: { completion: { completionItem: { snippetSupport: true } } },
  },
  workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'bench' }],
})
client.sendNotification('initialized', {})

const file = join(folder, 'team-0', 'policy-7.yaml')
const uri = pathToFileURL(file).href
let now = readFileSync(file, 'utf8')
let version = 1
client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version, text: now } })
const slip = 'vps:apisvc:rebot'
await edited(slip, () => published.get(uri)?.some(({ code }) => code === 'unknown-action'))
const loadMs = performance.now() - start

const times = {}
const textDocument = { uri }
const kinds = {
  hover: ['textDocument/hover', () => ({ textDocument, position: placeOf('vps:apisvc:', 4) })],
  completion: ['textDocument/completion', () => ({ textDocument, position: placeOf('vps:apisvc:', 11) })],
  definition: ['textDocument/definition', () => ({ textDocument, position: placeOf('urn:v1:eu:identity', 25) })],
  references: [
    'textDocument/references',
    () => ({ textDocument, position: placeOf('urn:v1:eu:identity', 25), context: { includeDeclaration: true } }),
  ],
  prepareRename: ['textDocument/prepareRename', () => ({ textDocument, position: placeOf('urn:v1:eu:identity', 40) })],
  rename: ['textDocument/rename', () => ({ textDocument, position: placeOf('urn:v1:eu:identity', 40), newName: 'somebody' })],
  documentSymbol: ['textDocument/documentSymbol', () => ({ textDocument })],
  workspaceSymbol: ['workspace/symbol', () => ({ query: `policy-${random(count)}` })],
  foldingRange: ['textDocument/foldingRange', () => ({ textDocument })],
  documentLink: ['textDocument/documentLink', () => ({ textDocument })],
  inlayHint: [
    'textDocument/inlayHint',
    () => ({ textDocument, range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } } }),
  ],
  codeLens: ['textDocument/codeLens', () => ({ textDocument })],
  codeAction: [
    'textDocument/codeAction',
    // As editors ask for the lamp beside the cursor.
    () => ({
      textDocument,
      range: { start: placeOf('vps:apisvc:', 4), end: placeOf('vps:apisvc:', 4) },
      context: { diagnostics: [], triggerKind: 2 },
    }),
  ],
  diagnostic: ['textDocument/diagnostic', () => ({ textDocument })],
  workspaceDiagnostic: ['workspace/diagnostic', () => ({ previousResultIds: [] })],
}
const actions = ['get', 'reboot', 'rebot', 'start', 'stop', 'ips/get']
for (const [name, [method, params]] of Object.entries(kinds)) {
  times[name] = []
  for (let i = 0; i < requests; i++) {
    edit(`vps:apisvc:${actions[random(actions.length)]}`)
    const from = performance.now()
    await client.sendRequest(method, params()).catch(() => {})
    times[name].push(performance.now() - from)
    // A person types ten letters a second at most.
    await new Promise((done) => setTimeout(done, 20))
  }
}

const diagnostics = []
for (let i = 0; i < 20; i++) {
  const wanted = i % 2 === 0
  await edited('vps:apisvc:get', () => !published.get(uri)?.some(({ code }) => code === 'unknown-action'))
  const from = performance.now()
  await edited(slip, () => published.get(uri)?.some(({ code }) => code === 'unknown-action'))
  if (wanted) diagnostics.push(performance.now() - from)
}

const memory = []
for (let i = 0; i < edits; i++) {
  edit(`vps:apisvc:${actions[random(actions.length)]}`)
  // Answers are waited for now and then, so that the edits are not one burst.
  if (i % 10 === 9) await client.sendRequest('textDocument/hover', kinds.hover[1]())
  if ((i + 1) % Math.max(1, Math.floor(edits / 10)) === 0) {
    await new Promise((done) => setTimeout(done, 1500))
    memory.push(rss())
  }
}
await client.sendRequest('shutdown')
client.sendNotification('exit')
rmSync(folder, { recursive: true })
const all = Object.values(times).flat()
console.log(
  JSON.stringify({
    machine: { cores: availableParallelism(), node: process.versions.node },
    workload: { policies: count, edits, requests },
    loadMs: Math.round(loadMs),
    requests: Object.fromEntries(
      Object.entries(times).map(([name, list]) => [name, { median: round(median(list)), max: round(Math.max(...list)) }]),
    ),
    all: { median: round(median(all)), max: round(Math.max(...all)) },
    fromEditToDiagnosticsMs: { median: round(median(diagnostics)), max: round(Math.max(...diagnostics)) },
    memoryMB: memory,
  }),
)

/** Another action in the place of the first one, as one change. */
function edit(action) {
  const from = now.indexOf('vps:apisvc:')
  const to = now.indexOf('\n', from)
  const range = { start: position(from), end: position(to) }
  now = now.slice(0, from) + action + now.slice(to)
  client.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: ++version },
    contentChanges: [{ range, text: action }],
  })
}

/** Edit, and wait until what is shown is as it should be. */
async function edited(action, holds) {
  edit(action)
  while (!holds())
    await new Promise((done) => {
      waiting = done
    })
}

function position(offset) {
  const lines = now.slice(0, offset).split('\n')
  return { line: lines.length - 1, character: lines.at(-1).length }
}

function placeOf(part, into) {
  return position(now.indexOf(part) + into)
}

/** Resident memory of the server, in megabytes. */
function rss() {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024)
}

function writePolicies(top) {
  for (let i = 0; i < count; i++) {
    const place = join(top, `team-${Math.floor(i / 100)}`)
    mkdirSync(place, { recursive: true })
    const users = Array.from({ length: 2 + random(4) }, (_, k) => `  - urn:v1:eu:identity:user:ab12-svc/user-${(i * 3 + k) % count}`)
    const resources = Array.from({ length: 4 + random(12) }, (_, k) => `  - urn: urn:v1:eu:resource:vps:vps-${i}-${k}`)
    const own = ['get', 'reboot', 'start', 'stop'].slice(0, 1 + random(4)).map((name) => `    - action: vps:apisvc:${name}`)
    const lines = [
      `name: policy-${i}`,
      'identities:',
      ...new Set(users),
      'resources:',
      ...resources,
      'permissions:',
      '  allow:',
      ...own,
      '',
    ]
    writeFileSync(join(place, `policy-${i}.yaml`), lines.join('\n'))
  }
  const groups = Array.from({ length: count }, (_, i) => `  - urn: urn:v1:eu:identity:user:ab12-svc/user-${i}\n    groups: []\n`)
  writeFileSync(join(top, 'world.yaml'), `identities:\n${groups.join('')}`)
}

function median(list) {
  return list.toSorted((a, b) => a - b)[list.length >> 1]
}

function round(value) {
  return Math.round(value * 10) / 10
}
