import { resolve } from 'node:path'
import type { Diagnostic, Severity } from '../../diagnostic.ts'
import { applyConfigurations } from '../../lint/apply-config.ts'
import type { FailOn } from '../../lint/config.ts'
import { namesInGuardrails, ownRulesOf } from '../../lint/config-problems.ts'
import type { FixedFiles } from '../../lint/fix-files.ts'
import { type LintResult, type LintRun, lintFiles } from '../../lint/lint-files.ts'
import type { GivenLevels } from '../../lint/profile.ts'
import { summaryOf, usualReader } from '../../lint/usual.ts'
import { wordsFor } from '../../report/guardrail-words.ts'
import { type LintReport, severities } from '../../report/lint.ts'
import { shown } from '../../report/safe.ts'
import { plural } from '../../report/words.ts'
import { Clock } from '../../rules/clock.ts'
import { rules } from '../../rules/index.ts'
import type { Rule } from '../../rules/rule.ts'
import type { ReadFiles } from '../../sources/files.ts'
import { uncreatedIn, unknownIn } from '../../sources/read.ts'
import type { Options, Run } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { GitMemory } from '../app/git-memory.ts'
import { type Io, ioWith } from '../app/io.ts'
import { portable } from '../app/paths.ts'
import { Refusal } from '../app/refusal.ts'
import { version } from '../app/version.ts'
import { type BaselineFile, openBaseline } from '../input/baseline.ts'
import { type Configs, docsOf, openConfigs } from '../input/config.ts'
import { catalogueFor, operationsFor } from '../input/known.ts'
import { checkCodes, givenLevels, warnIdleRules } from '../input/levels.ts'
import type { ChangeScope } from '../input/narrowed.ts'
import { readAt } from '../input/question.ts'
import { type LintSelection, originOf, selectionOf } from '../input/selection.ts'
import { checkTargets, guardInputs } from '../input/targets.ts'
import { notCheckedOut } from '../input/walk.ts'
import { type FilesFound, type FilesRead, findFiles, noteUncreated, problemLines, readFiles, readFound } from '../input/world.ts'
import type { WatchedRun } from '../live/watch.ts'
import { refuseAll } from '../output/diagnostics.ts'
import { checkStatistics, type LintOutput, lintOutputs, writeReport } from '../output/lint-formats.ts'
import { formatTargets, type Target } from '../output/outputs.ts'
import { type Progress, progressOf } from '../output/progress.ts'
import { type Writing, writingOf } from '../output/writing.ts'
import type { Fixing } from './fix.ts'

/** `lint [PATH…]`: findings on policy files. */
export const run: Run<'lint'> = async (paths, options, io) => {
  if (!options.watch) return (await lintOnce(paths, options, io)).code
  checkWatch(paths, options)
  const written = options.format.flatMap(({ file }) => (file === undefined ? [] : [resolve(io.cwd, file)]))
  const forServers = options.format.find(({ format, file }) => file === undefined && !forReaders.has(format))
  if (forServers)
    io.stderr.write(`grantwise: warning: \`${forServers.format}\` is for tools that read it once, and --watch prints it again and again\n`)
  const { watch } = await import('../live/watch.ts')
  return watch(() => lintOnce(paths, options, io), new Set(written), io)
}

/** The formats that users may look at while files change. */
const forReaders: ReadonlySet<string> = new Set(['pretty', 'compact', 'json', 'ndjson', 'markdown', 'agent'])

/** Refuse what cannot be read again, or is not about files that change. */
function checkWatch(paths: readonly string[], options: Options<'lint'>): void {
  if (paths.includes('-') || options.filesFrom === '-')
    throw new Refusal('standard input can be read once, and `--watch` reads again', 'name the files')
  const others = {
    staged: '--staged',
    listFiles: '--list-files',
    printConfig: '--print-config',
    writeBaseline: '--write-baseline',
    coverage: '--coverage',
  } as const
  for (const [name, flag] of Object.entries(others) as [keyof typeof others, string][])
    if (options[name] !== undefined && options[name] !== false)
      throw new Refusal(`--watch and ${flag} cannot be combined`, 'omit one of them')
}

/** Lint once: the exit code, and what was read. */
async function lintOnce(paths: readonly string[], options: Options<'lint'>, around: Io): Promise<WatchedRun> {
  const cache = options.cache ? (await import('../input/lint-cache.ts')).openCache(paths, options, around) : undefined
  const setup = await setUp(paths, options, ioWith(around, { git: new GitMemory(), ...(cache && { record: cache.record }) }))
  const { configs, given, io } = setup
  if (options.printConfig !== undefined)
    return unwatched(await (await import('./inspect.ts')).printConfig(options.printConfig, configs, given, io))
  const baseline = openBaseline(options, setup.governed)
  const search = await searchFiles(paths, setup)
  const guard = guardOf(setup)
  const cached = search.narrowed ? undefined : cache?.runOver(search.found, setup)
  const again = await cached?.again(guard)
  if (again !== undefined) return unwatched(again)
  const input = await readInput(cached ? { ...search, selection: { ...search.selection, folders: cached.folders } } : search, setup)
  if (options.listFiles) return unwatched(await (await import('./inspect.ts')).listFiles(input.part(input.files), io))
  await guard(input.files.files)
  const recorded = cached ? { ...setup, ...(await cached.recording(input.files.files)) } : setup
  const all = await check(recorded, input, baseline)
  const checked = await onlyNew(paths, all, recorded)
  await printReport(recorded, input, await withFacts(paths, checked, recorded))
  const code = exitCodeOf(recorded, checked)
  cached?.keep(code, input.files.files)
  return { code, ...watchedIn(setup, input, checked.read) }
}

/** Refuses outputs that would replace what is read. `files`: those that hold policies, as shown. */
function guardOf({ options, io, configs: { main }, targets }: Setup): (files: readonly string[]) => Promise<void> {
  const others = [...inputsOf(options, io), ...(main.catalogue ? [main.catalogue.value] : [])]
  return (files) => guardInputs(targets, { files }, others, main.settings, io)
}

/** The options and configurations of a run, before any policy is read. */
interface Setup {
  readonly options: Options<'lint'>
  readonly io: Io
  readonly writing: Writing
  /** How findings are fixed, if they are. */
  readonly fixing: Fixing | undefined
  readonly outputs: readonly LintOutput[]
  /** The files that are written. */
  readonly targets: readonly Target[]
  readonly now: number
  readonly clock: Clock
  /** Where configurations and the baseline are read: with `--staged`, in the index of git. */
  readonly governed: Io
  readonly configs: Configs
  readonly given: GivenLevels
}

async function setUp(paths: readonly string[], options: Options<'lint'>, io: Io): Promise<Setup> {
  if (options.age && paths.includes('-')) throw new Refusal('standard input is not a file in git', 'leave `-` out with `--age`')
  if (options.newSince !== undefined) (await import('../input/new-since.ts')).checkNewSince(paths, options)
  if (options.skipBad && options.calls.length === 0)
    throw new Refusal('`--skip-bad` requires `--calls`', 'name the recorded calls, or omit it')
  if (options.calls.includes('-') && (paths.includes('-') || options.filesFrom === '-'))
    throw new Refusal('standard input can be read only once')
  const writing = writingOf(options, io)
  const recording = options.writeBaseline
  const isFixImplied = writing.isDry && recording === undefined && options.format.every(({ file }) => file === undefined)
  const isFixing = options.fix || options.fixDryRun || options.fixLevel !== undefined || isFixImplied
  const fixing = isFixing ? (await import('./fix.ts')).fixingOf(paths, options, writing, isFixImplied, io) : undefined
  const outputs = lintOutputs(options, io, fixing?.writing.diffOption ?? writing.diffOption)
  if (options.statistics) checkStatistics(outputs)
  const targets = [
    ...formatTargets(outputs),
    ...(recording === undefined ? [] : [{ option: '--write-baseline', file: resolve(io.cwd, recording) }]),
  ]
  checkTargets(targets, io)
  const now = readAt(options, io)
  originOf(options)
  const governed = options.staged ? { ...io, texts: (await import('../input/change.ts')).stagedTexts(io) } : io
  const configs = await openConfigs(options, governed)
  const levels = givenLevels(options, ownRulesOf([configs.main]))
  checkCodes([configs.main])
  return { options, io, writing, fixing, outputs, targets, now, clock: new Clock(now), governed, configs, given: levels }
}

/** The files of a run, before they are read. */
interface LintSearch {
  readonly selection: LintSelection
  /** The change whose findings are asked for, if not all are. */
  readonly narrowed: ChangeScope | undefined
  readonly found: FilesFound
  readonly progress: Progress | undefined
}

async function searchFiles(paths: readonly string[], { options, io, configs }: Setup): Promise<LintSearch> {
  const selection = await selectionOf(paths, options, configs.main, io)
  const narrowed = selection.change && new (await import('../input/narrowed.ts')).ChangeScope(selection.change, io)
  const progress = progressOf(options, io)
  return { selection, narrowed, found: await findFiles(selection, io, progress), progress }
}

/** The files of a run. */
interface LintInput extends Pick<LintSearch, 'selection' | 'narrowed'> {
  readonly files: FilesRead
  /** The files that were asked about. */
  readonly part: <T extends ReadFiles>(read: T) => T
}

async function readInput({ selection, narrowed, found, progress }: LintSearch, { io, configs }: Setup): Promise<LintInput> {
  const { settings } = configs.main
  const all = await readFound(found, selection, settings, io, narrowed?.recalled, usualReader(settings.brand))
  const files = narrowed?.withOwnProblems(all) ?? all
  progress?.end()
  io.record?.assume(files.assumptions)
  return { selection, narrowed, files, part: (read) => narrowed?.part(read) ?? read }
}

/** The findings of a run, after fixes. */
interface Checked extends Pick<LintResult, 'suppressed'> {
  readonly read: ReadFiles
  readonly findings: readonly Diagnostic[]
  /** The rules of the user that ran. */
  readonly ownRules: readonly Rule[]
  /** The recorded calls that were counted, as data. */
  readonly calls?: object
  /** The commit since which the findings are new, as data. */
  readonly newSince?: object
  /** The level that fails the run by the configurations of that commit, where they are others. */
  readonly failOnThen?: (path: string) => FailOn | undefined
}

async function check(setup: Setup, { selection, narrowed, files }: LintInput, baseline: BaselineFile | undefined): Promise<Checked> {
  const { options, io, fixing, configs, given, now, clock, writing } = setup
  const isRecording = options.writeBaseline !== undefined
  const covers = selection.isWhole ? () => true : files.covers
  const isWhole = selection.isWhole && !files.isPartial
  const runOf = await runsWith(configs, files, { options, given, now, clock, covers, isWhole, io })
  const rest = { baseline: baseline?.apply(covers), ...(narrowed && { remembered: narrowed.remembered }) }
  let read: ReadFiles = files
  let fixed: FixedFiles | undefined
  if (fixing) {
    // Findings that are being recorded are fixed nevertheless.
    const start = { ...(await runOf(files)), ...rest, ...(isRecording && { baseline: undefined }) }
    ;({ read, fixed } = await (await import('./fix.ts')).fixOnDisk(start, fixing, io, {
      ...(selection.folders && { folders: selection.folders }),
      ...(narrowed && { mayChange: narrowed.isChanged }),
    }))
  }
  const last = { ...(await runOf(read)), ...rest }
  const { findings, suppressed } = lintFiles(last)
  const { ownRules = [] } = last
  warnIdleRules(read.files.map(last.profileOf), given, ownRules, io)
  // A baseline of half of the files would take the others' findings for new ones.
  if (!read.isPartial) await baseline?.finish(writing)
  else if (isRecording) io.stderr.write('grantwise: the baseline is not written: not every file was read\n')
  const demoted = fixed ? findings.map(fixed.demote) : findings
  return {
    read,
    findings: (await narrowed?.reported(demoted, () => findBefore(narrowed, configs, { options, now, clock, io }), configs)) ?? demoted,
    suppressed: narrowed ? suppressed.filter(({ finding }) => narrowed.isChanged(finding.span.source.path)) : suppressed,
    ownRules,
  }
}

/** Of all findings those that are new since a commit, where these are asked for. */
async function onlyNew(paths: readonly string[], checked: Checked, setup: Setup): Promise<Checked> {
  const { options, configs, now, clock, io } = setup
  const { newSince: since } = options
  if (since === undefined || checked.read.isPartial) return checked
  const { findNew } = await import('../input/new-since.ts')
  const lint = async (read: ReadFiles, from: Configs) => {
    const levels = givenLevels(options, ownRulesOf([from.main]))
    const runOf = await runsWith(from, read, { options, given: levels, now, clock, covers: () => true, isWhole: paths.length === 0, io })
    const run = await runOf(read)
    return { findings: lintFiles(run).findings, rules: [...rules, ...(run.ownRules ?? [])] }
  }
  const { findings, read, ownRules } = checked
  const added = await findNew({ since, paths, options, configs, read, findings, rules: [...rules, ...ownRules], now, lint }, io)
  return { ...checked, findings: added.findings, newSince: added.json, ...(added.failOn && { failOnThen: added.failOn }) }
}

/** The same findings with the facts about them that are asked for. */
async function withFacts(paths: readonly string[], checked: Checked, { options, configs, now, io }: Setup): Promise<Checked> {
  const { read, ownRules } = checked
  const all = [...rules, ...ownRules]
  const aged = options.age
    ? await (await import('../input/ages.ts')).findingsWithAge(checked.findings, { paths, options, configs, rules: all, now }, io)
    : checked.findings
  if (options.calls.length === 0) return { ...checked, findings: aged }
  const { withCallFacts } = await import('../input/finding-calls.ts')
  return { ...checked, ...(await withCallFacts(aged, read, all, options, configs.main.settings, io)) }
}

async function printReport(
  { options, io, outputs, writing, configs }: Setup,
  { part }: LintInput,
  { read, findings, suppressed, ownRules, calls, newSince }: Checked,
): Promise<void> {
  const visible = options.quiet ? findings.filter((finding) => finding.severity === 'error') : findings
  const asked = part(read)
  const report: LintReport = {
    files: [...new Set([...asked.files, ...findings.map(({ span }) => span.source.path).filter((path) => read.files.includes(path))])],
    unread: read.problems,
    isPartial: read.isPartial,
    findings: visible,
    suppressed,
    showSuppressed: options.showSuppressed,
    hidden: findings.length - visible.length,
    unknown: unknownIn(asked),
    uncreated: uncreatedIn([asked]),
    ...(options.statistics && { statistics: (await import('../../lint/statistics.ts')).statisticsOf(visible) }),
    rules: [...rules, ...ownRules],
    ...(calls && { calls }),
    ...(newSince && { newSince }),
    version,
    docs: docsOf(configs.main),
  }
  await writeReport(report, outputs, options, io, writing)
  if (!outputs.some(({ format, file }) => file === undefined && format === 'json')) noteUncreated([asked], io)
  io.stderr.write(problemLines(read.problems))
  for (const { path, reason } of read.passed)
    if (reason === notCheckedOut) io.stderr.write(`grantwise: note: ${shown(path)}: not read: ${reason}\n`)
}

function exitCodeOf({ options, io, writing, fixing, configs }: Setup, { read, findings, failOnThen }: Checked): ExitCode {
  if (read.isPartial) return exit.error
  if (options.exitZero) return exit.success
  const levelFor = (path: string) => {
    const level = configs.of(path).failOn ?? 'warning'
    return options.failOn ?? (failOnThen ? stricter(level, failOnThen(path) ?? 'warning') : level)
  }
  const code = isFailure(findings, levelFor, options.maxWarnings, io) ? exit.failure : exit.success
  return writing.exitCode(fixing?.writing.exitCode(code) ?? code)
}

/** The result is outdated as soon as one of these changes on the disk. */
function watchedIn(
  { options, io, configs }: Setup,
  { narrowed, files }: LintInput,
  read: ReadFiles,
): Pick<WatchedRun, 'files' | 'folders'> {
  return {
    files: [
      ...read.each.flatMap(({ file }) => file ?? []),
      ...read.problems.map(({ path }) => resolve(io.cwd, path)),
      ...configs.all().flatMap((config) => config.files.map((each) => resolve(io.cwd, each))),
      ...inputsOf(options, io),
      ...(narrowed ? [...narrowed.change.files, ...read.files.map((path) => resolve(io.cwd, path))] : []),
    ],
    folders: files.searched,
  }
}

/** The parameters of a run, apart from its files and configurations. */
interface RunOptions {
  readonly options: Options<'lint'>
  readonly given: GivenLevels
  readonly now: number
  readonly clock: Clock
  readonly covers: (path: string) => boolean
  readonly isWhole: boolean
  readonly io: Io
}

/** Makes runs over files with what their configurations say. `found`: the files of the first one. */
async function runsWith(configs: Configs, filesRead: ReadFiles, { options, given, now, clock, covers, isWhole, io }: RunOptions) {
  await configs.load(filesRead.files)
  checkCodes(configs.all())
  const { main } = configs
  const { settings } = main
  const catalogue = await catalogueFor(main, io)
  const needsOperations = filesRead.each.some(({ read }) => (read.facts.credentials ?? []).length > 0)
  const operations = needsOperations ? await operationsFor(main, io) : []
  refuseAll(await namesInGuardrails(configs.all(), { catalogue, settings, facts: filesRead.facts }))
  const words = await wordsFor(configs.all(), now)
  const inConfigurations = { cwd: portable(io.cwd), given, isWhole, ...words, covers: (path: string) => covers(resolve(path)) }
  return async (files: ReadFiles): Promise<LintRun & Required<Pick<LintRun, 'profileOf'>>> => ({
    files,
    settings,
    catalogue,
    operations: () => operations,
    now,
    clock,
    summaryOf,
    ...(await applyConfigurations(configs, files.files, inConfigurations)),
    suppressions: options.suppressions,
  })
}

/** The findings in the state before a change, with its configuration; none where that cannot be used any more. */
async function findBefore(
  narrowed: ChangeScope,
  configs: Configs,
  { options, now, clock, io }: Pick<RunOptions, 'options' | 'now' | 'clock' | 'io'>,
): Promise<readonly Diagnostic[]> {
  const isSame = !narrowed.isGoverning(configs)
  const covers = () => true
  try {
    const before = isSame ? { configs, io } : { configs: await openConfigs(options, narrowed.ioBefore), io: narrowed.ioBefore }
    const { main } = before.configs
    // The cached readings were made with the present settings.
    const read = await readFiles(narrowed.change.before, main.settings, io, undefined, isSame ? narrowed.recalled : undefined)
    const levels = givenLevels(options, ownRulesOf([main]))
    const runOf = await runsWith(before.configs, read, {
      options,
      given: levels,
      now,
      clock,
      covers,
      isWhole: !narrowed.change.isPartial,
      io,
    })
    const baseline = options.baseline === undefined ? undefined : openBaseline(options, before.io)?.apply(covers)
    return lintFiles({ ...(await runOf(read)), baseline, ...(isSame && { remembered: narrowed.remembered }) }).findings
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

const unwatched = (code: ExitCode): WatchedRun => ({ code, files: [], folders: [] })

/** Whether findings fail the run: one at its level or above, or more warnings than are allowed, which then do not fail by themselves. */
function isFailure(findings: readonly Diagnostic[], levelFor: (path: string) => FailOn, most: number | undefined, io: Io): boolean {
  const warnings = findings.filter(({ severity }) => severity === 'warning').length
  const isTooMany = most !== undefined && warnings > most
  if (isTooMany) io.stderr.write(`grantwise: ${plural(warnings, 'warning')}, and --max-warnings allows ${most}\n`)
  return (
    isTooMany ||
    findings.some(({ severity, span }) => !(severity === 'warning' && most !== undefined) && fails(severity, levelFor(span.source.path)))
  )
}

/** The level of two that fails for more. */
const stricter = (a: FailOn, b: FailOn): FailOn => (levelRank(a) > levelRank(b) ? a : b)

const levelRank = (level: FailOn) => (level === 'never' ? -1 : severities.indexOf(level))

function fails(severity: Severity, failOn: FailOn): boolean {
  return failOn !== 'never' && severities.indexOf(severity) <= severities.indexOf(failOn)
}

/** The files without policies that the options name as input. */
function inputsOf({ baseline, config, filesFrom }: Options<'lint'>, io: Io): readonly string[] {
  return [baseline, config, filesFrom].flatMap((file) => (typeof file !== 'string' || file === '-' ? [] : [resolve(io.cwd, file)]))
}
