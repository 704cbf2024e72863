/**
 * `npm run bench`: decisions of grantwise and of other engines, on the same worlds.
 * npm run bench -- [--sizes 100,1000,10000] [--engines map,grantwise,…] [--questions 10000] [--seconds 4] [--seed 1] [--json]
 * npm run bench -- lint [options of bench/tree.mjs]
 * npm run bench -- compare [options of bench/compare.mjs]
 * npm run bench -- growth [options of bench/growth.mjs]
 * npm run bench -- cost [options of bench/cost.mjs]
 * npm run bench -- serve [options of bench/serve.mjs]
 * npm run bench -- page [options of bench/page.mjs]
 * npm run bench -- console [options of bench/console.mjs]
 * npm run bench -- lsp [options of bench/lsp.mjs]
 * npm run bench -- lsp-folders [options of bench/lsp-folders.mjs]
 * npm run bench -- editor [options of bench/editor.mjs]
 * npm run bench -- history [options of bench/history.mjs]
 * npm run bench -- sql [options of bench/sql.mjs]
 * Other engines are installed in this folder, by its lockfile, when they are first asked for. `--json`: a line for each size.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { engines } from './engines.mjs'
import { workload } from './workload.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const own = ['map', 'grantwise']

/** Benchmarks of their own, by the first argument: the file, and how the program is built before. */
const others = {
  lint: ['tree.mjs', []],
  compare: ['compare.mjs', ['--no-types']],
  growth: ['growth.mjs', ['--no-types']],
  cost: ['cost.mjs', ['--no-types']],
  serve: ['serve.mjs', ['--no-types']],
  lsp: ['lsp.mjs', ['--no-types']],
  'lsp-folders': ['lsp-folders.mjs', ['--no-types']],
  page: ['page.mjs', ['--no-types']],
  console: ['console.mjs', ['--no-types']],
  editor: ['editor.mjs'],
  history: ['history.mjs', ['--no-types']],
  sql: ['sql.mjs', ['--no-types']],
}
const [other, ...args] = process.argv.slice(2)
if (Object.hasOwn(others, other ?? '')) {
  const [file, flags] = others[other]
  if (flags) build(flags)
  process.exit(program([join(here, file), ...args], 'inherit').status ?? 1)
}
const options = read()
build(['--no-types'])
if (options.engines.some((name) => !own.includes(name))) install()
for (const size of options.sizes) measure(size)

function read() {
  const usage = (message) => {
    console.error(`bench: ${message}`)
    process.exit(2)
  }
  const text = (value) => ({ type: 'string', default: value })
  let values
  try {
    ;({ values } = parseArgs({
      options: {
        sizes: text('100,1000,10000'),
        engines: text(Object.keys(engines).join(',')),
        questions: text('10000'),
        seconds: text('4'),
        seed: text('1'),
        json: { type: 'boolean', default: false },
      },
    }))
  } catch (error) {
    usage(error.message)
  }
  const number = (name, value, isWhole = true) => {
    const read = Number(value)
    return read > 0 && (!isWhole || Number.isInteger(read))
      ? read
      : usage(`--${name} \`${value}\` is no ${isWhole ? 'whole ' : ''}number above 0`)
  }
  const names = values.engines.split(',')
  for (const name of names) if (!Object.hasOwn(engines, name)) usage(`no engine \`${name}\`: there are ${Object.keys(engines).join(', ')}`)
  return {
    sizes: values.sizes.split(',').map((size) => number('sizes', size)),
    engines: names,
    questions: number('questions', values.questions),
    seconds: number('seconds', values.seconds, false),
    seed: number('seed', values.seed),
    isJson: values.json,
  }
}

function build(more) {
  const { status } = program([join(here, '../scripts/build.mjs'), ...more], ['ignore', 'ignore', 'inherit'])
  if (status !== 0) process.exit(1)
}

function install() {
  if (existsSync(join(here, 'node_modules'))) return
  console.error('bench: installing the other engines into bench/node_modules')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', args, { cwd: here, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' })
  if (status !== 0) process.exit(1)
}

function program(args, stdio) {
  return spawnSync(process.execPath, args, { stdio, encoding: 'utf8', maxBuffer: 2 ** 26, timeout: 900_000 })
}

function measure(size) {
  const folder = mkdtempSync(join(tmpdir(), 'grantwise-bench-'))
  try {
    const made = workload(size, options.questions, options.seed)
    write(made, folder)
    const machine = { cores: availableParallelism(), node: process.versions.node }
    const described = { policies: size, queries: made.questions.length, seed: options.seed }
    const results = []
    if (!options.isJson) heading(described, machine)
    for (const name of options.engines) {
      if (size > engines[name].most) continue
      const args = ['--expose-gc', '--max-old-space-size=6144', join(here, 'engine.mjs'), name, folder, String(options.seconds)]
      const { status, stdout, stderr } = program(args, 'pipe')
      if (status !== 0) {
        console.error(`bench: ${name} gave no answer for ${size} policies\n${stderr.split('\n').slice(0, 12).join('\n')}`)
        process.exitCode = 1
        continue
      }
      const result = JSON.parse(stdout)
      if (!result.agrees) process.exitCode = 1
      results.push(result)
      if (!options.isJson) row(result)
    }
    if (options.isJson) console.log(JSON.stringify({ machine, workload: described, results }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Files of some thousand policies each: a file has a greatest length. */
function write({ policies, identities, questions }, folder) {
  const perFile = 2000
  for (const [key, list] of Object.entries({ policies, identities })) {
    for (let i = 0; i * perFile < list.length; i++) {
      const part = { [key]: list.slice(i * perFile, (i + 1) * perFile) }
      writeFileSync(join(folder, `${key}-${String(i).padStart(4, '0')}.json`), JSON.stringify(part))
    }
  }
  writeFileSync(join(folder, 'questions.ndjson'), `${questions.map((question) => JSON.stringify(question)).join('\n')}\n`)
}

function heading({ policies, queries, seed }, { cores, node }) {
  console.log(`\n${policies} policies, ${queries} questions, seed ${seed} (Node ${node}, ${cores} cores)`)
  console.log(line('engine', 'decisions/s', 'p99 µs', 'load ms', 'rss MB', 'answers'))
}

function row({ engine, decisionsPerSecond, p99us, loadMs, rssMB, agrees }) {
  console.log(line(engine, decisionsPerSecond.toLocaleString('en'), p99us, loadMs, rssMB, agrees ? 'right' : 'WRONG'))
}

function line(name, ...cells) {
  return `${name.padEnd(14)}${cells.map((cell) => String(cell).padStart(14)).join('')}`
}
