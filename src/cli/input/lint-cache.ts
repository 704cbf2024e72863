import { hash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import type { FileUse, Skipped } from '../../coverage.ts'
import { guardOutput } from '../../report/safe.ts'
import type { Clock } from '../../rules/clock.ts'
import type { Options } from '../app/commands.ts'
import { type ExitCode, exit } from '../app/exit.ts'
import { type Io, ioWith, type Sink, wantsColour } from '../app/io.ts'
import { RunRecord } from '../app/record.ts'
import { commit, sources, version } from '../app/version.ts'
import type { LintOutput } from '../output/lint-formats.ts'
import type { Target } from '../output/outputs.ts'
import type { Writing } from '../output/writing.ts'
import { type CacheFolder, openCacheFolder } from './cache-folder.ts'
import { type CachedResult, type FileSeen, type GuardName, guards, resultOf, type Written } from './cached-result.ts'
import type { Configs } from './config.ts'
import type { Candidate } from './files.ts'
import { foldersOf } from './folders.ts'
import { isStillSo, ObservedFolders } from './observed-folders.ts'
import { bytesAt, bytesIn, scratchMemory } from './read-file.ts'
import type { FilesFound } from './world.ts'

/** The largest output that is kept. */
const mostWritten = 8 * 2 ** 20

/** The parts of a run of lint that its result depends on, or that it writes with. */
export interface CachedSetup {
  readonly io: Io
  readonly writing: Writing
  readonly outputs: readonly LintOutput[]
  readonly targets: readonly Target[]
  readonly now: number
  readonly clock: Clock
  readonly configs: Configs
}

/**
 * The cache of `lint --cache`; undefined where the run is not one that is cached: it changes files, lists something else than findings,
 * reads standard input or recorded calls, or has no place for a cache.
 */
export function openCache(paths: readonly string[], options: Options<'lint'>, io: Io): LintCache | undefined {
  const { fix, fixDryRun, fixLevel, dryRun, diff, writeBaseline, listFiles, printConfig, watch } = options
  const isOther =
    fix ||
    fixDryRun ||
    dryRun ||
    diff ||
    listFiles ||
    watch ||
    options.age ||
    options.calls.length > 0 ||
    [fixLevel, writeBaseline, printConfig, options.newSince].some(isGiven)
  if (isOther || paths.includes('-')) return undefined
  const folder = openCacheFolder(options.cacheLocation, io)
  return folder && new LintCache(folder, paths, options, io.record)
}

const isGiven = (value: string | undefined) => value !== undefined

/** Results of earlier runs, and the files that this one reads. */
export class LintCache {
  /** The record of the run: it notes here which files are read. */
  readonly record: RunRecord
  readonly folder: CacheFolder
  /** The other files that were read, by their paths. */
  readonly seen = new Map<string, FileSeen>()
  /** Whether the files that are linted had the same content whenever they were read. */
  isStable = true
  private readonly contents = new Map<string, string>()
  private readonly colour: boolean | undefined
  /** The command line without the names of the files that are written: a build server may give them other ones each time. */
  private readonly call: readonly unknown[]

  constructor(folder: CacheFolder, paths: readonly string[], options: Options<'lint'>, record = new RunRecord()) {
    const { format, output: _, ...others } = options
    this.folder = folder
    this.colour = options.color
    this.call = [paths, others, format.map(withoutName)]
    this.record = record
    record.noted = (path, as, bytes) => this.note(path, as, bytes)
  }

  /** The run over files that were found; undefined where its result is not kept. */
  runOver(filesFound: FilesFound, setup: CachedSetup): CachedRun | undefined {
    if (filesFound.problems.length > 0 || hasModules(setup.configs)) return undefined
    const files = [...filesFound.candidates, ...filesFound.own]
    const hashes = this.hashesOf(files)
    if (!hashes) return undefined
    const { searched, passed } = filesFound
    const { io, outputs, configs } = setup
    const parts = {
      program: [version, commit, sources, process.version, process.platform, io.tzdata, process.versions.icu],
      call: this.call,
      place: [io.cwd, foldersOf(io).top],
      output: [outputs.map(withoutName), wantsColour(io, this.colour)],
      coverage: this.record.isAsked && this.covered(passed),
      configs: configs.main.files,
      environment: [...(configs.main.settings.variables?.environment ?? [])],
      searched,
      files: files.map(({ path, notation, file, isNamed, isOwn, rewritings }) => [path, notation, file, isNamed, isOwn, rewritings]),
      hashes,
    }
    const name = `lint-${hash('sha256', JSON.stringify([io.cwd, this.call]))}`
    return new CachedRun(this, name, hash('sha256', JSON.stringify(parts)), setup)
  }

  /**
   * A hash of the content of each file; undefined where one cannot be read, and may be readable in a moment. No text is made of them: it
   * would take longer than all the rest.
   */
  private hashesOf(files: readonly Candidate[]): readonly string[] | undefined {
    const { contents } = this
    const memory = scratchMemory()
    for (const { path, file } of files) {
      const bytes = file === undefined ? undefined : bytesIn(file, memory).bytes
      if (bytes === undefined) return undefined
      contents.set(path, this.contentOf(path, bytes))
    }
    return [...contents.values()]
  }

  /** The part of the record that only its printed form depends on: files that were found and not read, and files of git. */
  private covered(passed: readonly Skipped[]): unknown {
    const coverage = this.record.coverage()
    return [coverage.read.filter(({ as }) => as !== 'none'), coverage.passed, passed]
  }

  private contentOf(path: string, bytes: Uint8Array): string {
    if (this.record.isAsked) this.record.note(path, 'none', bytes)
    return hash('sha256', bytes)
  }

  private note(path: string, as: FileUse, bytes: Uint8Array): void {
    // The files that are linted have their place in the key, and the search for them is made again.
    const content = hash('sha256', bytes)
    const linted = this.contents.get(path)
    if (as === 'none') this.isStable &&= linted === undefined || linted === content
    else if (!['.gitignore', '.gitattributes'].includes(basename(path))) this.seen.set(path, [path, as, content])
  }
}

const withoutName = ({ format, file }: LintOutput) => [format, file !== undefined]

/** Whether rules of an organisation run: they are code, which may look at anything. */
function hasModules(configs: Configs): boolean {
  return configs.all().some(({ ruleModules }) => ruleModules.length > 0)
}

/** A run whose result is taken from the cache, or is kept in it. */
export class CachedRun {
  /** The folders around its files, which note what is asked. */
  readonly folders: ObservedFolders
  private readonly cache: LintCache
  private readonly name: string
  private readonly key: string
  private readonly setup: CachedSetup
  private readonly written: Written[] = []
  private isWhole = true

  constructor(cache: LintCache, name: string, key: string, setup: CachedSetup) {
    this.cache = cache
    this.name = name
    this.key = key
    this.setup = setup
    this.folders = new ObservedFolders(foldersOf(setup.io))
  }

  /**
   * Print and write what an earlier run did where nothing has changed since: its exit code, else undefined. `guard` refuses outputs
   * that would replace what is read, as in every run.
   */
  async again(guard: (files: readonly string[]) => Promise<void>): Promise<ExitCode | undefined> {
    const { cache, setup } = this
    const { record } = cache
    const result = resultOf(cache.folder.read(this.name))
    if (!result || !this.isCurrent(result) || !(await isStillSo(result.folders, foldersOf(setup.io)))) return undefined
    await guard(result.files)
    // The files are the same, and so are their configurations, unless one of those has changed.
    await setup.configs.load(result.files)
    if (JSON.stringify(filesOf(setup.configs)) !== JSON.stringify(result.configs)) return undefined
    record.search(result.searched)
    for (const { path, as } of result.read) record.note(path, as)
    record.pass(result.passed)
    record.assume(result.assumptions)
    if (result.isShown) record.isShown = true
    for (const [to, text, how] of result.written) {
      if (to === 'file') await setup.writing.write(setup.targets[how]?.file as string, text)
      else setup.io[to].write(text, guards[how])
    }
    return result.code
  }

  /** The setup that notes what the run writes from now on. `files`: those in which policies are. */
  async recording(files: readonly string[]): Promise<Pick<CachedSetup, 'io' | 'writing'>> {
    const { configs, io, targets, writing } = this.setup
    // Their notes are written anew each time.
    await configs.load(files)
    return {
      io: ioWith(io, { stdout: this.recorded('stdout', io.stdout), stderr: this.recorded('stderr', io.stderr) }),
      writing: {
        ...writing,
        write: async (file, text, more) => {
          this.written.push(['file', text, targets.findIndex((target) => target.file === file)])
          await writing.write(file, text, more)
        },
      },
    }
  }

  /** Keep the result of the run for the next one. */
  keep(code: ExitCode, files: readonly string[]): void {
    const { configs, clock } = this.setup
    const { folder, record, seen, isStable } = this.cache
    const { searched, read, passed, assumptions } = record.coverage()
    const size = this.written.reduce((sum, [, text]) => sum + text.length, 0)
    // A place in a text is not kept, and an answer that depends on what was not read is no success anyway.
    const isKept =
      this.isWhole && isStable && size <= mostWritten && !hasModules(configs) && assumptions.every(({ span }) => span === undefined)
    if (code === exit.error || !isKept) return
    const [first, last] = clock.holds.map((limit) => (Number.isFinite(limit) ? limit : null))
    const result: CachedResult = {
      key: this.key,
      holds: [first ?? null, last ?? null],
      folders: this.folders.seen,
      seen: [...seen.values()],
      configs: filesOf(configs),
      files,
      searched,
      read: record.isAsked ? read.map(({ path, as }) => ({ path, as })) : [],
      passed: record.isAsked ? passed : [],
      assumptions,
      isShown: record.isShown,
      written: this.written,
      code,
    }
    folder.write(this.name, JSON.stringify(result))
  }

  private isCurrent({ key, holds: [first, last], seen, written }: CachedResult): boolean {
    const { now, targets } = this.setup
    return (
      key === this.key &&
      now >= (first ?? now) &&
      now <= (last ?? now) &&
      written.every(([to, , place]) => to !== 'file' || targets[place] !== undefined) &&
      seen.every((file) => this.isUnchanged(file))
    )
  }

  private isUnchanged([path, as, before]: FileSeen): boolean {
    const { seen } = this.cache
    // Reading a file notes it.
    if (!seen.has(path)) bytesAt(resolve(this.setup.io.cwd, path), as, this.setup.io)
    return seen.get(path)?.[2] === before
  }

  private recorded(to: 'stdout' | 'stderr', sink: Sink): Sink {
    return {
      ...sink,
      write: (text, care = guardOutput) => {
        const guard = (Object.keys(guards) as GuardName[]).find((name) => guards[name] === care)
        if (guard) this.written.push([to, text, guard])
        else this.isWhole = false
        return sink.write(text, care)
      },
    }
  }
}

const filesOf = (configs: Configs) => configs.all().flatMap(({ files }) => files)
