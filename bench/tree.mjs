/**
 * How fast `lint` goes through a tree of clean policy files, compared with a bare program that reads and `JSON.parse`s them:
 * node bench/tree.mjs [--files 10000] [--runs 5] [--guardrails 20] [--keep FOLDER]
 * With guardrails that all files keep, also how fast `lint` decides these. The programs take turns, so that what else the machine does befalls all. Prints a line of JSON; `--keep` leaves the tree.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bareName, writeFiles } from './files.mjs'

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
const bytes = writeFiles(folder, count)
const bare = join(folder, bareName)
const guardrails = Number(values.guardrails)
writeFileSync(join(folder, 'guarded.json'), JSON.stringify({ guardrails: Array.from({ length: guardrails }, (_, i) => guardrail(i)) }))
/** The same with `--cache`, as long as nothing changes: the first run, which is not measured, fills the cache. */
const again = [program, 'lint', '--cache', 'policies']
const times = { bare: [], lint: [], again: [], guarded: [] }
run([bare], 0)
run([program, 'lint', 'policies'], 0)
run(again, 0)
for (let i = 0; i < runs; i++) {
  times.bare.push(run([bare], 0))
  times.lint.push(run([program, 'lint', 'policies'], 0))
  times.again.push(run(again, 0))
  if (guardrails > 0) times.guarded.push(run([program, 'lint', '--config', 'guarded.json', 'policies'], 0))
}
const [bareMs, lintMs, againMs] = [median(times.bare), median(times.lint), median(times.again)]
console.log(
  JSON.stringify({
    machine: { cores: availableParallelism(), node: process.versions.node },
    workload: { files: count, megabytes: round(bytes / 1e6), runs },
    bareMs: round(bareMs),
    lintMs: round(lintMs),
    againMs: round(againMs),
    filesPerSecond: Math.round((count / lintMs) * 1000),
    ratio: round(lintMs / bareMs),
    againRatio: round(againMs / bareMs),
    ...(guardrails > 0 && { guardrails, guardedMs: round(median(times.guarded)), guardedRatio: round(median(times.guarded) / lintMs) }),
  }),
)
if (values.keep === undefined) rmSync(folder, { recursive: true })

/** A claim that all files keep: about what no identity is granted, about all servers of one team, or about who has a common action. */
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
