/**
 * The emulator and a bare server: node bench/serve.mjs [--policies 1000] [--seconds 5] [--rounds 3] [--connections 16] [--json]
 * Both answer the same body on loopback, in turns. The emulator checks a token and decides by the policies for each request.
 * Prints the requests per second of both (median of rounds), their ratio, the 99th percentile of the latency, and the share
 * of the decision in a request of the emulator. Needs `wrk`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { workload } from './workload.mjs'

const binary = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))
const body = JSON.stringify({ serviceName: 'example.org' })
const client = { id: 'EU.0123456789abcdef', secret: 'a secret of the measurement' }
const identity = `urn:v1:eu:identity:credential:ab12-svc/oauth2-${client.id}`

if (process.argv[2] === 'bare') bare()
else await measure(read())

/** A server that answers a constant. */
function bare() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    response.end(body)
  })
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
}

function read() {
  const text = (value) => ({ type: 'string', default: value })
  const options = { policies: text('1000'), seconds: text('5'), rounds: text('3'), connections: text('16'), json: { type: 'boolean' } }
  const { values } = parseArgs({ options })
  const { json = false, ...numbers } = values
  for (const [name, value] of Object.entries(numbers)) {
    if (/^[1-9]\d{0,5}$/.test(value)) continue
    console.error(`bench: --${name} \`${value}\` is no whole number above 0`)
    process.exit(2)
  }
  return { json, ...Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, Number(value)])) }
}

async function measure({ policies, seconds, rounds, connections, json }) {
  if (spawnSync('wrk', ['-v']).error) {
    console.error('bench: `wrk` is not installed')
    process.exit(2)
  }
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-bench-'))
  const seed = join(folder, 'seed.json')
  writeFileSync(seed, JSON.stringify(seedOf(policies)))
  const plain = await started([fileURLToPath(import.meta.url), 'bare'])
  const standIn = await started([binary, 'serve', '--quiet', '--port', '0', '--no-config', '--seed', seed])
  try {
    const token = await tokenOf(standIn.address)
    const path = '/eu/v1/hosting/web/example.org'
    const load = ({ address }) => wrk(`${address}${path}`, token, seconds, connections)
    // Compilers take their time.
    for (let i = 0; i < 2; i++) for (const each of [plain, standIn]) load(each)
    const found = Array.from({ length: rounds }, () => ({ plain: load(plain), standIn: load(standIn) }))
    const median = (pick) => found.map(pick).toSorted((a, b) => a - b)[Math.floor(rounds / 2)]
    const check = await checkTime(seed)
    const answer = {
      policies,
      bare: median((each) => each.plain.rate),
      standIn: median((each) => each.standIn.rate),
      ratio: median((each) => each.standIn.rate / each.plain.rate),
      bareP99Ms: median((each) => each.plain.p99),
      standInP99Ms: median((each) => each.standIn.p99),
      checkMicroseconds: check,
    }
    report({ ...answer, checkShare: (check * answer.standIn) / 1e6 }, json)
  } finally {
    plain.process.kill()
    standIn.process.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(answer, json) {
  if (json) {
    console.log(JSON.stringify(answer))
    return
  }
  const { policies, bare: plain, standIn, ratio, bareP99Ms, standInP99Ms, checkMicroseconds, checkShare } = answer
  console.log(`${policies} policies`)
  console.log(`bare node:http  ${Math.round(plain)} requests/s, p99 ${bareP99Ms.toFixed(2)} ms`)
  console.log(`emulator        ${Math.round(standIn)} requests/s, p99 ${standInP99Ms.toFixed(2)} ms`)
  console.log(`ratio           ${(100 * ratio).toFixed(1)} %`)
  console.log(`check of rights ${checkMicroseconds.toFixed(2)} µs, ${(100 * checkShare).toFixed(1)} % of a request`)
}

/** Policies of many identities, some of the service account that calls, and the one that allows the call. */
function seedOf(size) {
  const { policies } = workload(size, 1, 1)
  const own = Math.min(size, 20)
  const mine = Array.from({ length: own }, (_, i) => ({
    name: `of the service account ${i}`,
    identities: [identity],
    resources: [{ urn: i === 0 ? 'urn:v1:eu:resource:webHosting:*' : `urn:v1:eu:resource:vps:vps-${i}` }],
    permissions: { allow: [{ action: i === 0 ? 'webHosting:apisvc:get' : 'vps:apisvc:*' }] },
  }))
  return {
    account: 'ab12-svc',
    policies: [...policies.slice(own), ...mine],
    standIn: { serviceAccounts: [{ identity, secret: client.secret }] },
  }
}

/** A process that prints its address, once it did. */
function started(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  return new Promise((done, fail) => {
    child.on('exit', (code) => fail(new Error(`${args[0]} ended with ${code}`)))
    child.stdout.on('data', (piece) => {
      text += piece
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
      if (address) done({ process: child, address })
    })
  })
}

async function tokenOf(address) {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret, scope: 'all' })
  const answer = await fetch(`${address}/eu/auth/oauth2/token`, { method: 'POST', body: form })
  return (await answer.json()).access_token
}

function wrk(url, token, seconds, connections) {
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-H', `Authorization: Bearer ${token}`, url]
  const { stdout } = spawnSync('wrk', args, { encoding: 'utf8' })
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  const [, amount, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  if (!rate || /Non-2xx/.test(stdout)) throw new Error(`no good answers: ${stdout}`)
  return { rate, p99: Number(amount) * { us: 1e-3, ms: 1, s: 1e3 }[unit] }
}

/** The time of the check of rights, in microseconds: measured in this process, over the same policies. */
async function checkTime(seed) {
  const { build } = await import('esbuild')
  const entry = `
    export { loadCatalogue } from './src/actions/load.ts'
    export { loadOperations } from './src/actions/operations.ts'
    export { sourceOf } from './src/source.ts'
    export { readCall } from './src/calls/match.ts'
    export { defaultSettings } from './src/names.ts'
    export { readSeed } from './src/emulator/control/seed.ts'
    export { createService } from './src/emulator/service.ts'
    export { openState } from './src/emulator/model/state.ts'
    export { judge } from './src/emulator/auth/rights.ts'`
  const root = fileURLToPath(new URL('..', import.meta.url))
  const bundled = await build({
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    outdir: root,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
  })
  const file = join(mkdtempSync(join(tmpdir(), 'grantwise-check-')), 'check.mjs')
  writeFileSync(file, bundled.outputFiles[0].text)
  const own = await import(file)
  rmSync(file)
  const { readFileSync } = await import('node:fs')
  const { createHash, randomUUID } = await import('node:crypto')
  const sha256 = (text) => createHash('sha256').update(text).digest('hex')
  const ports = {
    clock: { now: Date.now, after: () => () => {} },
    chance: { uuid: randomUUID, token: () => randomUUID() },
    digest: { sha1: sha256, sha256, same: (a, b) => a === b },
  }
  const settings = own.defaultSettings
  const operations = own.loadOperations(settings.brand)
  const source = own.sourceOf('seed.json', readFileSync(seed, 'utf8'))
  const { changes } = await own.readSeed([{ source, mayBeOther: false }], settings, ports, operations)
  const state = own.openState()
  state.commit(changes)
  const service = own.createService({ settings, ports, state, catalogue: own.loadCatalogue(settings.brand), operations })
  const path = '/v1/hosting/web/example.org'
  const { call } = own.readCall('GET', path)
  const request = { region: 'eu', method: 'GET', url: '', path, query: new Map(), headers: {}, body: '', ip: '127.0.0.1' }
  const caller = { identity, account: 'ab12-svc' }
  const plans = new Map()
  const once = (count) => {
    const start = performance.now()
    for (let i = 0; i < count; i++)
      if (own.judge(service, caller, request, call, plans).verdict !== 'allow') throw new Error('the call is not allowed')
    return ((performance.now() - start) * 1000) / count
  }
  once(20_000)
  return Array.from({ length: 9 }, () => once(20_000)).toSorted((a, b) => a - b)[4]
}
