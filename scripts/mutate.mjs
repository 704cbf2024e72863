#!/usr/bin/env node
/**
 * Mutation testing: plants one fault at a time in the core and looks for a test that fails.
 *
 *   npm run mutation                        every file of scripts/mutate/groups.mjs
 *   npm run mutation -- --changed           files whose text is not the one of the recorded results
 *   npm run mutation -- --since REF         files that differ from those of a commit
 *   npm run mutation -- --files src/glob.ts files or folders
 *   --jobs N processes (default: one for each core); --budget MS for the tests of one mutant (default 4000)
 *
 * Results are recorded in figures/mutation.json, survivors in test/mutation/survivors.json. Exits with 1 where the score of a
 * group is below 95 %, a survivor has no reason, or a file has no result.
 */
import { execFileSync, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './mutate/bundle.mjs'
import { generated, groups } from './mutate/groups.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const figures = join(root, 'figures/mutation.json')
const listed = join(root, 'test/mutation/survivors.json')
const wanted = 95
/** The longest that a test may take which is run for many mutants, and that a process may be silent, in milliseconds. */
const longest = 3000
const silence = 20_000

const { values: options } = parseArgs({
  options: {
    changed: { type: 'boolean' },
    since: { type: 'string' },
    files: { type: 'string', multiple: true },
    jobs: { type: 'string', default: String(availableParallelism()) },
    budget: { type: 'string', default: '4000' },
    verbose: { type: 'boolean' },
  },
})

const read = (path, none) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : none)
const hashOf = (file) =>
  createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex')
    .slice(0, 16)

/** The source files of a group, as paths from the root. */
function sourcesOf({ files }) {
  const found = files.flatMap((name) =>
    name.endsWith('/')
      ? readdirSync(join(root, 'src', name), { recursive: true, encoding: 'utf8' }).map(
          (inner) => `src/${name}${inner.replaceAll('\\', '/')}`,
        )
      : [`src/${name}`],
  )
  return found.filter((file) => /\.ts$/.test(file) && !file.endsWith('.d.ts') && !generated.includes(file)).sort()
}

/** Which files are to be mutated, by the options. */
function chosen(recorded) {
  if (options.files) {
    return (file) =>
      options.files.some(
        (name) => file === name || (statSync(join(root, name)).isDirectory() && file.startsWith(`${name.replace(/\/$/, '')}/`)),
      )
  }
  if (options.since) {
    const changed = execFileSync('git', ['diff', '--name-only', options.since, '--', 'src'], { cwd: root, encoding: 'utf8' }).split('\n')
    return (file) => changed.includes(file)
  }
  return options.changed ? (file) => recorded[file]?.hash !== hashOf(file) : () => true
}

/** A process that runs tests; it is started again when it is lost. */
class Runner {
  constructor(folder, count) {
    this.arguments = [folder, String(count)]
  }

  async start() {
    this.stop()
    this.fresh = true
    this.process = fork(join(root, 'scripts/mutate/worker.mjs'), this.arguments, {
      cwd: root,
      execArgv: ['--max-old-space-size=1500'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    await this.answer(60_000)
  }

  stop() {
    this.process?.removeAllListeners()
    this.process?.kill('SIGKILL')
    this.process = undefined
  }

  /** The next message, or undefined when the process ends or says nothing for so long. */
  answer(ms) {
    return new Promise((resolve) => {
      const { process } = this
      const done = (message) => {
        clearTimeout(timer)
        process.removeAllListeners()
        resolve(message)
      }
      const timer = setTimeout(done, ms)
      process.once('message', done)
      process.once('exit', () => done())
    })
  }

  async ask(message, ms) {
    if (!this.process) await this.start()
    const answer = this.answer(ms)
    this.process.send(message)
    const given = await answer
    if (!given) this.stop()
    return given
  }

  /** What becomes of a mutant: which test fails, or none. */
  async hunt(message) {
    let answer = await this.ask(message, silence + message.budget)
    if (!answer) return { by: 'no answer' }
    // A result that may be due to an earlier mutant is asked for again, from a clean start.
    if (answer.dirty && !this.fresh) {
      await this.start()
      answer = await this.ask(message, silence + message.budget)
    }
    if (answer?.dirty) this.stop()
    else if (answer?.by) this.fresh = false
    return answer ?? { by: 'no answer' }
  }
}

/** All mutants of some files of a group against its tests. @returns the results by file */
async function mutate(group, sources) {
  const folder = join(root, 'node_modules/.mutation', group.name)
  rmSync(folder, { recursive: true, force: true })
  const tests = [...new Set(group.tests)].map((name) => `test/${name}.test.ts`)
  const mutants = await bundle({ sources, tests, outdir: folder })
  const start = Date.now()
  const first = new Runner(folder, mutants.length)
  const measured = await first.ask({ measure: tests, longest }, 600_000)
  first.stop()
  if (!measured) throw new Error(`${group.name}: the tests did not end`)
  const reaching = reachedBy(measured.tests, tests.slice(0, 2), mutants.length)
  const loaded = new Set(measured.loaded)
  say(
    `${group.name}: ${mutants.length} mutants in ${sources.length} files, ${measured.tests.length} tests, ${Math.round((Date.now() - start) / 1000)} s for a run of all`,
  )
  if (options.verbose) for (const line of measured.leftOut) say(`  left out: ${line}`)
  const results = []
  const queue = mutants.values()
  const work = async () => {
    const runner = new Runner(folder, mutants.length)
    let killers = []
    for (const mutant of queue) {
      const reached = reaching[mutant.id]
      if (reached.length === 0) {
        results.push({ ...mutant, state: loaded.has(mutant.id) ? 'static' : 'not reached' })
        continue
      }
      const asked = [...killers.filter((test) => reached.includes(test)), ...reached.filter((test) => !killers.includes(test))]
      const message = { mutant: mutant.id, tests: asked.map(({ file, index }) => [file, index]), budget: Number(options.budget) }
      const { by, cut, test } = await runner.hunt(message)
      if (test) {
        const killer = asked.find(({ file, index }) => file === test[0] && index === test[1])
        killers = [killer, ...killers.filter((other) => other !== killer)].slice(0, 4)
      }
      results.push({ ...mutant, state: by ? 'killed' : 'survived', by, cut })
      if (options.verbose && !by) say(`  survived${cut ? ' (cut)' : ''}: ${mutant.file}: ${mutant.line}: ${mutant.from} -> ${mutant.to}`)
      if (results.length % 200 === 0) say(`  ${results.length} of ${mutants.length}, ${Math.round((Date.now() - start) / 1000)} s`)
    }
    runner.stop()
  }
  await Promise.all(Array.from({ length: Number(options.jobs) }, work))
  rmSync(folder, { recursive: true, force: true })
  say(`  ${mutants.length} mutants in ${Math.round((Date.now() - start) / 1000)} s`)
  return results.sort((a, b) => a.id - b.id)
}

/** For each mutant the tests that reach it: those of the group's own files first, and of these the quickest. */
function reachedBy(tests, own, count) {
  const reaching = Array.from({ length: count }, () => [])
  const rank = ({ file }) => (own.includes(file) ? 0 : 1)
  for (const test of tests.toSorted((a, b) => rank(a) - rank(b) || a.ms - b.ms)) for (const id of test.reached) reaching[id].push(test)
  return reaching
}

const say = (line) => process.stdout.write(`${line}\n`)
const keyOf = ({ file, line, kind, from, to }) => JSON.stringify([file, line, kind, from, to])
const score = ({ mutants, killed }) => (mutants === 0 ? 100 : Math.floor((1000 * killed) / mutants) / 10)

/** What is recorded of a file: mutants of what only runs while modules are loaded are counted apart. */
function recordOf(file, results) {
  const ran = results.filter(({ state }) => state !== 'static')
  const killed = ran.filter(({ state }) => state === 'killed').length
  return {
    hash: hashOf(file),
    mutants: ran.length,
    killed,
    score: score({ mutants: ran.length, killed }),
    atLoad: results.length - ran.length,
  }
}

/** The survivors of the files that were run, with the reasons that are known, and those of other files as they are. */
function withSurvivors(before, ran, results) {
  const reasons = new Map(before.map((survivor) => [keyOf(survivor), survivor.reason]))
  const found = new Map()
  for (const { file, line, kind, from, to, state } of results) {
    if (state !== 'survived' && state !== 'not reached') continue
    const survivor = { file, line, kind, from, to }
    found.set(keyOf(survivor), { ...survivor, reason: reasons.get(keyOf(survivor)) ?? '' })
  }
  const others = before.filter(({ file }) => !ran.has(file))
  return [...others, ...found.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0))
}

/** Whether some file of a group has been run: from then on the group is held to its score. */
const hasResults = (group, files) => sourcesOf(group).some((file) => files[file])

/** What is wrong with the recorded results, as lines. */
function problems(files, survivors) {
  const found = []
  for (const group of groups) {
    const sources = sourcesOf(group)
    if (!hasResults(group, files)) {
      say(`${group.name.padEnd(16)} no results yet`)
      continue
    }
    const records = []
    for (const file of sources) {
      if (files[file]?.hash === hashOf(file)) records.push(files[file])
      else found.push(`${file}: no result for its present text`)
    }
    const sum = { mutants: total(records, 'mutants'), killed: total(records, 'killed') }
    say(`${group.name.padEnd(16)} ${String(score(sum)).padStart(5)} %  ${sum.killed} of ${sum.mutants}`)
    if (score(sum) < wanted) found.push(`${group.name}: ${score(sum)} % is below ${wanted} %`)
  }
  for (const { file, line, from, to, reason } of survivors) {
    if (!/\w+ \w+/.test(reason)) found.push(`${file}: a survivor without a reason: ${from} -> ${to} in: ${line}`)
  }
  return found
}

const total = (records, field) => records.reduce((sum, record) => sum + record[field], 0)

function write(files, survivors) {
  const sums = groups.flatMap((group) => {
    const records = sourcesOf(group).flatMap((file) => files[file] ?? [])
    const sum = { mutants: total(records, 'mutants'), killed: total(records, 'killed') }
    return records.length > 0 ? [[group.name, { ...sum, score: score(sum) }]] : []
  })
  const text = {
    claim: 'a fault planted in the core makes a test fail',
    wanted: { score: wanted, survivors: 'each listed with its reason' },
    reached: { groups: Object.fromEntries(sums), survivors: survivors.length },
    at: new Date().toISOString().slice(0, 10),
    command: 'npm run mutation',
    files: Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  mkdirSync(join(root, 'test/mutation'), { recursive: true })
  writeFileSync(figures, `${JSON.stringify(text, undefined, 2)}\n`)
  writeFileSync(listed, `${JSON.stringify(survivors, undefined, 2)}\n`)
}

const { files = {} } = read(figures, {})
let survivors = read(listed, [])
const wants = chosen(files)
const all = groups.flatMap(sourcesOf)
for (const file of Object.keys(files)) if (!all.includes(file)) delete files[file]
survivors = survivors.filter(({ file }) => all.includes(file))
let ran = false
for (const group of groups) {
  if (options.changed && !hasResults(group, files)) continue
  const sources = sourcesOf(group).filter(wants)
  if (sources.length === 0) continue
  ran = true
  const results = await mutate(group, sources)
  survivors = withSurvivors(survivors, new Set(sources), results)
  for (const file of sources) {
    files[file] = recordOf(
      file,
      results.filter((result) => result.file === file),
    )
    say(`  ${file}: ${files[file].score} %`)
  }
  write(files, survivors)
}
if (!ran) say('nothing to run: the recorded results are of the present texts')
const wrong = problems(files, survivors)
for (const line of wrong.slice(0, 40)) say(line)
if (wrong.length > 40) say(`and ${wrong.length - 40} more`)
process.exitCode = wrong.length > 0 ? 1 : 0
