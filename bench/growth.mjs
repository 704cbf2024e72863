/**
 * How much CPU time and memory each command takes as policies grow: node bench/growth.mjs [--sizes 100,1000,10000] [--limit 60] [--only NAME] [--json]
 * Worlds are those of bench/workload.mjs. Each command runs once, and is stopped after `--limit` seconds. `--only`: rows whose name begins so.
 * `--json`: an object a line. The times compare with that of `node -e 0`, which the first row has.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { commandsIn } from './commands.mjs'

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
  for (const [name, ...args] of [['node -e 0'], ...commandsIn(cwd, size)]) {
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
