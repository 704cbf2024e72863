/**
 * How fast the language server answers over a folder of policies, and how much memory it takes over many edits:
 * node bench/lsp.mjs [--policies 1000] [--edits 10000] [--requests 200] [--seed 1]
 * Each kind of request is sent right after an edit, as an editor does; the time until its answer is what is printed: in a
 * policy, where completions are most, in a configuration of Terraform, in a file of 1 MB, and right after a branch with other
 * texts of 200 files was checked out. `cpu` is the time that the thread that answers was busy until then, which other programs
 * do not prolong. At the end the memory of the process, which is measured after every tenth of the edits. Prints a line of JSON.
 */
import { execFileSync, spawn } from 'node:child_process'
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
writeStack(folder)
const git = (...given) => execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', ...given], { cwd: folder })
git('init', '-q')
git('add', '-A')
git('commit', '-qm', 'bench')
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

/** A text that is open: what is edited in it, and the edits that are made in turn. */
class Text {
  constructor(path, languageId, edits) {
    this.uri = pathToFileURL(join(folder, path)).href
    this.text = readFileSync(join(folder, path), 'utf8')
    this.edits = edits
    this.version = 1
    client.sendNotification('textDocument/didOpen', { textDocument: { uri: this.uri, languageId, version: 1, text: this.text } })
  }

  get textDocument() {
    return { uri: this.uri }
  }

  /** Another text from a place to the end of its line, as one change. */
  edit(part = this.edits.from, by = this.edits.by[random(this.edits.by.length)]) {
    const from = this.text.indexOf(part)
    const to = from + part.length + /^[^\n",]*/.exec(this.text.slice(from + part.length))[0].length
    const range = { start: this.position(from + part.length), end: this.position(to) }
    this.text = this.text.slice(0, from + part.length) + by + this.text.slice(to)
    client.sendNotification('textDocument/didChange', {
      textDocument: { uri: this.uri, version: ++this.version },
      contentChanges: [{ range, text: by }],
    })
  }

  close() {
    client.sendNotification('textDocument/didClose', { textDocument: this.textDocument })
    client.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: this.uri, type: 3 }] })
  }

  position(offset) {
    const before = this.text.slice(0, offset)
    const line = before.split('\n').length - 1
    return { line, character: offset - (before.lastIndexOf('\n') + 1) }
  }

  at(part, into = part.length) {
    return { textDocument: this.textDocument, position: this.position(this.text.indexOf(part) + into) }
  }

  get whole() {
    return { textDocument: this.textDocument, range: { start: this.position(0), end: this.position(this.text.length) } }
  }
}

const verbs = ['get', 'reboot', 'rebot', 'start', 'stop', 'ips/get']
const policy = new Text('team-0/policy-7.yaml', 'yaml', { from: 'vps:apisvc:', by: verbs })
const slip = () => policy.edit('vps:apisvc:', 'rebot')
const hasSlip = () => published.get(policy.uri)?.some(({ code }) => code === 'unknown-action') === true
await until(slip, hasSlip)
const loadMs = performance.now() - start

/** Questions about any text: an identity, an action and a field of it are given. */
const asked = (text, { identity, action, field }) => ({
  hover: ['textDocument/hover', () => text.at(action, 4)],
  hoverIdentity: ['textDocument/hover', () => text.at(identity)],
  completion: ['textDocument/completion', () => text.at(action)],
  completionOfFields: ['textDocument/completion', () => text.at(field)],
  definition: ['textDocument/definition', () => text.at(identity)],
  references: ['textDocument/references', () => ({ ...text.at(identity), context: { includeDeclaration: true } })],
  prepareRename: ['textDocument/prepareRename', () => text.at(identity)],
  rename: ['textDocument/rename', () => ({ ...text.at(identity), newName: 'somebody' })],
  documentSymbol: ['textDocument/documentSymbol', () => ({ textDocument: text.textDocument })],
  foldingRange: ['textDocument/foldingRange', () => ({ textDocument: text.textDocument })],
  documentLink: ['textDocument/documentLink', () => ({ textDocument: text.textDocument })],
  inlayHint: ['textDocument/inlayHint', () => text.whole],
  codeLens: ['textDocument/codeLens', () => ({ textDocument: text.textDocument })],
  answerOfLens: ['workspace/executeCommand', () => lens(text, 'who')],
  answerOfEdit: ['workspace/executeCommand', () => lens(text, 'grants')],
  codeAction: [
    'textDocument/codeAction',
    () => ({ ...text.whole, range: { start: text.at(action).position, end: text.at(action).position }, context }),
  ],
  fixAll: ['textDocument/codeAction', () => ({ ...text.whole, context: { ...context, only: ['source.fixAll'] } })],
  diagnostic: ['textDocument/diagnostic', () => ({ textDocument: text.textDocument })],
})
/** The lamp of an editor asks by itself. */
const context = { diagnostics: [], triggerKind: 2 }

/** The command behind a line above a policy: the first of its kind. */
function lens(text, kind) {
  const found = text.lenses?.find(({ command }) => command.arguments[1].kind === kind)
  return found ? found.command : { command: 'grantwise.answer', arguments: [] }
}

const times = {}
const inPolicy = {
  ...asked(policy, { identity: 'urn:v1:eu:identity:user:ab12-svc/u', action: 'vps:apisvc:', field: 'name' }),
  workspaceSymbol: ['workspace/symbol', () => ({ query: `policy-${random(count)}` })],
  workspaceDiagnostic: ['workspace/diagnostic', () => ({ previousResultIds: [] })],
}
await measure('policy', policy, inPolicy, requests)

const draft = new Text('draft.yaml', 'yaml', { from: '# ', by: ['a', 'b'] })
const places = {
  identity: '  - \nresources',
  resource: 'urn: ',
  product: 'action: ',
  segment: 'webHosting:',
  letters: 'a/g',
  conditionKey: 'values:\n    ',
  expiry: 'expiredAt: ',
}
const into = { identity: 4, segment: 11 }
const worst = Object.entries(places).map(([name, part]) => [
  name,
  ['textDocument/completion', () => draft.at(part, into[name] ?? part.length)],
])
await measure('completion', draft, Object.fromEntries(worst), Math.ceil(requests / 4))

const configuration = new Text('stack/main.tf', 'terraform', { from: 'vps:apisvc:', by: verbs })
const inHcl = asked(configuration, { identity: 'urn:v1:eu:identity:user:ab12-svc/u', action: 'vps:apisvc:', field: '  n' })
await measure('configuration', configuration, inHcl, Math.ceil(requests / 4))

writeLarge(folder)
const large = new Text('large.json', 'json', { from: 'vps:apisvc:', by: verbs })
const inLarge = asked(large, { identity: 'urn:v1:eu:identity:user:ab12-svc/u', action: 'vps:apisvc:', field: '"n' })
await measure('large', large, inLarge, Math.ceil(requests / 10), 400)

rmSync(join(folder, 'large.json'))
large.close()
await measure('afterSwitch', policy, inPolicy, Math.ceil(requests / 40), 1500, switched)

const diagnostics = []
for (let i = 0; i < 20; i++) {
  await until(
    () => policy.edit('vps:apisvc:', 'get'),
    () => !hasSlip(),
  )
  const from = performance.now()
  await until(slip, hasSlip)
  diagnostics.push(performance.now() - from)
}

const memory = []
for (let i = 0; i < edits; i++) {
  policy.edit()
  // Answers are waited for now and then, so that the edits are not one burst.
  if (i % 10 === 9) await client.sendRequest('textDocument/hover', inPolicy.hover[1]())
  if ((i + 1) % Math.max(1, Math.floor(edits / 10)) === 0) {
    await pause(1500)
    memory.push(rss())
  }
}
await client.sendRequest('shutdown')
client.sendNotification('exit')
rmSync(folder, { recursive: true })
const all = Object.values(times).flatMap((kinds) => Object.values(kinds).flat())
const each = (kinds) => Object.fromEntries(Object.entries(kinds).map(([name, list]) => [name, figures(list)]))
console.log(
  JSON.stringify({
    machine: { cores: availableParallelism(), node: process.versions.node },
    workload: { policies: count, edits, requests },
    loadMs: Math.round(loadMs),
    requests: Object.fromEntries(Object.entries(times).map(([place, kinds]) => [place, each(kinds)])),
    all: figures(all),
    fromEditToDiagnosticsMs: { median: round(median(diagnostics)), max: round(Math.max(...diagnostics)) },
    memoryMB: memory,
  }),
)

function figures(list) {
  const [ms, busy] = [list.map((one) => one.ms), list.map((one) => one.cpu)]
  return { median: round(median(ms)), max: round(Math.max(...ms)), cpu: { median: round(median(busy)), max: round(Math.max(...busy)) } }
}

/** How long the thread of the server that answers has been busy, in milliseconds. */
function cpu() {
  return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** How long each kind of request takes in a text, right after an edit. */
async function measure(place, text, kinds, rounds, wait = 20, before = () => {}) {
  // The analysis when a text is opened is no part of it.
  await pause(2000)
  text.lenses = await client.sendRequest('textDocument/codeLens', { textDocument: text.textDocument })
  times[place] = {}
  for (const [name, [method, params]] of Object.entries(kinds)) {
    times[place][name] = []
    for (let i = 0; i < rounds; i++) {
      before()
      text.edit()
      const given = params()
      const [from, busy] = [performance.now(), cpu()]
      await client.sendRequest(method, given).catch((error) => console.error(`${place} ${name}: ${error.message}`))
      times[place][name].push({ ms: performance.now() - from, cpu: cpu() - busy })
      // A person types ten letters a second at most.
      await pause(wait)
    }
  }
}

/** Another branch: other texts in 200 files, which the editor says at once. */
function switched() {
  const changes = Array.from({ length: Math.min(count, 200) }, (_, i) => {
    const file = join(folder, `team-${Math.floor(i / 100)}`, `policy-${i}.yaml`)
    writeFileSync(file, `${readFileSync(file, 'utf8').replace(/\n# .*\n/, '\n')}# ${random(1e6)}\n`)
    return { uri: pathToFileURL(file).href, type: 2 }
  })
  client.sendNotification('workspace/didChangeWatchedFiles', { changes })
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms))
}

/** Do something, and wait until what is shown is as it should be. */
async function until(act, holds) {
  act()
  while (!holds())
    await new Promise((done) => {
      waiting = done
    })
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
  const draft =
    'name: draft # a\nidentities:\n  - \nresources:\n  - urn: \npermissions:\n  allow:\n    - action: \n    - action: webHosting:\n    - action: a/g\nconditions:\n  operator: MATCH\n  values:\n    \nexpiredAt: \n'
  writeFileSync(join(top, 'draft.yaml'), draft)
}

function user(i) {
  return `urn:v1:eu:identity:user:ab12-svc/user-${i}`
}

/** A configuration with modules. */
function writeStack(top) {
  const block = (i) =>
    `resource "svc_iam_policy" "p${i}" {\n  name       = "stack ${i}"\n  identities = ["${user(i)}"]\n  resources  = ["urn:v1:eu:resource:vps:stack-${i}"]\n  allow      = ["vps:apisvc:get", "vps:apisvc:reboot"]\n}\n`
  const call = (i) => `module "team${i}" {\n  source = "./team"\n  name   = "team ${i}"\n  verbs  = ["get", "start"]\n}\n`
  const team = `variable "name" {}\nvariable "verbs" {}\n${block(0).replace('"stack 0"', 'var.name').replace('["vps:apisvc:get", "vps:apisvc:reboot"]', '[for verb in var.verbs : "vps:apisvc:${verb}"]')}`
  mkdirSync(join(top, 'stack', 'team'), { recursive: true })
  writeFileSync(join(top, 'stack', 'main.tf'), Array.from({ length: 50 }, (_, i) => block(i) + (i % 5 === 0 ? call(i) : '')).join('\n'))
  writeFileSync(join(top, 'stack', 'team', 'main.tf'), team)
}

/** A file of 1 MB. */
function writeLarge(top) {
  const large = Array.from({ length: 330 }, (_, i) => ({
    name: `large ${i}`,
    identities: [user(i)],
    resources: Array.from({ length: 40 }, (_, k) => ({ urn: `urn:v1:eu:resource:vps:machine-${i}-${k}` })),
    permissions: { allow: [{ action: 'vps:apisvc:get' }, { action: 'vps:apisvc:reboot' }] },
  }))
  writeFileSync(join(top, 'large.json'), JSON.stringify({ policies: large }, null, 2))
}

function median(list) {
  return list.toSorted((a, b) => a - b)[list.length >> 1]
}

function round(value) {
  return Math.round(value * 10) / 10
}
