#!/usr/bin/env node
/**
 * Mutation testing: plants one fault at a time in the core and looks for a test that fails.
 *
 *   npm run mutation                        every file of scripts/mutate/groups.mjs
 *   npm run mutation -- --changed           files whose text is not the one of their recorded results
 *   npm run mutation -- --since REF         files that differ from those of a commit
 *   npm run mutation -- --files src/glob.ts files or folders
 *   npm run mutation -- --group NAME        a group of files
 *   --survivors only the mutants that survived the recorded run of a file; with --tests NAME only against these tests of the group
 *   --sample N  N mutants of these files, in four groups, the same for the same texts; nothing is recorded
 *   --jobs N processes (default: one for each core);
 *   --budget STEPS for the tests of one mutant (default 8000000)
 *
 * Results and survivors are recorded in test/mutation. A sample exits with 1 where so many of its mutants survive
 * that no list names as would once in a thousand samples if 95 in 100 were killed; any other run where the score of a group is below 95 %, a
 * survivor has no reason, or a result is of another text of its file.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './mutate/bundle.mjs'
import { generated, groups } from './mutate/groups.mjs'
import { instrument } from './mutate/mutants.mjs'
import { hashOf, keyOf, problemsOf, readResults, recordOf, scoreOf, sumOf, withSurvivors, writeResults } from './mutate/results.mjs'
import { Runner } from './mutate/runner.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A test that takes longer, in milliseconds of CPU, had better be named under `slow` of its group. */
const longest = 3000
/** The cost of a test before it asks the first mutated place, in steps. */
const stepsOfTest = 1000

const { values: options } = parseArgs({
  options: {
    changed: { type: 'boolean' },
    since: { type: 'string' },
    files: { type: 'string', multiple: true },
    group: { type: 'string', multiple: true },
    survivors: { type: 'boolean' },
    tests: { type: 'string', multiple: true },
    sample: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    budget: { type: 'string', default: '8000000' },
    verbose: { type: 'boolean' },
  },
})

if (options.tests && !options.survivors) throw new Error('--tests goes with --survivors: a whole run asks all tests of a group')

const say = (line) => process.stdout.write(`${line}\n`)

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
  const isCurrent = (file) => recorded[file]?.hash === hashOf(file)
  if (options.files) {
    const isNamed = (file) =>
      options.files.some(
        (name) => file === name || (statSync(join(root, name)).isDirectory() && file.startsWith(`${name.replace(/\/$/, '')}/`)),
      )
    return (file) => isNamed(file) && (!options.survivors || isCurrent(file))
  }
  if (options.since) {
    const changed = execFileSync('git', ['diff', '--name-only', options.since, '--', 'src'], { cwd: root, encoding: 'utf8' }).split('\n')
    return (file) => changed.includes(file)
  }
  if (options.survivors) return isCurrent
  return options.changed ? (file) => recorded[file] && !isCurrent(file) : () => true
}

/** For each mutant the tests that reach it, with how often each was asked and found a mutant, and how much of it is about a file. */
function reachedBy(tests, mutants) {
  const reaching = mutants.map(() => [])
  for (const test of tests) {
    const about = {}
    for (const id of test.reached) about[mutants[id].file] = (about[mutants[id].file] ?? 0) + 1 / test.reached.length
    Object.assign(test, { about, asked: 0, found: 0 })
    for (const id of test.reached) reaching[id].push(test)
  }
  return reaching
}

/** How likely it is, by what it is about and what it found so far, that a test finds a mutant of a file in so many steps. */
const promise = ({ about, asked, found, usual }, file) => (found + 1 + 20 * about[file]) / (asked + 2) / (usual + stepsOfTest)

/**
 * The tests that a mutant is held to: those that are mostly about its file, and of the others as many as the budget takes. They
 * depend on nothing but the tests and the code, so that a mutant has the same fate in every run; in what order they are asked does
 * not matter.
 */
function affordable(reached, file, budget) {
  const cost = ({ usual }) => usual + stepsOfTest
  const worth = (test) => test.about[file] / cost(test)
  let left = budget
  return reached
    .toSorted((a, b) => worth(b) - worth(a) || (a.key < b.key ? -1 : 1))
    .filter((test) => {
      if (test.about[file] > 0.5) return true
      left -= cost(test)
      return left > 0
    })
}

/** Takes mutants from a queue until it is empty, and reports what became of each. */
async function work(queue, reaching, runner, report) {
  let recent = []
  const hunt = async (mutant) => {
    const reached = affordable(reaching[mutant.id], mutant.file, Number(options.budget))
    const first = recent.filter((test) => reached.includes(test))
    const asked = [
      ...first,
      ...reached.toSorted((a, b) => promise(b, mutant.file) - promise(a, mutant.file)).filter((test) => !first.includes(test)),
    ]
    const pairs = asked.map(({ file, index, usual }) => [file, index, usual])
    const { by, test } = await runner.hunt(mutant.id, pairs)
    const killer = test && asked.find(({ file, index }) => file === test[0] && index === test[1])
    for (const each of asked.slice(0, killer ? asked.indexOf(killer) + 1 : undefined)) each.asked++
    if (killer) {
      killer.found++
      recent = [killer, ...recent.filter((other) => other !== killer)].slice(0, 2)
    }
    const isCut = reached.length < reaching[mutant.id].length
    return { ...mutant, state: by ? 'killed' : 'survived', by, isCut, test }
  }
  for (const mutant of queue) {
    let result = await hunt(mutant)
    // State that a mutant left behind in memory must not count as the finding of the next: that is asked for again, from a clean start.
    if (result.test && !(await runner.isClean([result.test]))) {
      runner.stop()
      result = await hunt(mutant)
      runner.stop()
    }
    report(result)
  }
  runner.stop()
}

/** Mutants of some files of a group against its tests; `finished` is called with each file and its results as it is done. */
async function mutate(group, sources, isWanted, finished) {
  const folder = join(root, 'node_modules/.mutation', group.name)
  rmSync(folder, { recursive: true, force: true })
  const tests = [...new Set(group.tests)]
    .filter((name) => !options.tests || options.tests.includes(name))
    .map((name) => `test/${name}.test.ts`)
  const all = await bundle({ sources, tests, outdir: folder })
  const mutants = all.filter(isWanted)
  const start = Date.now()
  const seconds = () => Math.round((Date.now() - start) / 1000)
  const first = new Runner(folder, all.length)
  const measured = await first.measure(tests, group.slow ?? [])
  first.stop()
  const reaching = reachedBy(measured.tests, all)
  const loaded = new Set(measured.loaded)
  const isStatic = ({ id, atLoad }) => atLoad || (!options.survivors && reaching[id].length === 0 && loaded.has(id))
  say(
    `${group.name}: ${mutants.length} mutants in ${sources.length} files, ${measured.tests.length} tests, ${seconds()} s for a run of all`,
  )
  for (const line of measured.leftOut) say(`  left out: ${line}`)
  for (const { key, ms } of measured.tests)
    if (ms > longest) say(`  takes ${Math.round(ms)} ms for each mutant that it reaches; name it under \`slow\`: ${key}`)

  const left = new Map(sources.map((file) => [file, mutants.filter((mutant) => mutant.file === file).length]))
  const results = new Map(sources.map((file) => [file, []]))
  let done = 0
  const report = (result) => {
    const { file, line, from, to, state, isCut } = result
    if (options.verbose && state === 'survived')
      say(`  survived${isCut ? ' (not all tests were asked)' : ''}: ${file}: ${line}: ${from} -> ${to}`)
    results.get(file).push(result)
    left.set(file, left.get(file) - 1)
    if (left.get(file) === 0)
      finished(
        file,
        results.get(file).sort((a, b) => a.id - b.id),
      )
    if (++done % 200 === 0) say(`  ${done} of ${mutants.length}, ${seconds()} s`)
  }
  for (const file of sources) if (left.get(file) === 0) finished(file, [])
  const queue = mutants.filter((mutant) => !isStatic(mutant) && reaching[mutant.id].length > 0).values()
  for (const mutant of mutants) {
    if (isStatic(mutant)) report({ ...mutant, state: 'static' })
    else if (reaching[mutant.id].length === 0) report({ ...mutant, state: 'not reached' })
  }
  await Promise.all(Array.from({ length: Number(options.jobs) }, () => work(queue, reaching, new Runner(folder, all.length), report)))
  rmSync(folder, { recursive: true, force: true })
  say(`  ${mutants.length} mutants in ${seconds()} s`)
}

/** Runs what the options ask of a group. @returns whether anything was to be run */
async function run(group) {
  const sources = sourcesOf(group)
  const before = readResults(group.name, sources)
  if (options.group && !options.group.includes(group.name)) return false
  const wanted = sources.filter(chosen(before.files))
  const listed = new Set(before.survivors.map(keyOf))
  if (wanted.length === 0 || (options.survivors && !before.survivors.some(({ file }) => wanted.includes(file)))) return false
  let { files, survivors } = before
  const isWanted = (mutant) => !options.survivors || listed.has(keyOf(mutant))
  await mutate(group, wanted, isWanted, (file, results) => {
    survivors = withSurvivors(survivors, file, results)
    files = { ...files, [file]: recordOf(file, results, options.survivors ? files[file] : undefined) }
    say(`  ${file}: ${scoreOf(files[file])} %`)
    writeResults(group.name, sources, files, survivors)
  })
  return true
}

/** How many groups a sample is taken from: to begin with one takes a run of all its tests. */
const mostGroups = 4
/** A number to sort by: it depends on nothing but a text, and the first ones in order make a sample. */
const lot = (text) => createHash('sha256').update(text).digest('hex')
const lotOf = (mutant) => lot(keyOf(mutant))
const mutantsOf = (file) => instrument(readFileSync(join(root, file), 'utf8'), 0).mutants.map((mutant) => ({ file, ...mutant }))

/** Tries some mutants of all chosen files. @returns the exit code */
async function runSample(count) {
  const all = groups.flatMap((group) => {
    const sources = sourcesOf(group)
    const { files, survivors } = readResults(group.name, sources)
    const wanted = options.group && !options.group.includes(group.name) ? [] : sources.filter(chosen(files))
    return wanted.length === 0 ? [] : [{ group, wanted, listed: new Set(survivors.map(keyOf)), lot: lot(wanted.map(hashOf).join()) }]
  })
  const chosenIn = all.toSorted((a, b) => (a.lot < b.lot ? -1 : 1)).slice(0, mostGroups)
  const lots = chosenIn.flatMap(({ wanted }) => wanted.flatMap((file) => mutantsOf(file).map(lotOf))).sort()
  const most = lots[Math.min(count, lots.length) - 1] ?? ''
  say(`${all.length} groups have such files; of these: ${chosenIn.map(({ group }) => group.name).join(', ')}`)
  let [tried, killed, known] = [0, 0, 0]
  for (const { group, wanted, listed } of chosenIn) {
    const isWanted = (mutant) => lotOf(mutant) <= most
    const sources = wanted.filter((file) => mutantsOf(file).some(isWanted))
    if (sources.length === 0) continue
    await mutate(group, sources, isWanted, (_, results) => {
      for (const result of results.filter(({ state }) => state !== 'static')) {
        tried++
        if (result.state === 'killed') killed++
        else if (listed.has(keyOf(result))) known++
        else say(`  survived: ${result.file}: ${result.line}: ${result.from} -> ${result.to}`)
      }
    })
  }
  say(`${tried} of ${lots.length} mutants: ${killed} killed, ${known} survived as listed, ${tried - killed - known} others survived`)
  return refutes(tried - killed - known, tried) ? 1 : 0
}

/** Whether so many survivors, or more, are found in less than one of a thousand samples where 5 in 100 survive: of a binomial distribution. */
function refutes(survivors, tried) {
  let [term, below] = [0.95 ** tried, 0]
  for (let k = 0; k < survivors; k++) {
    below += term
    term *= ((tried - k) / (k + 1)) * (0.05 / 0.95)
  }
  return 1 - below < 0.001
}

if (options.sample) process.exit(await runSample(Number(options.sample)))
let ran = false
for (const group of groups) ran = (await run(group)) || ran
if (!ran) say('nothing to run: the recorded results are of the present texts')
const wrong = []
for (const group of groups) {
  const sources = sourcesOf(group)
  const { files, survivors } = readResults(group.name, sources)
  const sum = sumOf(Object.values(files))
  // From its first result on, a group is held to the score of the files that were run.
  const has = Object.keys(files).length > 0
  say(`${group.name.padEnd(16)} ${has ? `${String(scoreOf(sum)).padStart(5)} %  ${sum.killed} of ${sum.mutants}` : 'no results yet'}`)
  if (has) wrong.push(...problemsOf(group.name, sources, files, survivors))
}
for (const line of wrong.slice(0, 40)) say(line)
if (wrong.length > 40) say(`and ${wrong.length - 40} more`)
process.exitCode = wrong.length > 0 ? 1 : 0
