import type { Diagnostic } from '../diagnostic.ts'
import { applyConfigurations } from '../lint/apply-config.ts'
import type { Configuration } from '../lint/config.ts'
import type { Problem } from '../lint/limits.ts'
import { type LintRun, lintFiles } from '../lint/lint-files.ts'
import type { GivenLevels } from '../lint/profile.ts'
import { type ReadFiles, type Recall, readSources, type TextGiven } from '../lint/read.ts'
import type { Settings } from '../names.ts'
import { type Notation, type Source, sourceOf } from '../source.ts'
import type { Candidate, Configs, FolderHost, Host, Unusable } from './host.ts'
import { readTests } from './policy-tests.ts'
import type { EditorSettings } from './settings.ts'

/** A text that the editor has open, as the folder sees it. */
export interface FolderText {
  /** Its path as shown to people: of a file, else the end of its URI. */
  readonly path: string
  /** Absolute; undefined for one that is in no file. */
  readonly file: string | undefined
  readonly text: string
  /** What the editor takes it for; undefined where only its name says so. */
  readonly notation: Notation | undefined
}

/** What was found in a folder. */
export interface FolderFindings {
  readonly findings: readonly Diagnostic[]
  /** Files that could not be read, by their paths as shown to people. */
  readonly problems: readonly Problem[]
  /** Why the configuration, or a setting, cannot be used: then all else is as it was found with the last one that could be. */
  readonly unusable: readonly Unusable[]
  /** The configuration that holds; undefined where none could be used yet. */
  readonly main: Configuration | undefined
  /** The files that were looked at, and those of configurations: absolute. */
  readonly files: readonly string[]
}

/** What was read of a file on the disk, and how the file was known then. */
interface Kept {
  readonly stamp: string
  readonly given: TextGiven | Problem
}

const noLevels: GivenLevels = { preset: undefined, rules: new Map() }
const nothing: Awaited<ReturnType<FolderHost['find']>> = { candidates: [], problems: [] }
const hasPath = (problem: Problem) => problem.path !== ''

/**
 * A folder of the workspace: lints it as `grantwise lint` in that folder does, but reads and parses again only what has
 * changed. What it keeps is a function of what lies on the disk and of the texts that are open.
 */
export class FolderLint {
  private readonly host: FolderHost
  private readonly machine: Pick<Host, 'now' | 'refusal'>
  private configs: Configs | undefined
  private readonly kept = new Map<string, Kept>()
  /** The sources of open texts, so that one that has not changed is the same source again. */
  private readonly sources = new Map<string, Source>()
  private reads = new WeakMap<Source, { readonly value: unknown }>()
  private readFor: Settings | undefined

  constructor(host: FolderHost, machine: Pick<Host, 'now' | 'refusal'>) {
    this.host = host
    this.machine = machine
  }

  /** Lint the folder, with the texts that are open in or for it. `isLoose`: only these texts, each by itself. */
  async lint(texts: readonly FolderText[], settings: EditorSettings, isLoose: boolean): Promise<FolderFindings> {
    const { host } = this
    const { refusal } = this.machine
    const now = this.machine.now()
    const unusable: Unusable[] = []
    const orUnusable = async <T>(use: () => T | Promise<T>, otherwise: T): Promise<T> => {
      try {
        return await use()
      } catch (error) {
        const known = refusal(error)
        if (!known) throw error
        unusable.push(known)
        return otherwise
      }
    }
    const configs = await orUnusable(async () => {
      const configs = await host.openConfigs(settings)
      host.checkConfigs(configs.all())
      return configs
    }, this.configs)
    if (!configs) return { findings: [], problems: [], unusable, main: undefined, files: [] }
    this.configs = configs
    const { main } = configs
    if (this.readFor !== main.settings) {
      this.reads = new WeakMap()
      this.readFor = main.settings
    }

    const { candidates, problems: notFound } = isLoose ? nothing : await host.find(main, settings)
    const worldFiles = main.world === undefined ? [] : (await host.find({ ...main, policies: [] }, settings)).candidates
    const byFile = new Map(candidates.map((each) => [each.file, each]))
    const open = new Map(texts.flatMap((text) => (text.file === undefined ? [] : [[text.file, text] as const])))
    // A text that is open counts, whether or not its file is still there.
    const wants = await host.wants(main)
    for (const { file, path } of isLoose ? [] : open.values()) {
      const notation = file === undefined ? undefined : host.notationOf(file)
      if (file === undefined || byFile.has(file) || host.stampOf(file) !== undefined) continue
      if (notation && notation !== 'markdown' && host.kindOf(file) === undefined && wants(file))
        byFile.set(file, { file, path, notation, isNamed: false })
    }
    for (const file of this.kept.keys()) if (!byFile.has(file)) this.kept.delete(file)
    for (const key of this.sources.keys()) if (!texts.some((each) => (each.file ?? each.path) === key)) this.sources.delete(key)

    const inOrder = [...byFile.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    const inputs = inOrder.map((candidate) => this.given(candidate, open.get(candidate.file)))
    const read = await this.read(inputs, main.settings)
    const catalogue = await orUnusable(() => host.catalogue(main), undefined)
    const given = await orUnusable(() => host.levels(settings), noLevels)
    const baseline = await orUnusable(() => (settings.baseline === undefined ? undefined : host.baseline(settings.baseline)), undefined)
    await orUnusable(() => configs.load(read.files), undefined)
    await orUnusable(() => host.checkConfigs(configs.all()), undefined)
    if (!catalogue) return { findings: [], problems: [], unusable, main, files: [] }
    const run = async (files: ReadFiles, covers: (file: string) => boolean): Promise<LintRun> => {
      const needsOperations = files.each.some(({ read }) => (read.facts.credentials ?? []).length > 0)
      const operations = needsOperations ? await host.operations(main) : []
      return {
        files,
        settings: main.settings,
        catalogue,
        operations: () => operations,
        now,
        ...(await applyConfigurations(configs, files.files, {
          cwd: host.folders.cwd,
          given,
          covers: (path) => covers(host.fileOf(path)),
        })),
        suppressions: settings.suppressions,
        baseline,
      }
    }
    const findings = [...lintFiles(await run(read, () => true)).findings]
    const problems = [...notFound, ...read.problems].filter(hasPath)
    // What is open and not part of the folder's policies is looked at by itself, as a file that is named.
    for (const text of texts) {
      const { file } = text
      if (file !== undefined && byFile.has(file)) continue
      const kind = file === undefined ? undefined : host.kindOf(file)
      if (kind === 'config') continue
      const source = this.sourceOf(text)
      if (!source) continue
      if (kind === 'test') {
        findings.push(...(await readTests(source, now, main.settings, catalogue)))
        continue
      }
      const own: TextGiven = {
        source,
        file: file === undefined ? undefined : host.portable(file),
        isNamed: false,
        isElsewhere: file === undefined,
      }
      const beside = worldFiles.filter((each) => each.file !== file).map((each) => this.given(each, open.get(each.file)))
      const alone = await this.read([...beside, own], main.settings)
      problems.push(...alone.problems.filter(hasPath))
      if (!alone.files.includes(source.path)) continue
      await orUnusable(() => configs.load(alone.files), undefined)
      const found = lintFiles(await run(alone, (path) => path === file)).findings
      findings.push(...found.filter(({ span }) => span.source.path === source.path))
    }
    const files = [...byFile.keys(), ...configs.all().flatMap((each) => each.files.map(host.fileOf))]
    return { findings, problems, unusable, main, files }
  }

  /** What is to be read of a file: the same object as before where nothing has changed. */
  private given({ file, path, notation, isNamed }: Candidate, open: FolderText | undefined): TextGiven | Problem {
    const { host } = this
    if (open) {
      const source = this.sourceOf({ ...open, path, notation })
      if (source) return { source, file: host.portable(file), isNamed }
    }
    const stamp = host.stampOf(file)
    const known = this.kept.get(file)
    if (known && stamp !== undefined && known.stamp === stamp) return known.given
    const read = host.read(file)
    const given =
      'message' in read
        ? { path, message: read.message }
        : { source: sourceOf(path, read.text, notation), file: host.portable(file), isNamed }
    if (stamp === undefined) this.kept.delete(file)
    else this.kept.set(file, { stamp, given })
    return given
  }

  private sourceOf({ file, path, text, notation }: FolderText): Source | undefined {
    const chosen = (file === undefined ? undefined : this.host.notationOf(file)) ?? notation
    if (!chosen) return undefined
    const key = file ?? path
    const known = this.sources.get(key)
    if (known && known.text === text && known.path === path && known.notation === chosen) return known
    const source = sourceOf(path, text, chosen)
    this.sources.set(key, source)
    return source
  }

  private read(given: readonly (TextGiven | Problem)[], settings: Settings): Promise<ReadFiles> {
    return readSources(given, settings, { actionLists: true, folders: this.host.folders, recall: this.recall })
  }

  private readonly recall: Recall = <T>(source: Source, read: () => T | Promise<T>) => {
    const known = this.reads.get(source)
    if (known) return known.value as T
    const keep = (value: T) => {
      this.reads.set(source, { value })
      return value
    }
    const value = read()
    return value instanceof Promise ? value.then(keep) : keep(value)
  }
}
