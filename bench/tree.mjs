/**
 * How fast `lint` goes through a tree of clean policy files, beside a bare program that reads and `JSON.parse`s them:
 * node bench/tree.mjs [--files 10000] [--runs 5] [--guardrails 20] [--keep FOLDER]
 * With guardrails that all files keep, also how fast `lint` decides these. The programs take turns, so that what else the machine does befalls all. Prints a line of JSON; `--keep` leaves the tree.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '5' },
    guardrails: { type: 'string', default: '0' },
    keep: { type: 'string' },
  },
})
const count = Number(values.files)
const runs = Number(values.runs)
const program = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))

const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'grantwise-tree-'))
const bytes = writeTree(folder)
const bare = join(folder, 'bare.mjs')
writeFileSync(
  bare,
  `import { readdirSync, readFileSync } from 'node:fs'
let values = 0
for (const name of readdirSync('policies', { recursive: true }))
  if (name.endsWith('.json')) values += JSON.parse(readFileSync('policies/' + name, 'utf8')).resources.length
console.log(values)
`,
)
const guardrails = Number(values.guardrails)
writeFileSync(join(folder, 'guarded.json'), JSON.stringify({ guardrails: Array.from({ length: guardrails }, (_, i) => guardrail(i)) }))
const times = { bare: [], lint: [], guarded: [] }
run([bare], 0)
run([program, 'lint', 'policies'], 0)
for (let i = 0; i < runs; i++) {
  times.bare.push(run([bare], 0))
  times.lint.push(run([program, 'lint', 'policies'], 0))
  if (guardrails > 0) times.guarded.push(run([program, 'lint', '--config', 'guarded.json', 'policies'], 0))
}
const [bareMs, lintMs] = [median(times.bare), median(times.lint)]
console.log(
  JSON.stringify({
    machine: { cores: availableParallelism(), node: process.versions.node },
    workload: { files: count, megabytes: round(bytes / 1e6), runs },
    bareMs: round(bareMs),
    lintMs: round(lintMs),
    filesPerSecond: Math.round((count / lintMs) * 1000),
    ratio: round(lintMs / bareMs),
    ...(guardrails > 0 && { guardrails, guardedMs: round(median(times.guarded)), guardedRatio: round(median(times.guarded) / lintMs) }),
  }),
)
if (values.keep === undefined) rmSync(folder, { recursive: true })

/** A claim that all files keep: about what nobody is granted, about all servers of one team, or about who has a common action. */
function guardrail(i) {
  const one = 'urn:v1:eu:resource:vps:*'
  const claims = [
    { never: { actions: 'vps:apisvc:terminate', resources: one } },
    { never: { identities: 'urn:v1:eu:identity:credential:*', actions: 'vps:apisvc:re*', resources: one } },
    {
      only: {
        identities: `urn:v1:eu:identity:user:ab12-svc/user-${i}-*`,
        actions: 'vps:*',
        resources: `urn:v1:eu:resource:vps:vps-${i}-*`,
      },
    },
    { requires: { actions: 'vps:apisvc:reinstall', resources: one, expiresWithin: 30 } },
    { never: { actions: ['domain:*', 'ip:*'], resources: 'urn:v1:eu:resource:*' } },
  ]
  return { code: `acme/claim-${i}`, message: 'a claim', ...claims[i % claims.length] }
}

/** Milliseconds of a whole process. */
function run(args, expected) {
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  if (status !== expected) throw new Error(`${args.join(' ')} ended with ${status}: ${stdout.slice(0, 2000)}${stderr.slice(0, 500)}`)
  return performance.now() - start
}

function median(list) {
  return list.toSorted((a, b) => a - b)[list.length >> 1]
}

function round(value) {
  return Math.round(value * 100) / 100
}

/** Files of 1 to 4 KB, a policy in each, a hundred in a folder: laid out as people do, with no finding in any. */
function writeTree(top) {
  const actions = ['get', 'reboot', 'start', 'stop', 'ips/get', 'disks/get', 'snapshot/get', 'serviceInfos/get', 'option/get', 'tasks/get']
  let seed = 1
  const random = (below) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  let size = 0
  for (let i = 0; i < count; i++) {
    const place = join(top, 'policies', `team-${String(Math.floor(i / 100)).padStart(3, '0')}`)
    if (i % 100 === 0) mkdirSync(place, { recursive: true })
    const resources = 8 + random(48)
    const users = 2 + random(6)
    const policy = {
      name: `policy-${i}`,
      description: `What group ${i} does with its servers, and nothing else.`,
      identities: Array.from({ length: users }, (_, k) => `urn:v1:eu:identity:user:ab12-svc/user-${i}-${k}`).sort(),
      resources: Array.from({ length: resources }, (_, k) => ({ urn: `urn:v1:eu:resource:vps:vps-${i}-${String(k).padStart(2, '0')}` })),
      permissions: {
        allow: actions
          .slice(0, 3 + random(7))
          .sort()
          .map((path) => ({ action: `vps:apisvc:${path}` })),
      },
    }
    const text = `${JSON.stringify(policy, null, 2)}\n`
    size += text.length
    writeFileSync(join(place, `policy-${i}.json`), text)
  }
  return size
}
