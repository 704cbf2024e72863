import type { Diagnostic } from '../diagnostic.ts'
import type { Configuration } from '../lint/config.ts'
import { RuleMemo } from '../lint/remembered.ts'
import type { Settings } from '../names.ts'
import { type Notation, type Source, sourceOf } from '../source.ts'
import type { ReadFiles, TextGiven } from '../sources/files.ts'
import type { Problem } from '../sources/limits.ts'
import { type Readers, type Recall, readSources } from '../sources/read.ts'
import { allReaders } from '../sources/readers.ts'
import { RecalledConfigurations } from '../sources/recalled-configurations.ts'
import type { Candidate, Configs, FolderHost, Host, Unusable } from './host.ts'
import type { EditorSettings } from './settings.ts'

/** A text that the editor has open, as the folder sees it. */
export interface FolderText {
  /** Its path as shown to users: of a file, else the end of its URI. */
  readonly path: string
  /** Absolute; undefined for one that is in no file. */
  readonly file: string | undefined
  readonly text: string
  /** Its notation by the editor; undefined where only its name gives it. */
  readonly notation: Notation | undefined
}

/** A folder whose configuration was read, and what is to be looked at in it. */
export interface OpenedFolder {
  readonly configs: Configs
  readonly main: Configuration
  /** In the order of their paths. */
  readonly candidates: readonly Candidate[]
  /** Those of `world` in the configuration. */
  readonly world: readonly Candidate[]
  readonly problems: readonly Problem[]
}

/** A reading of a file on the disk, with the file's stamp at that time. */
interface Kept {
  readonly stamp: string
  readonly given: TextGiven | Problem
}

/** Notations of files that are only read when they are named. */
const onlyNamed: ReadonlySet<Notation> = new Set(['markdown', 'shell', 'steps', 'actions'])

const nothing: Awaited<ReturnType<FolderHost['find']>> = { candidates: [], problems: [] }

/** Collects problems, and continues with the alternative. */
export type OrUnusable = <T>(use: () => T | Promise<T>, otherwise: T) => Promise<T>

export function collecting(unusable: Unusable[], { refusal }: Pick<Host, 'refusal'>): OrUnusable {
  return async (use, otherwise) => {
    try {
      return await use()
    } catch (error) {
      const knownRefusal = refusal(error)
      if (!knownRefusal) throw error
      unusable.push(knownRefusal)
      return otherwise
    }
  }
}

/**
 * Reads a folder of the workspace as `grantwise lint` in that folder does, but reads and parses only changed files again. Its
 * cache depends only on the disk and on the open texts.
 */
export class FolderReader {
  readonly host: FolderHost
  readonly remembered = new RuleMemo()
  private configurations = new RecalledConfigurations()
  private readonly kept = new Map<string, Kept>()
  private configs: Configs | undefined
  /** The sources of open texts, so that an unchanged one is the same object again. */
  private readonly sources = new Map<string, Source>()
  /** The findings of the last run, and all that they depend on. */
  private last: { readonly dependsOn: readonly unknown[]; readonly findings: readonly Diagnostic[] } | undefined
  /** Readings by settings, the present and the previous ones: requests that still answer from the last state read with its settings. */
  private reads = new Map<Settings, WeakMap<Source, { readonly value: unknown }>>()

  /** `checkpoint` is called between files and between rules; throws where what is read or found is not wanted any more. */
  constructor(host: FolderHost, checkpoint: () => void = () => {}) {
    this.host = host
    this.remembered.checkpoint = checkpoint
  }

  /**
   * Find the files to lint. Where the configuration cannot be used, the last usable one holds; undefined where there was none.
   * `isLoose`: only the open texts.
   */
  async open(
    texts: readonly FolderText[],
    settings: EditorSettings,
    isLoose: boolean,
    orUnusable: OrUnusable,
  ): Promise<OpenedFolder | undefined> {
    const { host } = this
    const configs = await orUnusable(async () => {
      const configs = await host.openConfigs(settings)
      host.checkConfigs(configs.all())
      return configs
    }, this.configs)
    if (!configs) return undefined
    this.configs = configs
    const { main } = configs
    if (!this.reads.has(main.settings)) this.reads = new Map([...this.reads].slice(-1)).set(main.settings, new WeakMap())
    const { candidates, problems } = isLoose ? nothing : await host.find(main, settings)
    const world = main.world === undefined ? [] : (await host.find({ ...main, policies: [] }, settings)).candidates
    const byFile = new Map(candidates.map((each) => [each.file, each]))
    // A text that is open counts, whether or not its file is still there.
    const wants = await host.wants(main)
    for (const { file, path } of isLoose ? [] : texts) {
      if (file === undefined || byFile.has(file) || host.stampOf(file) !== undefined) continue
      const notation = host.notationOf(file)
      if (notation && !onlyNamed.has(notation) && host.kindOf(file) === undefined && wants(file))
        byFile.set(file, { file, path, notation, isNamed: false })
    }
    for (const file of this.kept.keys()) if (!byFile.has(file)) this.kept.delete(file)
    for (const key of this.sources.keys()) if (!texts.some((each) => (each.file ?? each.path) === key)) this.sources.delete(key)
    const inOrder = [...byFile.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    return { configs, main, candidates: inOrder, world, problems }
  }

  /** The texts to read of files: the same objects as before where nothing has changed. `isKnown`: nothing has changed on the disk. */
  inputs(candidates: readonly Candidate[], texts: readonly FolderText[], isKnown = false): readonly (TextGiven | Problem)[] {
    const open = new Map(texts.map((text) => [text.file, text]))
    return candidates.map((candidate) => {
      this.remembered.checkpoint()
      return this.input(candidate, open.get(candidate.file), isKnown)
    })
  }

  /** The source of an open text; undefined for one that is never read. */
  sourceOf({ file, path, text, notation }: FolderText): Source | undefined {
    const chosen = (file === undefined ? undefined : this.host.notationOf(file)) ?? notation
    if (!chosen) return undefined
    const key = file ?? path
    const knownSource = this.sources.get(key)
    if (knownSource && knownSource.text === text && knownSource.path === path && knownSource.notation === chosen) return knownSource
    const source = sourceOf(path, text, chosen)
    this.sources.set(key, source)
    return source
  }

  forgetConfigurations(): void {
    this.configurations = new RecalledConfigurations()
  }

  read(
    texts: Iterable<TextGiven | Problem | Promise<TextGiven | Problem>>,
    settings: Settings,
    recalled = this.configurations,
  ): Promise<ReadFiles> {
    const configurations: Readers['configurations'] = (files, own, folders) => recalled.read(files, own, folders, settings)
    return readSources(
      checked(texts, this.remembered.checkpoint),
      settings,
      { ...allReaders, configurations },
      {
        actionLists: true,
        folders: this.host.folders,
        recall: recallFrom(this.reads.get(settings)),
      },
    )
  }

  /** Read a configuration by itself. The one of the folder stays remembered, which is larger. */
  readApart(text: TextGiven, settings: Settings): Promise<ReadFiles> {
    return this.read([text], settings, new RecalledConfigurations())
  }

  /** Findings, those of the last run where all that they depend on is the same; undefined: they depend on more. */
  async unlessSame(dependsOn: readonly unknown[] | undefined, find: () => Promise<readonly Diagnostic[]>): Promise<readonly Diagnostic[]> {
    const { last } = this
    if (dependsOn && last?.dependsOn.length === dependsOn.length && dependsOn.every((each, i) => each === last.dependsOn[i]))
      return last.findings
    this.last = undefined
    const findings = await find()
    if (dependsOn) this.last = { dependsOn, findings }
    return findings
  }

  private input({ file, path, notation, isNamed }: Candidate, open: FolderText | undefined, isKnown: boolean): TextGiven | Problem {
    const { host } = this
    const keptInput = this.kept.get(file)
    if (open) {
      const source = this.sourceOf({ ...open, path, notation })
      if (source && keptInput && isSame(keptInput.given, source)) return keptInput.given
      if (source) return { source, file: host.portable(file), isNamed }
    }
    if (keptInput && isKnown) return keptInput.given
    const stamp = host.stampOf(file)
    if (keptInput && stamp !== undefined && keptInput.stamp === stamp) return keptInput.given
    const read = host.read(file)
    const input =
      'message' in read
        ? { path, message: read.message }
        : { source: sourceOf(path, read.text, notation), file: host.portable(file), isNamed }
    if (stamp === undefined) this.kept.delete(file)
    else this.kept.set(file, { stamp, given: input })
    return input
  }
}

function* checked<T>(items: Iterable<T>, checkpoint: () => void): Iterable<T> {
  for (const item of items) {
    checkpoint()
    yield item
  }
}

/** Whether an open text is that of its file as it was read: then nothing is read or linted again. */
function isSame(given: TextGiven | Problem, { text, notation }: Source): boolean {
  return 'source' in given && given.source.notation === notation && given.source.text === text
}

function recallFrom(reads = new WeakMap<Source, { readonly value: unknown }>()): Recall {
  return <T>(source: Source, read: () => T | Promise<T>) => {
    const knownRead = reads.get(source)
    if (knownRead) return knownRead.value as T
    const keep = (value: T) => {
      reads.set(source, { value })
      return value
    }
    const value = read()
    return value instanceof Promise ? value.then(keep) : keep(value)
  }
}
