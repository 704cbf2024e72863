/**
 * How much CPU time and memory each command takes as policies grow: node bench/growth.mjs [--sizes 100,1000,10000] [--limit 60] [--only NAME] [--json]
 * Worlds are those of bench/workload.mjs. Each command runs once, and is stopped after `--limit` seconds. `--only`: rows whose name begins so.
 * `--json`: an object a line. The times compare with that of `node -e 0`, which the first row has.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { workload } from './workload.mjs'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    limit: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
  },
})
const sizes = values.sizes.split(',').map(Number)
const program = fileURLToPath(new URL('../bin/grantwise.js', import.meta.url))
const everything = 'urn:v1:eu:resource:*'

/** What is run in the folder of a world: a name, and the arguments of the program; without any, Node alone. */
const commands = ({ identity: user, action, resource }, denied, group) => [
  ['node -e 0'],
  ['lint', 'lint', 'world.json'],
  ['can', 'can', user, action, resource, '-p', 'world.json'],
  ['can --batch, 10,000 questions', 'can', '--batch', 'questions.ndjson', '-p', 'world.json'],
  ['who', 'who', action, resource, '-p', 'world.json'],
  ['who, a pattern', 'who', `${action.split(':')[0]}:*`, resource, '-p', 'world.json'],
  ['what', 'what', user, '-p', 'world.json'],
  ['what, all users', 'what', 'user/*', '-p', 'world.json'],
  ['diff, the same', 'diff', 'world.json', 'same.json'],
  ['diff, one edited', 'diff', 'world.json', 'one.json'],
  ['diff, 5 % edited', 'diff', 'world.json', 'edited.json'],
  ['diff, from nothing', 'diff', 'nothing.json', 'world.json'],
  ['lock', 'lock', '-p', 'world.json'],
  ['lock --check', 'lock', '--check', '-p', 'world.json'],
  ['minimise', 'minimise', '-p', 'world.json'],
  ['suggest', 'suggest', denied.identity, denied.action, denied.resource, '-p', 'world.json'],
  ['matrix', 'matrix', '-p', 'world.json'],
  ['report', 'report', '-p', 'world.json', '-o', 'report.html'],
  ['timeline', 'timeline', '-p', 'world.json'],
  ['escalate', 'escalate', user, '-p', 'world.json'],
  ['escalate, all', 'escalate', '-p', 'world.json'],
  ['compare', 'compare', user, group, '-p', 'world.json'],
  ['policies', 'policies', user, '-p', 'world.json'],
  ['policies --overlap', 'policies', '--overlap', '-p', 'world.json'],
  ['graph', 'graph', '-p', 'world.json'],
]

const folder = mkdtempSync(join(tmpdir(), 'grantwise-growth-'))
const table = new Map()
try {
  for (const size of sizes) measure(size)
} finally {
  rmSync(folder, { recursive: true })
}
if (!values.json) {
  console.log(`| command | ${sizes.map((size) => size.toLocaleString('en-US')).join(' | ')} |\n|---|${sizes.map(() => '---|').join('')}`)
  for (const [name, cells] of table) console.log(`| ${name} | ${cells.join(' | ')} |`)
}

function measure(size) {
  const cwd = join(folder, String(size))
  mkdirSync(cwd)
  const { policies, identities, questions } = workload(size, 10_000, 1)
  const write = (name, value) => writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value))
  const edited = (every) => policies.map((policy, i) => (i % every === 0 ? { ...policy, resources: [{ urn: everything }] } : policy))
  const file = (list) => ({ policies: list, identities })
  write('world.json', file(policies))
  write('same.json', file(policies.toReversed()))
  write('one.json', file(edited(size)))
  write('edited.json', file(edited(20)))
  write('nothing.json', file([]))
  write(
    'questions.ndjson',
    questions.map(({ identity, action, resource }) => `${JSON.stringify({ identity, action, resource })}\n`).join(''),
  )
  const [allowed, denied] = ['allow', 'deny'].map((verdict) => questions.find(({ expect }) => expect === verdict))
  const group = policies.flatMap(({ identities }) => identities).find((each) => each.includes(':group:'))
  for (const [name, ...args] of commands(allowed, denied, group)) {
    if (!name.startsWith(values.only)) continue
    const result = { size, command: name, ...run(cwd, args) }
    if (values.json) console.log(JSON.stringify(result))
    const { seconds, mebibytes, exit } = result
    const cell = seconds === null ? '†' : `${seconds} / ${mebibytes}${exit > 1 ? ` (exit ${exit})` : ''}`
    table.set(name, [...(table.get(name) ?? []), cell])
    console.error(size, name, cell)
  }
}

/** Run the program once: seconds of CPU, the most memory, and the exit code; null where it was stopped. */
function run(cwd, args) {
  const used = join(cwd, 'used')
  rmSync(used, { force: true })
  const note = `import { writeFileSync } from 'node:fs'; process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); writeFileSync(${JSON.stringify(used)}, JSON.stringify([userCPUTime + systemCPUTime, maxRSS])) })`
  const watch = ['--import', `data:text/javascript,${encodeURIComponent(note)}`]
  const { status, stdout } = spawnSync(process.execPath, args.length === 0 ? [...watch, '-e', '0'] : [...watch, program, ...args], {
    cwd,
    timeout: Number(values.limit) * 1000,
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (status === null) return { seconds: null, mebibytes: null, exit: null }
  const [microseconds, kibibytes] = JSON.parse(readFileSync(used, 'utf8'))
  return { seconds: Math.round(microseconds / 1e4) / 100, mebibytes: Math.round(kibibytes / 1024), exit: status, bytes: stdout.length }
}
