/**
 * CPU time of `lint` next to Biome and the bare program over the same clean files, of starts next to `node -e 0`, and decisions next to
 * look-ups in a ready `Map`: node bench/compare.mjs [--files 10000] [--runs 5] [--sizes 100,1000,10000] [--seconds 4]
 * What is compared takes turns, so that other work of the machine affects all of it. Prints medians and their ratios as a line of JSON.
 * Needs a POSIX shell, which counts the CPU time of programs that are not Node.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bareName, writeFiles } from './files.mjs'

const text = (value) => ({ type: 'string', default: value })
const { values } = parseArgs({ options: { files: text('10000'), runs: text('5'), sizes: text('100,1000,10000'), seconds: text('4') } })
const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))
const node = process.execPath
const lint = [node, pathOf('bin/grantwise.js'), 'lint']
const can = [node, pathOf('bin/grantwise.js'), 'can']

const folder = mkdtempSync(join(tmpdir(), 'grantwise-compare-'))
try {
  writeFiles(folder, Number(values.files))
  const one = 'policies/team-000/policy-0.json'
  const again = [...lint, '--cache', 'policies']
  // It fills the cache.
  cpuOf(again)
  const files = inTurns({
    lint: [...lint, 'policies'],
    again,
    biome: [pathOf('node_modules/.bin/biome'), 'lint', 'policies'],
    bare: [node, bareName],
  })
  // A shell counts hundredths of a second, of which a start takes few: twenty starts are counted together.
  const start = inTurns(
    {
      node: [node, '-e', '0'],
      lint: [...lint, one],
      can: [...can, '--policies', one, 'urn:v1:eu:identity:user:ab12-svc/user-0-0', 'vps:apisvc:get', 'urn:v1:eu:resource:vps:vps-0-00'],
    },
    20,
  )
  console.log(
    JSON.stringify({
      machine: { cores: availableParallelism(), node: process.versions.node },
      files: {
        count: Number(values.files),
        ...files,
        toBiome: round(files.lint / files.biome),
        toBare: round(files.lint / files.bare),
        againToBare: round(files.again / files.bare),
      },
      start: { ...start, lintToNode: round(start.lint / start.node), canToNode: round(start.can / start.node) },
      decisions: decisions(),
    }),
  )
} finally {
  rmSync(folder, { recursive: true })
}

/** The medians of the seconds of CPU that each of some programs takes, as the mean of so many runs one after the other. */
function inTurns(programs, starts = 1) {
  const seconds = Object.fromEntries(Object.keys(programs).map((name) => [name, []]))
  for (let i = 0; i < Number(values.runs); i++) for (const [name, args] of Object.entries(programs)) seconds[name].push(cpuOf(args, starts))
  return Object.fromEntries(Object.entries(seconds).map(([name, list]) => [name, median(list)]))
}

/** The seconds of CPU of a whole process and those it starts: the mean of so many. */
function cpuOf(args, starts = 1) {
  const repeated = 'left=$1; shift; while [ "$left" -gt 0 ]; do "$@" >/dev/null || exit; left=$((left - 1)); done; times'
  const { status, stdout, stderr } = spawnSync('sh', ['-c', repeated, 'sh', String(starts), ...args], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr.slice(0, 500)}`)
  const [user, system] = stdout.trim().split('\n')[1].split(' ').map(secondsIn)
  return round((user + system) / starts)
}

/** Seconds in the form of a shell: `1m2.345s`. */
function secondsIn(shown) {
  const [, minutes, seconds] = /^(\d+)m([\d.]+)s$/.exec(shown)
  return Number(minutes) * 60 + Number(seconds)
}

/** For each size of a world: decisions a second of a ready `Map` and ours. */
function decisions() {
  const args = ['--engines', 'map,grantwise', '--sizes', values.sizes, '--seconds', values.seconds, '--json']
  const { status, stdout, stderr } = spawnSync(node, [pathOf('bench/run.mjs'), ...args], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the benchmark of decisions ended with ${status}: ${stderr.slice(0, 500)}`)
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const { workload, results } = JSON.parse(line)
      const [map, ours] = results.map(({ decisionsPerSecond }) => decisionsPerSecond)
      return { policies: workload.policies, map, ours, toMap: round(ours / map) }
    })
}

function median(list) {
  return list.toSorted((a, b) => a - b)[list.length >> 1]
}

function round(value) {
  return Math.round(value * 1000) / 1000
}
