import { resolve } from 'node:path'
import type { Diagnostic } from '../../diagnostic.ts'
import type { Tested } from '../../history/mutants.ts'
import type { CoveredParts } from '../../history/parts.ts'
import { buildWorld } from '../../parser/world.ts'
import { shown } from '../../report/safe.ts'
import { countStatuses, jsonSuite, junitSuite, lacksCoverage, prettySuite, type SuiteReport } from '../../report/suite.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { tally } from '../../suite/coverage.ts'
import { notesOn } from '../../suite/notes.ts'
import { type Answer, runSuite } from '../../suite/run.ts'
import type { Suite } from '../../suite/suite.ts'
import type { Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { budgetFor, type Io, wantsColour } from '../app/io.ts'
import { type Reason, Refusal, refuseProblems } from '../app/refusal.ts'
import { type Config, loadConfig } from '../input/config.ts'
import { catalogueFor } from '../input/known.ts'
import { policySelection } from '../input/policies.ts'
import { readAt } from '../input/question.ts'
import { findTests, pathsIn, printErrors, type ReadTests } from '../input/suites.ts'
import { supposedOf, suppositionOf } from '../input/suppose.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { decided, noteNoWorld, noteUncreated, problemLines, readFiles, settingsOf } from '../input/world.ts'
import type { WatchedRun } from '../live/watch.ts'
import { isError } from '../output/diagnostics.ts'
import { formatTargets, outputsOf, writeOutput } from '../output/outputs.ts'
import { supposedBefore } from '../output/supposed.ts'
import { type Writing, writingOf } from '../output/writing.ts'

const formats: Readonly<Record<Format, typeof prettySuite | typeof jsonSuite | typeof junitSuite>> = {
  pretty: prettySuite,
  json: jsonSuite,
  junit: junitSuite,
}
type Format = Options<'test'>['format'][number]['format']

/** `test [PATH…]`: policy tests. */
export const run: Run<'test'> = async (paths, options, io) => {
  const plan = planOf(options, io)
  if (options.watch) {
    const { watch } = await import('../live/watch.ts')
    return watch(() => runTests(paths, plan, options, io), new Set(plan.outputs.flatMap(({ file }) => file ?? [])), io)
  }
  return (await runTests(paths, plan, options, io)).code
}

interface Plan {
  readonly writing: Writing
  readonly outputs: Options<'test'>['format']
  readonly filter: string | undefined
  readonly coverage: boolean
  readonly mutate: boolean
  readonly leastCoverage: number | undefined
}

function planOf(options: Options<'test'>, io: Io): Plan {
  const writing = writingOf(options, io)
  const outputs = outputsOf(options.format, io, 'pretty', writing.diffOption)
  if (formatTargets(outputs).length === 0 && (options.write ?? '-') === '-')
    writing.refuseIdle('name a file: --format FORMAT=FILE, or --write FILE')
  if (options.write !== undefined) {
    // A part of the tests would leave out what the others cover.
    if (options.filter !== undefined) throw new Refusal('`--write` needs all tests: leave out `--filter`')
    if (options.write === '-' && outputs.some(({ format, file }) => file === undefined && format !== 'pretty'))
      throw new Refusal('`--write -` prints tests, and `--format` a report: both cannot be printed', 'name a file: --write FILE')
    if (options.watch) throw new Refusal('`--write` and `--watch` cannot be combined: each run would add tests')
  }
  if (options.watch && options.policies.includes('-'))
    throw new Refusal('standard input can be read once, and `--watch` reads again', 'name the files of the policies')
  const least = options.minCoverage
  const leastCoverage = least === undefined ? undefined : percentage(least)
  return {
    writing,
    outputs,
    filter: options.filter,
    coverage: options.coverage || least !== undefined,
    mutate: options.mutate,
    leastCoverage,
  }
}

function percentage(text: string): number {
  const value = /^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (!(value <= 100)) throw new Refusal(`--min-coverage \`${text}\`: expected a percentage from 0 to 100`)
  return value
}

async function runTests(paths: readonly string[], plan: Plan, options: Options<'test'>, io: Io): Promise<WatchedRun> {
  const targets = formatTargets(plan.outputs)
  checkTargets(targets, io)
  const now = readAt(options, io)
  const config = await loadConfig(options, io)
  const writer = options.write === undefined ? undefined : await import('./test-write.ts')
  const target = writer?.testTarget(options.write as string, io)
  const added = target?.text === undefined ? [] : [target.file]
  const discovered = await findTests([...(paths.length > 0 ? paths : ['.']), ...added], now, config.settings, io, target !== undefined)
  const tests = writer && target ? writer.withTarget(discovered.tests, target) : discovered.tests
  const covered = writer ? new (await import('../../history/parts.ts')).CoveredParts() : undefined
  const run = await runSuites(tests, plan, config, options, covered, io)
  const testFiles = discovered.files.map(({ file }) => file)
  await guardInputs(targets, { files: run.policies.map(({ source }) => source.path) }, testFiles, config.settings, io)
  const isBroken = discovered.isBroken || run.isBroken
  const { results, notes, left } = run
  const before = supposedBefore(run.supposed, plan.outputs, io)
  if (!isBroken && plan.filter !== undefined && results.every((each) => each.results.length === 0))
    throw new Refusal(`--filter \`${plan.filter}\`: no test has this in its name`)
  const report: SuiteReport = {
    files: results.filter((each) => (plan.filter === undefined && !target) || each.results.length > 0),
    notes,
    coverage: plan.coverage ? run.coverage : undefined,
    leastCoverage: plan.leastCoverage,
    mutation: run.mutation,
    left,
  }
  for (const { format, file } of plan.outputs) {
    // Errors are on standard error: "no tests" next to them would mislead.
    if (format === 'pretty' && (report.files.length === 0 || (target?.isPrinted && file === undefined))) continue
    const text = formats[format](report, file === undefined && wantsColour(io, options.color))
    await writeOutput({ format, file }, `${before({ format, file })}${text}`, io, plan.writing)
  }
  io.stderr.write(problemLines(discovered.problems))
  const code = codeOf(report)
  const [first, ...others] = run.tested
  const suite = tests[0]?.suite
  if (writer && target && covered && suite && first && !isBroken) {
    if (countStatuses(report).passed < results.flatMap((each) => each.results).length)
      io.stderr.write(`grantwise: ${shown(target.path)}: no test is added: correct those that do not pass first\n`)
    else {
      const { catalogue } = run
      const { settings } = config
      await writer.writeTests([first, ...others], suite, target, { now, catalogue, settings, covered, writing: plan.writing, io })
    }
  }
  return {
    code: isBroken ? exit.error : plan.writing.exitCode(code),
    files: [...testFiles, ...run.policies.flatMap(({ file }) => file ?? []), ...config.files.map((each) => resolve(io.cwd, each))],
    folders: discovered.searched,
  }
}

/** Run the suites over their policies. What keeps one from being run is printed. */
async function runSuites(
  tests: readonly ReadTests[],
  plan: Plan,
  config: Config,
  options: Options<'test'>,
  covered: CoveredParts | undefined,
  io: Io,
) {
  const worlds = new Map<string, ReadFiles>()
  const load = worldReader(worlds, config, options, io)
  const counter = tally()
  const budget = budgetFor(io)
  const catalogue = await catalogueFor(config, io)
  const results: SuiteReport['files'][number][] = []
  const tested: Tested[] = []
  const notes: Diagnostic[] = []
  const reported = new Set<ReadFiles>()
  const isChosen = (name: string) => plan.filter === undefined || name.toLowerCase().includes(plan.filter.toLowerCase())
  const supposition = suppositionOf(options)
  const supposed = new Set<string>()
  const unmatched: (readonly Reason[])[] = []
  let isBroken = false
  let unrunCount = 0
  for (const { path, file, suite } of tests) {
    const policies = await load(file, suite)
    const { world: built, diagnostics } = buildWorld([...policies.facts, ...(suite.facts ? [suite.facts] : [])])
    const isHalfRead = policies.isPartial || policies.unread.length > 0 || policies.diagnostics.some(isError)
    // Problems of policies are reported once, however many test files use them.
    if (!reported.has(policies)) {
      reported.add(policies)
      if (printErrors([...policies.diagnostics, ...policies.unread], io)) isBroken = true
      io.stderr.write(problemLines(policies.problems))
      noteUncreated([policies], io)
    }
    if (printErrors(diagnostics, io) || isHalfRead) {
      isBroken = true
      io.stderr.write(`grantwise: ${shown(path)}: not run: nothing is decided over policies that were not fully read and understood\n`)
      continue
    }
    const changed = supposition && (await supposedOf(built, supposition, policies.each, pathsIn(file, suite, options), config, false, io))
    for (const line of changed?.lines ?? []) supposed.add(line)
    if (changed) unmatched.push(changed.problems)
    const world = changed?.world ?? built
    const checks = suite.checks.filter(({ name }) => isChosen(name))
    unrunCount += suite.checks.length - checks.length
    counter.hold(world, new Set([path]))
    const exercise = (answer: Answer) => {
      counter.add(answer)
      covered?.add(answer, world)
    }
    const ownResults = runSuite({ checks }, world, catalogue, exercise, budget)
    results.push({ path, world, results: ownResults })
    tested.push({ suite: { checks }, world, results: ownResults, apart: new Set([path]) })
    notes.push(...notesOn({ checks }, catalogue, config.settings.brand))
  }
  // Suites may be about different policies: a name has to match in one of them.
  const [first = [], ...others] = unmatched
  refuseProblems(first.filter(({ message }) => others.every((list) => list.some((each) => each.message === message))))
  const policies = [...worlds.values()].flatMap(({ each }) => each)
  noteNoWorld(
    tested.map(({ world }) => world),
    config,
    io,
  )
  const mutation =
    plan.mutate && !isBroken ? (await import('../../history/mutants.ts')).mutate(tested, catalogue, () => budgetFor(io)) : undefined
  const coverage = counter.coverage()
  return { mutation, tested, catalogue, results, notes, left: unrunCount, isBroken, policies, supposed: [...supposed], coverage }
}

function codeOf(report: SuiteReport): ExitCode {
  const { failed, undecided } = countStatuses(report)
  if (failed > 0 || lacksCoverage(report)) return exit.failure
  return undecided > 0 ? exit.unknown : exit.success
}

/** The reader of what suites are about: those that name the same paths share what is read. */
function worldReader(worlds: Map<string, ReadFiles>, config: Config, options: Options<'test'>, io: Io) {
  return async (file: string, suite: Suite): Promise<ReadFiles> => {
    const paths = pathsIn(file, suite, options)
    const isOwn = suite.policies !== undefined
    const key = JSON.stringify([isOwn, paths])
    const read = async () => {
      // A suite that names its policies names its inventory as well.
      const about = isOwn ? { ...config, policies: [], world: undefined } : config
      return readFiles(await policySelection(paths, about, io, { added: options.with }), settingsOf(config, options), io)
    }
    const filesRead = worlds.get(key) ?? (await decided(await read(), options, io))
    worlds.set(key, filesRead)
    return filesRead
  }
}
