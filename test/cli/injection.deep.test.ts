import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { clientId, clientSecret, startAccount } from '../support/account-server.ts'
import { isDeep, isWhole, shareOf, some } from '../support/effort.ts'
import { writeFigures } from '../support/figures.ts'
import { cases, files, policy } from '../support/writing-cases.ts'

/**
 * Every call that the built program makes of the system fails once, in each way that is likely: it never ends as if all were well
 * without the whole answer, leaves no file half-written and no file of its own behind.
 */

const root = resolve(import.meta.dirname, '../..')
const preload = join(root, 'test/support/inject.mjs')
const top = mkdtempSync(join(tmpdir(), 'grantwise-injection-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

interface Line {
  readonly args: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly first?: readonly string[]
  readonly inGit?: true
  readonly input?: string
  readonly links?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  /** The folder it is run in, below that of the files. */
  readonly below?: string
  /** It goes on until it is asked to end: when it has said this. */
  readonly until?: RegExp
  /** It takes long, and is left to deep runs. */
  readonly isLong?: true
}

const question = ['urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:vps-3']
const batch = `${JSON.stringify({ identity: question[0], action: question[1], resource: question[2] })}\n`
const other = policy('other', ['vps:apisvc:get'], 'vps-4')
const asksOther = ['can', 'urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:vps-4']
const seed = JSON.stringify({ account: 'ab12-svc', standIn: { resources: [{ urn: 'urn:v1:eu:resource:vps:vps-1' }] } })
const lines: readonly Line[] = [
  { args: ['lint', 'policies'] },
  { args: ['lint', '--format', 'sarif', 'policies/a.yaml'], files: { '.grantwise.yaml': 'rules: { redundant-action: error }\n' } },
  { args: ['can', ...question, '-p', 'policies'] },
  { args: ['lint', '--since', 'HEAD', '.'], inGit: true },
  { args: ['can', '--batch', '-', '-p', 'policies'], input: batch.repeat(3) },
  { args: ['who', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:vps-3', '-p', 'policies'] },
  { args: ['diff', 'policies/plain.yaml', 'wider/plain.yaml'] },
  { args: ['diff', 'git:HEAD:policies', 'wider'], inGit: true },
  { args: ['lock', '--check', '-o', 'old.lock', '-p', 'policies'], first: ['lock', '-p', 'policies', '-o', 'old.lock'] },
  // A file that is not read would turn the answer.
  { args: [...asksOther, '-p', '.'], files: { '.gitignore': 'other.yaml\n', 'other.yaml': other }, inGit: true },
  { args: [...asksOther, '-p', '.'], files: { '.gitignore': 'other.yaml\n', 'inner/other.yaml': other }, inGit: true, below: 'inner' },
  {
    args: ['lint', '.'],
    files: {
      '.grantwise.yaml': 'rules: { redundant-action: off }\n',
      'own/.git/HEAD': '',
      'own/a.yaml': files['policies/a.yaml'] as string,
    },
    below: 'own',
  },
  { args: ['lint', 'linked'], files: { 'linked/plain.yaml': other }, links: { 'linked/away.yaml': '../policies/a.yaml' } },
  // Commands that go on until they are ended.
  { args: ['lint', '--watch', 'policies/plain.yaml'], isLong: true, until: /watching/, env: { CI: '' } },
  { args: ['explore', '--port', '0', 'policies'], isLong: true, until: /http:/ },
  {
    args: [
      'serve',
      '--port',
      '0',
      '--seed',
      'seed.json',
      '--state',
      'kept.db',
      '--record',
      'calls',
      '--ready-file',
      'ready',
      '--export-on-exit',
      'seed.out',
    ],
    files: { 'seed.json': seed },
    isLong: true,
    until: /account /,
  },
  ...Object.values(cases).flat(),
]

/** How a call is likely to fail. */
const ways: Readonly<Record<string, readonly string[]>> = {
  openSync: ['EACCES', 'EMFILE'],
  readSync: ['EIO', 'SHORT'],
  writeSync: ['ENOSPC', 'EPIPE', 'SHORT'],
  writeFileSync: ['ENOSPC', 'SHORT'],
  renameSync: ['EXDEV', 'EACCES'],
  spawnSync: ['ENOENT', 'SIGKILL', 'SHORT'],
  listen: ['EADDRINUSE'],
  Worker: ['ERR_WORKER_INIT_FAILED', 'ENDED'],
  watch: ['ENOSPC'],
}
const otherWays = ['EIO']

interface Outcome {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
  readonly files: Readonly<Record<string, string>>
}

/** Of how many calls of a line one fails. */
const share = Math.round(shareOf(40))
let folders = 0

/** A folder of its own with the files of a line, and an empty folder for temporary files. */
function folderOf(line: Line): { readonly cwd: string; readonly temporary: string } {
  const own = join(top, String(folders++))
  const [cwd, temporary] = [join(own, 'work'), join(own, 'tmp')]
  mkdirSync(temporary, { recursive: true })
  for (const [name, text] of Object.entries({ ...files, ...line.files })) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  for (const [name, target] of Object.entries(line.links ?? {})) symlinkSync(target, join(cwd, name))
  if (line.first) spawnSync(process.execPath, [join(root, 'bin/grantwise.js'), ...line.first], { cwd })
  if (line.inGit) {
    const git = (...args: string[]) => spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd })
    git('init', '-q')
    git('add', '-A')
    git('commit', '-qm', 'all')
    writeFileSync(join(cwd, 'policies/new.yaml'), files['policies/a.yaml'] as string)
  }
  return { cwd, temporary }
}

function filesIn(cwd: string): Readonly<Record<string, string>> {
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.git/') && name !== '.git')
  return Object.fromEntries(
    names.sort().flatMap((name) => (statSync(join(cwd, name)).isFile() ? [[name, readFileSync(join(cwd, name), 'latin1')] as const] : [])),
  )
}

/** The same without what they hold: each run makes secrets of its own. */
function namesIn(cwd: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(filesIn(cwd)).map((name) => [name, '']))
}

/** Run a line with a failure planted. */
function run(line: Line, { cwd, temporary }: ReturnType<typeof folderOf>, inject: object): Promise<Outcome> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--import', preload, join(root, 'bin/grantwise.js'), ...line.args], {
      cwd: join(cwd, line.below ?? ''),
      // Compiled code of earlier runs would be read in some and not in others.
      env: {
        ...process.env,
        NODE_DISABLE_COMPILE_CACHE: '1',
        ...line.env,
        TMPDIR: temporary,
        GRANTWISE_INJECT: JSON.stringify({ ...inject, signal: 3 }),
        NO_COLOR: '1',
      },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
    const out = { stdout: '', stderr: '' }
    let asking: NodeJS.Timeout | undefined
    const ask = () => {
      asking ??= setInterval(() => child.kill('SIGTERM'), 20)
    }
    // The text of the line may be what is lost.
    child.stdio[3]?.on('data', () => line.until && ask())
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (part: Buffer) => {
        out[name] += part.toString('latin1')
        if (line.until?.test(out[name])) ask()
      })
    child.on('error', fail)
    child.stdin.on('error', () => {})
    child.stdin.end(line.input ?? '')
    child.on('close', (exit) => {
      clearInterval(asking)
      const { stdout, stderr } = out
      done({ exit, stdout: stdout.replace(/127\.0\.0\.1:\d+/g, ''), stderr, files: line.until ? namesIn(cwd) : filesIn(cwd) })
    })
  })
}

/** The fault in how the program took a failure; undefined where there is none. */
function fault(before: Outcome['files'], whole: Outcome, now: Outcome, left: readonly string[], isClosedPipe: boolean): string | undefined {
  const isWhole = now.exit === whole.exit && now.stdout === whole.stdout && JSON.stringify(now.files) === JSON.stringify(whole.files)
  if (left.length > 0) return `leaves ${left.join(', ')} in the folder for temporary files`
  if (isWhole) return undefined
  // A reader that closes its pipe asked for no more of it; the exit code is that of the whole answer.
  if (isClosedPipe && now.exit === whole.exit && JSON.stringify(now.files) === JSON.stringify(whole.files)) return undefined
  if (now.exit !== 2) return `ends with ${now.exit} without the whole answer`
  if (/^\s+at /m.test(now.stderr) || now.stderr.includes('internal error')) return `fails with ${now.stderr.slice(0, 300)}`
  const isNew = (name: string) => !(name in before) && !(name in whole.files)
  for (const [name, text] of Object.entries(now.files))
    if (text !== before[name] && text !== whole.files[name] && !isWholeReport(name, text) && !(isNew(name) && isNamed(name, now.stderr)))
      return name in before || name in whole.files ? `half-written: ${name}` : `leaves ${name}`
  for (const name of Object.keys(before)) if (!(name in now.files) && name in whole.files) return `takes away ${name}`
  return undefined
}

/** Whether what could not be removed, or is left for the next run to finish, is named. */
function isNamed(name: string, message: string): boolean {
  if (!/cannot be removed|finishes what is left|which is left/.test(message)) return false
  return message.includes(name) || (name.includes('/.grantwise-pull.') && message.includes(dirname(name)))
}

/** Reports of a run that failed say so, and are whole all the same. */
function isWholeReport(name: string, text: string): boolean {
  if (name === 'report.xml') return text.trimEnd().endsWith('</testsuites>')
  if (name === 'old.txt') return text.endsWith('\n')
  return /^(?:report|new)\.json$/.test(name) && JSON.parse(text) !== null
}

const counts: Record<string, number> = {}
let wrongs = 0

/** Those that run until they are ended have functions of their own. */
const chosen = [
  ...lines.filter(({ isLong }) => isLong),
  ...some(
    lines.filter(({ isLong }) => !isLong),
    3,
  ),
]

// covers: P3, T25
test.each(chosen.map((line) => [line.args.join(' '), line] as const))('%s', (_, line) => holds(line))

// covers: P3, T25
test('pull', async () => {
  const server = await startAccount()
  try {
    const fields = { owner: 'ab12-svc', readOnly: false, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null, description: '' }
    const rest = { identities: [question[0]], conditions: null, expiredAt: null }
    const resources = [{ id: 'r-1', urn: 'urn:v1:eu:resource:vps:vps-1', resource: null }]
    const permissions = { allow: [{ action: 'vps:apisvc:get' }], except: [], deny: null }
    server.lists.policies = ['one', 'two'].map((name) => ({ id: name, name, ...fields, ...rest, resources, permissions }))
    const env = { GRANTWISE_CLIENT_ID: clientId, GRANTWISE_CLIENT_SECRET: clientSecret }
    await holds({ args: ['pull', '--base-url', server.url, '--auth-url', server.url, 'account'], env })
  } finally {
    await server.close()
  }
})

/** A folder as standard input is no input, whatever Node makes of it. */
test.each([['can', '--batch', '-', '-p', 'policies'], ['lint', '-'], ['mcp'], ['repl'], ['lsp', '--stdio']])(
  '%s of a folder',
  (...args) => {
    const { cwd } = folderOf({ args })
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'bin/grantwise.js'), ...args], {
      cwd,
      stdio: [openSync(cwd, 'r'), 'pipe', 'pipe'],
      encoding: 'utf8',
    })
    expect(stderr).toContain('standard input cannot be read: a folder')
    expect(status).toBe(args[0] === 'lsp' ? 1 : 2)
  },
)

/** One call in so many, and in a deep run one of each kind: for each line, or for all lines where the run leaves something out. */
function chosenOf<T extends { readonly name: string }>(all: readonly T[]): T[] {
  const isFirst = ({ name }: T, i: number) => all.findIndex((each) => each.name === name) === i && (isWhole || counts[name] === undefined)
  return all.filter((each, i) => i % share === 7 % share || (isDeep && isFirst(each, i)))
}

/** Make each call of a line fail, and see what becomes of it. */
async function holds(line: Line): Promise<void> {
  const place = folderOf(line)
  const before = line.until ? namesIn(place.cwd) : filesIn(place.cwd)
  const log = join(dirname(place.cwd), 'calls')
  writeFileSync(log, '')
  const whole = await run(line, place, { log })
  const calls = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as readonly [name: string, path: string])
  expect(calls.length).toBeGreaterThan(3)
  // One of several calls that are the same: the second look at a file is taken as the first.
  const keys = calls.map((call) => call.join(' '))
  const all = calls.flatMap(([name, path], at) =>
    keys.indexOf(`${name} ${path}`) < at && !name.startsWith('write')
      ? []
      : (ways[name] ?? otherWays).map((code) => ({ name, path, at, code })),
  )
  const queue = chosenOf(all)
  const faults: string[] = []
  const work = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      const own = folderOf(line)
      const now = await run(line, own, { at: one.at, code: one.code })
      counts[one.name] = (counts[one.name] ?? 0) + 1
      const wrong = fault(before, whole, now, readdirSync(own.temporary), one.code === 'EPIPE')
      if (wrong) faults.push(`${one.name} ${one.path.replace(own.cwd, '').slice(-60)} ${one.code}: ${wrong}`)
      rmSync(dirname(own.cwd), { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  wrongs += faults.length
  expect(faults).toEqual([])
}

// covers: P3, T25
test('the cache of compiled code', async () => {
  const caches = join(top, 'caches')
  const env = { NODE_DISABLE_COMPILE_CACHE: '', XDG_CACHE_HOME: caches }
  const args = ['can', ...question, '-p', 'policies']
  const place = folderOf({ args })
  // The first run makes the folder, the second one writes into it.
  for (let i = 0; i < 2; i++) await run({ args, env }, place, {})
  expect(readdirSync(join(caches, 'grantwise/compiled')).length).toBeGreaterThan(2)
  await holds({ args, env })
})

// covers: P3, T25
test('an address that cannot be listened on ends the emulator', async () => {
  for (const code of ['EADDRINUSE', 'EACCES']) {
    const { exit, stdout, stderr } = await run({ args: ['serve', '--port', '0'] }, folderOf({ args: [] }), { name: 'listen', code })
    counts.listen = (counts.listen ?? 0) + 1
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^grantwise: /)
    expect(stderr).not.toContain('internal error')
  }
})

// covers: P3, T25
test.each(['ERR_WORKER_INIT_FAILED', 'ENDED'])('threads that fail leave no answer out: %s', async (code) => {
  const line: Line = { args: ['can', '--batch', '-', '--jobs', '2', '-p', 'policies'], input: batch.repeat(40_000) }
  const whole = await run(line, folderOf(line), {})
  const now = await run(line, folderOf(line), { name: 'Worker', code })
  counts.Worker = (counts.Worker ?? 0) + 1
  expect(whole.exit).toBe(0)
  expect(whole.stdout.split('\n').length).toBe(40_001)
  expect([now.exit, now.stderr, now.stdout === whole.stdout]).toEqual([0, '', true])
})

/** Requests of an assistant, a line each. */
const asked = [
  ['initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }],
  ['tools/call', { name: 'lint', arguments: { paths: ['policies'] } }],
  ['ping', {}],
] as const
const requests = asked.map(([method, params], id) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`).join('')
const assistant: Line = { args: ['mcp'], input: requests }

interface Reply {
  readonly id: number
  readonly error?: { readonly message: string }
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: { readonly exitCode: number } }
}

/** Faults of the replies of `mcp` after a failure; undefined where each request has the whole answer or an error. */
function faultOfReplies(whole: Outcome, now: Outcome): string | undefined {
  if (/^\s+at /m.test(now.stderr) || /internal error/.test(now.stdout + now.stderr)) return `fails with ${now.stdout}${now.stderr}`
  if (now.exit === 2 && now.stderr !== '') return undefined
  if (now.exit !== 0) return `ends with ${now.exit}`
  const repliesOf = ({ stdout }: Outcome) =>
    stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Reply)
  const replies = repliesOf(now)
  for (const expected of repliesOf(whole)) {
    const reply = replies.find(({ id }) => id === expected.id)
    if (!reply) return `no reply to ${expected.id}`
    const isRefused = reply.error !== undefined || reply.result?.isError === true || reply.result?.structuredContent?.exitCode === 2
    if (!isRefused && JSON.stringify(reply) !== JSON.stringify(expected)) return `a wrong reply: ${JSON.stringify(reply)}`
  }
  return undefined
}

// covers: P3, T25
test.each([false, true])('mcp answers each request whatever call fails; in threads: %s', async (inThreads) => {
  const place = folderOf(assistant)
  const log = join(dirname(place.cwd), 'calls')
  writeFileSync(log, '')
  const whole = await run(assistant, place, { log, inThreads })
  expect([whole.exit, whole.stderr, whole.stdout.trim().split('\n').length]).toEqual([0, '', 3])
  const rows = readFileSync(log, 'utf8').trim().split('\n')
  expect(rows.length).toBeGreaterThan(3)
  const all = rows.flatMap((row, at) => {
    const [name, path] = JSON.parse(row) as readonly [string, string]
    return rows.indexOf(row) < at && !name.startsWith('write') ? [] : (ways[name] ?? otherWays).map((code) => ({ name, path, at, code }))
  })
  const queue = chosenOf(all)
  const faults: string[] = []
  const work = async () => {
    for (let one = queue.shift(); one; one = queue.shift()) {
      const own = folderOf(assistant)
      const now = await run(assistant, own, { at: one.at, code: one.code, inThreads })
      counts[one.name] = (counts[one.name] ?? 0) + 1
      // A reader that closes its pipe asked for no more of it.
      const wrong = one.code === 'EPIPE' && now.exit === 0 ? undefined : faultOfReplies(whole, now)
      if (wrong) faults.push(`${one.name} ${one.path.replace(own.cwd, '').slice(-60)} ${one.code}: ${wrong.slice(0, 300)}`)
      rmSync(dirname(own.cwd), { recursive: true, force: true })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  wrongs += faults.length
  expect(faults).toEqual([])
})

// covers: P3, T25
test.each(['ERR_WORKER_INIT_FAILED', 'ENDED'])('mcp answers each request where its thread fails: %s', async (code) => {
  const now = await run(assistant, folderOf(assistant), { name: 'Worker', code })
  const replies = now.stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Reply)
  expect([now.exit, now.stderr, replies.map(({ id }) => id).sort()]).toEqual([0, '', [0, 1, 2]])
  const lint = replies.find(({ id }) => id === 1)
  expect(lint?.error !== undefined || lint?.result?.isError === true).toBe(true)
})

// covers: P3, T25
test.each(['ERR_WORKER_INIT_FAILED', 'ENDED'])('lsp reports to the user where its thread fails, and goes on: %s', async (code) => {
  const { cwd } = folderOf({ args: [] })
  const child = spawn(process.execPath, ['--import', preload, join(root, 'bin/grantwise.js'), 'lsp', '--stdio'], {
    cwd,
    env: { ...process.env, GRANTWISE_INJECT: JSON.stringify({ name: 'Worker', code }) },
  })
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  let [stdout, stderr] = ['', '']
  let isReported = false
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
  child.stdout.on('data', (part: Buffer) => {
    stdout += part.toString()
    if (isReported || !stdout.includes('window/showMessage')) return
    isReported = true
    send({ id: 2, method: 'shutdown' })
    send({ method: 'exit' })
  })
  send({ id: 1, method: 'initialize', params: { processId: null, rootUri: pathToFileURL(cwd).href, capabilities: {} } })
  send({ method: 'initialized', params: {} })
  const exit = await new Promise((done) => child.on('close', done))
  expect([exit, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/"type":[12],"message":"grantwise: /)
  expect(stdout).toContain('"id":2,"result":null')
})

test('calls of every kind failed', () => {
  const wanted = [
    'openSync',
    'readSync',
    'writeSync',
    'lstatSync',
    ...(isDeep ? ['renameSync', 'writeFileSync', 'spawnSync', 'mkdirSync', 'fsyncSync', 'Worker', 'watch', 'listen'] : []),
  ]
  expect(wanted.filter((name) => !counts[name])).toEqual([])
  if (isWhole && wrongs === 0) {
    writeFigures('injection', {
      claim: 'A call of the system that fails never passes for a whole answer, and leaves nothing half-written',
      wanted: { calls: 'each of each command, calls of the same name and path once', wrong: 0 },
      reached: {
        failures: Object.values(counts).reduce((a, b) => a + b, 0),
        wrong: wrongs,
        calls: Object.fromEntries(Object.entries(counts).sort()),
      },
      seed: 'none',
      command: 'npm run test:deep',
    })
  }
})
