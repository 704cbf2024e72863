/**
 * The steps of each command as policies grow, and the exponents of their growth: node bench/cost.mjs [--sizes 100,1000,10000] [--limit 240]
 * [--only NAME | --share N] [--json | --write | --check | --record]
 * `--write`: the table of docs/benchmarks.md. `--check`: the two sizes of bench/exponents.json, and an error where an exponent is larger than
 * the one recorded there; `--record` writes that file. `--share`: one command of the program in so many, others at each commit. Steps are what `--cost` prints: the same on each machine, whatever else it does.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { turnOf } from '../scripts/turn.mjs'
import { commandsIn } from './commands.mjs'
import { exponent, larger } from './exponents.mjs'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '100,1000,10000' },
    limit: { type: 'string', default: '240' },
    only: { type: 'string', default: '' },
    share: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})
const here = fileURLToPath(new URL('.', import.meta.url))
const program = join(here, '../bin/grantwise.js')
const recordFile = join(here, 'exponents.json')
const recorded = JSON.parse(readFileSync(recordFile, 'utf8'))
const sizes = values.check || values.record ? recorded.sizes : values.sizes.split(',').map(Number)

const folder = mkdtempSync(join(tmpdir(), 'grantwise-cost-'))
/** The results of each command, by its name, in the order of the sizes. */
const results = new Map()
try {
  for (const size of sizes) {
    const cwd = join(folder, String(size).padStart(6, '0'))
    const all = commandsIn(cwd, size)
    // All runs of a command together, since one may read what another writes.
    const ofProgram = new Set(turnOf([...new Set(all.map(([, command]) => command))], Number(values.share)))
    for (const [name, ...args] of all) {
      if (!name.startsWith(values.only) || !ofProgram.has(args[0])) continue
      const result = { size, command: name, ...run(cwd, args) }
      results.set(name, [...(results.get(name) ?? []), result])
      if (values.json) console.log(JSON.stringify(result))
      else console.error(size, name, cellOf(result))
    }
  }
} finally {
  rmSync(folder, { recursive: true })
}
const measured = Object.fromEntries([...results].map(([name, list]) => [name, exponent(list.at(-2), list.at(-1))]))
if (values.record) {
  const exponents = { ...recorded.exponents, ...measured }
  writeFileSync(recordFile, `${JSON.stringify({ ...recorded, exponents }, null, 2)}\n`)
} else if (values.check) {
  const problems = larger(recorded, measured)
  for (const problem of problems) console.error(`bench: ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  else console.log(`${results.size} commands grow as recorded`)
} else if (values.write) {
  const file = join(here, '../docs/benchmarks.md')
  const text = readFileSync(file, 'utf8')
  const start = text.indexOf('| command |', text.indexOf('\n## Steps\n'))
  writeFileSync(file, `${text.slice(0, start)}${table()}${text.slice(text.indexOf('\n\n', start) + 1)}`)
} else if (!values.json) process.stdout.write(table())

function table() {
  const numbers = sizes.map((size) => size.toLocaleString('en-US'))
  const heads = [...numbers, ...numbers.slice(1).map((to, i) => `${numbers[i]} to ${to}`)]
  const rows = [...results].map(([name, list]) => {
    const exponents = list.slice(1).map((result, i) => exponent(list[i], result))
    return `| ${[name, ...list.map(cellOf), ...exponents].join(' | ')} |\n`
  })
  return `| command | ${heads.join(' | ')} |\n|---|${heads.map(() => '---|').join('')}\n${rows.join('')}`
}

/** Thousands of steps; how it ended, where that was not with an answer. */
function cellOf({ steps, exit }) {
  return steps === null ? '†' : `${Math.round(steps / 1000).toLocaleString('en-US')}${exit > 1 ? ` (${exit})` : ''}`
}

/** Run the program once: its steps and the exit code; null where it was stopped. */
function run(cwd, args) {
  const { status, stderr } = spawnSync(process.execPath, [program, ...args, '--cost'], {
    cwd,
    timeout: Number(values.limit) * 1000,
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  if (status === null) return { steps: null, exit: null }
  const steps = /^grantwise: cost: ([\d,]+) steps/m.exec(stderr)?.[1]
  if (steps === undefined) throw new Error(`no steps: grantwise ${args.join(' ')}: ${stderr}`)
  return { steps: Number(steps.replaceAll(',', '')), exit: status }
}
