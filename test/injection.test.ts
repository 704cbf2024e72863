import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isDeep } from './support/effort.ts'
import { writeFigures } from './support/figures.ts'
import { cases, files } from './support/writing-cases.ts'

/**
 * Every call that the built program makes of the system fails once, in each way that is likely: it never ends as if all were well
 * without the whole answer, leaves no file half-written and no file of its own behind.
 */

const root = resolve(import.meta.dirname, '..')
const preload = join(root, 'test/support/inject.mjs')
const top = mkdtempSync(join(tmpdir(), 'grantwise-injection-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

interface Line {
  readonly args: readonly string[]
  readonly files?: Readonly<Record<string, string>>
  readonly first?: readonly string[]
  readonly inGit?: true
  readonly input?: string
}

const question = ['urn:v1:eu:identity:user:ab12-svc/ann', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:vps-3']
const batch = `${JSON.stringify({ identity: question[0], action: question[1], resource: question[2] })}\n`
const lines: readonly Line[] = [
  { args: ['lint', 'policies'] },
  { args: ['lint', '--format', 'sarif', 'policies/a.yaml'], files: { '.grantwise.yaml': 'rules: { redundant-action: error }\n' } },
  { args: ['lint', '--since', 'HEAD', '.'], inGit: true },
  { args: ['can', ...question, '-p', 'policies'] },
  { args: ['can', '--batch', '-', '-p', 'policies'], input: batch.repeat(3) },
  { args: ['who', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:vps-3', '-p', 'policies'] },
  { args: ['diff', 'policies/plain.yaml', 'wider/plain.yaml'] },
  { args: ['diff', 'git:HEAD:policies', 'wider'], inGit: true },
  { args: ['lock', '--check', '-o', 'old.lock', '-p', 'policies'], first: ['lock', '-p', 'policies', '-o', 'old.lock'] },
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
}
const otherWays = ['EIO']

interface Outcome {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
  readonly files: Readonly<Record<string, string>>
}

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

/** Run a line with a failure planted. */
function run(line: Line, { cwd, temporary }: ReturnType<typeof folderOf>, inject: object): Promise<Outcome> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, ['--import', preload, join(root, 'bin/grantwise.js'), ...line.args], {
      cwd,
      env: { ...process.env, TMPDIR: temporary, GRANTWISE_INJECT: JSON.stringify(inject), NO_COLOR: '1' },
      timeout: 30_000,
    })
    const out = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (part: Buffer) => (out[name] += part.toString('latin1')))
    child.on('error', fail)
    child.stdin.on('error', () => {})
    child.stdin.end(line.input ?? '')
    child.on('close', (exit) => done({ exit, ...out, files: filesIn(cwd) }))
  })
}

/** What is wrong with how the program took a failure; undefined where nothing is. */
function fault(before: Outcome['files'], whole: Outcome, now: Outcome, left: readonly string[], isClosedPipe: boolean): string | undefined {
  const isWhole = now.exit === whole.exit && now.stdout === whole.stdout && JSON.stringify(now.files) === JSON.stringify(whole.files)
  if (left.length > 0) return `leaves ${left.join(', ')} in the folder for temporary files`
  if (isWhole) return undefined
  // Whoever closes the pipe that they read from asked for no more of it; the exit code is that of the whole answer.
  if (isClosedPipe && now.exit === whole.exit && JSON.stringify(now.files) === JSON.stringify(whole.files)) return undefined
  if (now.exit !== 2) return `ends with ${now.exit} without the whole answer`
  if (/^\s+at /m.test(now.stderr) || now.stderr.includes('internal error')) return `fails with ${now.stderr.slice(0, 300)}`
  for (const [name, text] of Object.entries(now.files))
    if (text !== before[name] && text !== whole.files[name] && !isWholeReport(name, text))
      return name in before || name in whole.files ? `half-written: ${name}` : `leaves ${name}`
  for (const name of Object.keys(before)) if (!(name in now.files) && name in whole.files) return `takes away ${name}`
  return undefined
}

/** Reports of a run that failed say so, and are whole all the same. */
function isWholeReport(name: string, text: string): boolean {
  if (name === 'report.xml') return text.trimEnd().endsWith('</testsuites>')
  if (name === 'old.txt') return text.endsWith('\n')
  return /^(?:report|new)\.json$/.test(name) && JSON.parse(text) !== null
}

const counts: Record<string, number> = {}
let wrongs = 0

// covers: P3, T25
test.each(lines.map((line) => [line.args.join(' '), line] as const))('%s', async (_, line) => {
  const place = folderOf(line)
  const before = filesIn(place.cwd)
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
  // A call in so many of each line, and all of them in a deep run.
  const queue = isDeep ? all : all.filter((_, i) => i % 40 === 7)
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
test('threads that cannot be started leave no answer out', async () => {
  const line: Line = { args: ['can', '--batch', '-', '--jobs', '2', '-p', 'policies'], input: batch.repeat(40_000) }
  const whole = await run(line, folderOf(line), {})
  const now = await run(line, folderOf(line), { name: 'Worker', code: 'ERR_WORKER_INIT_FAILED' })
  counts.Worker = 1
  expect(whole.exit).toBe(0)
  expect(whole.stdout.split('\n').length).toBe(40_001)
  if (now.exit === 0) expect(now.stdout === whole.stdout).toBe(true)
  else expect([now.exit, now.stderr.includes('internal error')]).toEqual([2, false])
})

test('calls of every kind failed', () => {
  const wanted = [
    'openSync',
    'readSync',
    'writeSync',
    'lstatSync',
    ...(isDeep ? ['renameSync', 'writeFileSync', 'spawnSync', 'mkdirSync', 'fsyncSync'] : []),
  ]
  expect(wanted.filter((name) => !counts[name])).toEqual([])
  if (isDeep && wrongs === 0) {
    writeFigures('injection', {
      claim: 'A call of the system that fails never passes for a whole answer, and leaves nothing half-written',
      wanted: { calls: 'every one that each command makes', wrong: 0 },
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
