/**
 * A day of the emulator in a short time: writers, readers and reloads on its persisted state, while it is killed at random moments
 * and its disk is filled. Afterwards nothing acknowledged is lost, nothing half-written was read, and neither memory nor handles grow.
 * usage: node scripts/soak.mjs [--seconds N] [--seed N] [--folder FOLDER] [--no-write]
 * `--folder`: a folder on a small file system, which is filled. By default one is made, of 8 MiB: needs Linux and root,
 * or sudo. Where none can be made, none is filled.
 * Writes figures/soak.json. Talks to this machine only.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1200' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
    'no-write': { type: 'boolean' },
  },
})
const seconds = Number(values.seconds)
if (!(seconds >= 5) || !/^\d+$/.test(values.seed)) {
  console.error('--seconds takes a number from 5, --seed an integer')
  process.exit(2)
}
const program = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))
const writers = 6
const readers = 3
const namesOfWriter = 15
/** The life in which growth is measured is not cut short: it takes this part of the run. */
const quietShare = 0.4
const bounds = { memoryGrowth: 1.5, memoryMebibytes: 64, handles: writers + readers + 16 }

const identity = 'urn:v1:eu:identity:credential:ab12-svc/oauth2-EU.0123456789abcdef'
const secret = 'a-secret-of-the-soak'
const everything = {
  name: 'everything',
  identities: [identity],
  resources: [{ urn: 'urn:v1:eu:resource:*' }],
  permissions: { allow: [{ action: '*' }] },
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = randomFrom(Number(values.seed))
const between = (low, high) => low + random() * (high - low)
const pick = (list) => list[Math.floor(random() * list.length)]

const home = mkdtempSync(join(tmpdir(), 'grantwise-soak-'))
const { disk, unmount, isSmall } = smallDisk()
const filler = join(disk, 'filler')
writeFileSync(join(home, 'policy.json'), JSON.stringify(everything))
writeFileSync(
  join(home, 'seed.json'),
  JSON.stringify({
    account: 'ab12-svc',
    standIn: { accounts: [{ id: 'ab12-svc', region: 'eu' }], serviceAccounts: [{ identity, secret }] },
  }),
)

/**
 * The values that each name may hold: versions of its policy, 0 for none. An acknowledged change leaves one; one without an answer adds its own.
 * @type {Map<string, { may: Set<number>, id: string | undefined, last: number, turns: number, isBusy: boolean, reloaded?: number }>}
 */
const model = new Map()
const counts = { requests: 0, acknowledged: 0, reads: 0, reloads: 0, kills: 0, diskFull: 0, refusedByDisk: 0, checks: 0, lives: 0 }
const problems = []
/** How often each call was answered with which status. */
const statuses = {}
const problem = (text) => {
  problems.push(text)
  console.error(text)
}
/** Rises when a reload begins and when it ends: a change during one may be before or after it. */
let epoch = 0
let life
let token = ''
let isOver = false
let isFull = false
let most = { mebibytes: 0, handles: 0 }

async function run() {
  const start = performance.now()
  const elapsed = () => (performance.now() - start) / 1000
  await begin()
  const clients = [
    ...Array.from({ length: writers }, (_, number) => write(number)),
    ...Array.from({ length: readers }, read),
    reload(),
    advance(),
    watch(),
  ]
  const quiet = [((1 - quietShare) / 2) * seconds, ((1 + quietShare) / 2) * seconds]
  let measured
  let nextFull = between(0.05, 0.15) * seconds
  while (elapsed() < seconds) {
    const isQuiet = elapsed() >= quiet[0] && elapsed() < quiet[1]
    if (isQuiet) {
      // Warm first: the engine of the language takes what it may of memory.
      const length = quiet[1] - elapsed()
      await wait(length * 300)
      const before = usage()
      await wait(length * 700)
      measured = { before, after: usage() }
      continue
    }
    await wait(Math.min(between(0.01, 0.05) * seconds, 30) * 1000 * random())
    if (isSmall && elapsed() > nextFull) {
      await fill()
      nextFull = elapsed() + between(0.1, 0.2) * seconds
    }
    await kill()
    await begin()
    await check()
  }
  await wait(200)
  isOver = true
  await Promise.all(clients)
  await check()
  life.process.kill('SIGTERM')
  const code = await life.ended
  if (code !== 0) problem(`the emulator ended with ${code}`)
  await begin()
  await check()
  judgeGrowth(measured)
  report(measured, elapsed())
}

/** A small file system, which can be filled; the folder that was named, where one was. */
function smallDisk() {
  if (values.folder !== undefined) return { disk: mkdtempSync(join(values.folder, 'soak-')), unmount: () => {}, isSmall: true }
  const disk = join(home, 'disk')
  mkdirSync(disk)
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const run = (...args) => spawnSync([...sudo, ...args][0], [...sudo, ...args].slice(1), { encoding: 'utf8' })
  const made = run('mount', '-t', 'tmpfs', '-o', `size=8m,mode=0777`, 'tmpfs', disk)
  if (made.status !== 0) {
    console.error('no small file system could be made, so that none is filled: run it as root, or name a folder on one with --folder')
    return { disk, unmount: () => {}, isSmall: false }
  }
  return { disk, unmount: () => run('umount', disk), isSmall: true }
}

/** The end of the emulator is waited for: its files are on the disk that goes. */
async function tidy() {
  if (life?.process.exitCode === null && life.process.signalCode === null) {
    life.process.kill('SIGKILL')
    await life.ended
  }
  rmSync(filler, { force: true })
  unmount()
  if (values.folder !== undefined) rmSync(disk, { recursive: true, force: true })
  rmSync(home, { recursive: true, force: true })
}

/** Start the emulator on the state that is there. A full disk may refuse it, with a reason. */
async function begin() {
  for (let attempt = 0; ; attempt++) {
    const ready = join(home, 'ready.json')
    rmSync(ready, { force: true })
    const args = ['serve', '--port', '0', '--quiet', '--seed', 'policy.json', '--seed', 'seed.json', '--ready-file', 'ready.json']
    const child = spawn(process.execPath, [program, ...args, '--state', join(disk, 'state.db')], {
      cwd: home,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      stderr += piece
    })
    const ended = new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)))
    while (!existsSync(ready) && child.exitCode === null) await wait(20)
    if (child.exitCode === null) {
      const { port } = JSON.parse(readFileSync(ready, 'utf8')).url.match(/:(?<port>\d+)/).groups
      life = { process: child, port: Number(port), ended, stderr: () => stderr }
      counts.lives++
      return
    }
    if (!isFull || !/no space/i.test(stderr) || attempt > 0) throw new Error(`the emulator does not start: ${stderr}`)
    counts.refusedByDisk++
    empty()
  }
}

async function kill() {
  const { process: child, ended, stderr } = life
  child.kill('SIGKILL')
  await ended
  counts.kills++
  // Errors that the full disk caused are reported there, and reloads, each on a line.
  const odd = stderr()
    .split('\n')
    .filter((line) => line !== '' && !/no space|could not be stored|the seed was read again/i.test(line))
  if (odd.length > 0) problem(`on standard error: ${odd.slice(0, 5).join('\n')}`)
  if (isFull && random() < 0.5) empty()
}

/** Fill the disk for a while: changes are refused, and reads go on. */
async function fill() {
  isFull = true
  counts.diskFull++
  const fd = openSync(filler, 'w')
  try {
    for (const size of [2 ** 16, 2 ** 10, 1]) for (;;) if (!grown(fd, size)) break
  } finally {
    closeSync(fd)
  }
  await wait(Math.min(seconds * 20, 5000))
  if (random() < 0.7) empty()
}

function grown(fd, size) {
  try {
    return writeSync(fd, Buffer.alloc(size)) === size
  } catch (error) {
    if (error.code === 'ENOSPC') return false
    throw error
  }
}

function empty() {
  rmSync(filler, { force: true })
  isFull = false
}

/** An answer; undefined where none came, so that what was asked for may be done or not. `isRefused`: it certainly is not. */
function send(method, path, { headers = {}, body = '' } = {}) {
  counts.requests++
  return new Promise((done) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpRequest({ host: '127.0.0.1', port: life.port, method, path, agent: false, headers: { ...length, ...headers } })
    request.setTimeout(30_000, () => {
      problem(`${method} ${path}: no answer for 30 seconds`)
      request.destroy()
    })
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece) => {
        text += piece
      })
      response.on('error', () => done(undefined))
      response.on('close', () => {
        if (!response.complete) return done(undefined)
        const { statusCode: status, headers: got } = response
        try {
          statuses[`${method} ${path.split('/').slice(0, 4).join('/')} ${status}`] =
            (statuses[`${method} ${path.split('/').slice(0, 4).join('/')} ${status}`] ?? 0) + 1
          done({ status, body: text === '' ? undefined : JSON.parse(text), next: got['x-pagination-cursor-next'] })
        } catch {
          problem(`${method} ${path}: ${status}, and no JSON: ${text.slice(0, 200)}`)
          done(undefined)
        }
      })
    })
    request.on('error', (error) => done(error.code === 'ECONNREFUSED' ? { isRefused: true, status: 0 } : undefined))
    request.end(body)
  })
}

const json = { 'content-type': 'application/json' }
const bearer = () => ({ authorization: `Bearer ${token}` })

/** Calls with a token: a new one where it has expired or was forgotten. */
async function call(method, path, sent = {}) {
  const used = token
  const answer = await send(method, `/eu${path}`, { ...sent, headers: { ...bearer(), ...sent.headers } })
  if (answer?.status === 401 && token === used) await renew()
  if (answer?.status === 0) await wait(30)
  if (answer?.status === 500 && !isFull && !/could not be stored/.test(answer.body?.message))
    problem(`500: ${method} ${path}: ${answer.body?.message}`)
  return answer
}

async function renew() {
  const form = { grant_type: 'client_credentials', client_id: 'EU.0123456789abcdef', client_secret: secret, scope: 'all' }
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await send('POST', '/eu/auth/oauth2/token', { headers, body: new URLSearchParams(form).toString() })
  if (answer?.status === 200) token = answer.body.access_token
  else await wait(30)
}

/** The text of a version follows from its name and number: half of one, or one of two, would be seen. */
function descriptionOf(name, version) {
  const start = `${name} v${version} `
  return (
    start +
    createHash('sha256')
      .update(start)
      .digest('hex')
      .repeat(1 + (version % 24))
  )
}

function bodyOf(name, version) {
  return JSON.stringify({
    ...everything,
    name,
    description: descriptionOf(name, version),
    resources: [{ urn: `urn:v1:eu:resource:vps:${name}` }],
    permissions: { allow: [{ action: 'vps:apisvc:get' }] },
  })
}

/** The version of a policy as it was read; a problem where it is none that was ever sent. */
function versionOf({ name, description, resources }) {
  const version = Number(/ v(\d+) /.exec(description)?.[1])
  const isWhole = description === descriptionOf(name, version) && resources?.[0]?.urn === `urn:v1:eu:resource:vps:${name}`
  if (!isWhole) problem(`a policy that nobody wrote so: ${JSON.stringify({ name, description, resources }).slice(0, 300)}`)
  return version
}

async function write(number) {
  const names = Array.from({ length: namesOfWriter }, (_, index) => `w${number}n${index}`)
  for (const name of names) model.set(name, { may: new Set([0]), id: undefined, last: 0, turns: 0, isBusy: false })
  while (!isOver) {
    const name = pick(names)
    const kept = model.get(name)
    kept.isBusy = true
    kept.turns++
    try {
      await change(name, kept)
    } finally {
      kept.isBusy = false
    }
    await wait(between(0, 20))
  }
}

async function change(name, kept) {
  const started = epoch
  const isThere = kept.id !== undefined && !kept.may.has(0)
  const isRemoval = isThere && random() < 0.3
  const version = isRemoval ? 0 : ++kept.last
  const sent = { headers: json, body: bodyOf(name, version) }
  const answer = await (isRemoval
    ? call('DELETE', `/v2/iam/policy/${kept.id}`)
    : isThere
      ? call('PUT', `/v2/iam/policy/${kept.id}`, sent)
      : call('POST', '/v2/iam/policy', sent))
  const status = answer?.status
  if (status === 200 || status === 204) {
    counts.acknowledged++
    kept.may = new Set([version])
    if (status === 200) kept.id = answer.body.id
    if (version === 0) kept.id = undefined
  } else if (answer === undefined) kept.may.add(version)
  // The name may be taken, or the policy gone, after a change without an answer or a reload; what is there is seen at the next check.
  else if (status === 409 || status === 404) {
    const isKnown = kept.may.size === 1 && started === epoch && epoch % 2 === 0
    if (isKnown) problem(`${name}: ${status === 404 ? 'acknowledged, and not found' : 'gone, and its name is taken'}`)
    await wait(20)
  } else if (![0, 401, 500, 503].includes(status)) problem(`${name}: ${status} ${JSON.stringify(answer.body).slice(0, 300)}`)
  // A reload may have been before this change, or after it.
  if (started !== epoch || epoch % 2 === 1) kept.may.add(0).add(version)
}

async function read() {
  while (!isOver) {
    const answer = await call('GET', '/v2/iam/policy', { headers: { 'x-pagination-size': '30' } })
    if (answer?.status === 200) {
      counts.reads++
      for (const policy of answer.body) if (policy.name !== everything.name) versionOf(policy)
    } else if (answer !== undefined && ![0, 401, 503].includes(answer.status)) problem(`a list: ${answer.status} ${answer.body?.message}`)
    await wait(between(0, 40))
  }
}

/** Begin again with the seed, now and then: what was written before is gone, all of it or none. */
async function reload() {
  while (!isOver) {
    for (let slept = 0, most = between(0.02, 0.06) * seconds; slept < most && !isOver; slept += 0.2) await wait(200)
    if (isOver) return
    epoch++
    const quiet = [...model.values()].filter(({ isBusy }) => !isBusy)
    const turns = new Map(quiet.map((kept) => [kept, kept.turns]))
    const answer = await send('POST', '/_emulator/reload')
    if (answer?.status === 200) {
      counts.reloads++
      for (const [, kept] of model) kept.may = !kept.isBusy && kept.turns === turns.get(kept) ? new Set([0]) : kept.may.add(0)
    } else if (answer === undefined) {
      // All are gone, or none: the check sees.
      for (const kept of quiet) if (kept.may.size === 1 && !kept.may.has(0) && kept.turns === turns.get(kept)) kept.reloaded = kept.turns
      for (const [, kept] of model) kept.may.add(0)
    } else if (![0, 500, 503].includes(answer.status)) problem(`reload: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
    epoch++
  }
}

/** A day goes by: tokens expire. */
async function advance() {
  while (!isOver) {
    await wait(1000)
    await send('POST', '/_emulator/clock/advance', { headers: json, body: JSON.stringify({ seconds: Math.round(86_400 / seconds) }) })
  }
}

async function watch() {
  while (!isOver) {
    const now = usage()
    if (now) most = { mebibytes: Math.max(most.mebibytes, now.mebibytes), handles: Math.max(most.handles, now.handles) }
    await wait(500)
  }
}

/** The memory and the open handles of the emulator; undefined where the system does not report it. */
function usage() {
  try {
    const folder = `/proc/${life.process.pid}`
    const [, kibibytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`${folder}/status`, 'utf8'))
    return { mebibytes: Math.round(Number(kibibytes) / 1024), handles: readdirSync(`${folder}/fd`).length }
  } catch {
    return undefined
  }
}

/** Every policy that the emulator has, held against what each name may hold. Writers go on: theirs are looked at when they rest. */
async function check() {
  const started = epoch
  const resting = new Map([...model].filter(([, { isBusy }]) => !isBusy).map(([name, kept]) => [name, { kept, turns: kept.turns }]))
  const found = new Map()
  let cursor
  do {
    const headers = { 'x-pagination-size': '1000', ...(cursor !== undefined && { 'x-pagination-cursor': cursor }) }
    let answer = await call('GET', '/v2/iam/policy', { headers })
    for (let tries = 0; answer?.status === 401 && tries < 5; tries++) answer = await call('GET', '/v2/iam/policy', { headers })
    if (answer?.status !== 200) return problem(`a check: ${answer?.status} ${answer?.body?.message}`)
    for (const policy of answer.body) {
      if (found.has(policy.name)) problem(`${policy.name} is there twice`)
      found.set(policy.name, policy)
    }
    cursor = answer.next
  } while (cursor !== undefined)
  if (!found.delete(everything.name)) problem('the policy of the seed is lost')
  counts.checks++
  const reloaded = []
  for (const [name, { kept, turns }] of resting) {
    const policy = found.get(name)
    const version = policy ? versionOf(policy) : 0
    if (kept.isBusy || kept.turns !== turns || started !== epoch || epoch % 2 === 1) continue
    if (!kept.may.has(version)) problem(`${name}: holds version ${version}, and may hold ${[...kept.may].join(' or ')}`)
    if (kept.reloaded === kept.turns) reloaded.push(version > 0)
    kept.reloaded = undefined
    kept.may = new Set([version])
    kept.id = policy?.id
  }
  if (new Set(reloaded).size > 1) problem('a reload without an answer was done in part')
}

function judgeGrowth(measured) {
  if (!measured?.before || !measured.after) return values['no-write'] ? undefined : problem('memory and handles could not be measured')
  const { before, after } = measured
  if (after.mebibytes > Math.max(before.mebibytes * bounds.memoryGrowth, before.mebibytes + bounds.memoryMebibytes))
    problem(`memory grows: ${before.mebibytes} MiB, then ${after.mebibytes} MiB`)
  if (after.handles > before.handles + bounds.handles) problem(`handles grow: ${before.handles}, then ${after.handles}`)
}

function report(measured, took) {
  const reached = {
    ...counts,
    problems: problems.length,
    mebibytes: `${measured?.before?.mebibytes} to ${measured?.after?.mebibytes}`,
    handles: most.handles,
  }
  if (!values['no-write'] && ((isSmall && counts.diskFull === 0) || counts.kills === 0 || counts.reloads === 0))
    problem('the run was too short: no kill, reload or full disk in it')
  const figure = {
    claim:
      'the emulator loses no acknowledged change, shows no half-written one and does not grow, over a day with kills, reloads and a full disk',
    wanted: { problems: 0 },
    reached,
    seed: values.seed,
    seconds: Math.round(took),
    problems,
    statuses,
    most,
    command: `node scripts/soak.mjs --seconds ${values.seconds}`,
    at: new Date().toISOString().slice(0, 10),
  }
  console.log(JSON.stringify({ ...reached, seconds: figure.seconds }))
  if (values['no-write']) return
  const target = new URL('../figures/', import.meta.url)
  mkdirSync(target, { recursive: true })
  writeFileSync(new URL('soak.json', target), `${JSON.stringify(figure, null, 2)}\n`)
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, async () => {
    await tidy()
    process.exit(1)
  })

try {
  await run()
} catch (error) {
  problem(`the run ended: ${error.stack}`)
} finally {
  isOver = true
  await tidy()
}
process.exit(problems.length === 0 ? 0 : 1)
