import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { BlameReport } from '../answers/blame.ts'
import type { EditorFile, Workspace } from '../editor/model.ts'
import { NameIndex } from '../editor/name-index.ts'
import { editorFile, prepare, workspaceOf } from '../editor/workspace.ts'
import type { ReadSource } from '../parser/read.ts'
import { defaultDocs } from '../report/words.ts'
import { isHcl, type Source, sourceOf } from '../source.ts'
import type { FileRead, TextGiven } from '../sources/files.ts'
import type { Problem } from '../sources/limits.ts'
import { folderText, type TextGiven as OpenText, rootOf } from './analysis.ts'
import type { FolderHost, Host } from './host.ts'
import { collecting, FolderReader, type OpenedFolder } from './reader.ts'
import { type EditorSettings, usualSettings } from './settings.ts'

/** A folder as features know it. */
export interface KnownFolder {
  readonly workspace: Workspace
  /** The absolute path of one that is shown to users. */
  readonly fileOf: (path: string) => string
  readonly nameOf: (file: string) => string
  /** The reading of a text in place of that of the file of its path. */
  readonly readAs: (source: Source) => Promise<FileRead | undefined>
}

/** The state of a folder when it was last searched. */
interface Looked {
  readonly opened: OpenedFolder
  readonly catalogue: Catalogue
  readonly operations: readonly Operation[]
  /** Policy tests and configurations. */
  readonly testsAndConfigs: readonly EditorFile[]
}

/** How long reading continues before other work has its turn, in milliseconds. */
const turn = 10

/** How long a committed text is trusted, in milliseconds: there is no notification of commits. */
const fresh = 5000

/**
 * The state that hover, completion and the like answer from: the same files as the analysis, read in this thread, a few at a
 * time. An edit reads its own file again, and nothing else.
 */
export class Knowledge {
  private readonly host: Host
  private readonly folders = new Map<string, FolderKnowledge>()
  private settings = new Map<string, EditorSettings>()
  private readonly texts = new Map<string, OpenText>()
  private readonly textAt = (file: string) => [...this.texts.values()].find((each) => each.file === file)?.text

  constructor(host: Host) {
    this.host = host
  }

  setUp(settings: ReadonlyMap<string, EditorSettings>): void {
    this.settings = new Map(settings)
    this.forget()
  }

  put(text: OpenText): void {
    this.texts.set(text.uri, text)
    this.folderOf(text).edited()
  }

  drop(uri: string): void {
    const text = this.texts.get(uri)
    this.texts.delete(uri)
    if (text) this.folderOf(text).forget()
  }

  /** Something may have changed on the disk, or in what a folder is. */
  forget(): void {
    for (const folder of this.folders.values()) folder.forget()
  }

  /** Search all folders of the workspace in advance, and index their names, so that no request has to wait for it. */
  async look(): Promise<void> {
    for (const root of this.settings.keys()) await this.at(root).prepare()
  }

  /** Settled once answers are about the files as they are. */
  async settled(): Promise<void> {
    await Promise.all([...this.folders.values()].map((folder) => folder.settled()))
  }

  /** The knowledge of the folder around a text, and the text in it. */
  async around(uri: string): Promise<{ readonly known: KnownFolder; readonly file: EditorFile } | undefined> {
    const text = this.texts.get(uri)
    if (!text) return undefined
    const root = this.root(text)
    const folder = await this.at(root).known()
    const file = folder?.workspace.files.get(folderText(text, folder.nameOf).path)
    return folder && file && { known: folder, file }
  }

  /** The reading of a text in place of an open one, with all files around it. */
  async readAs(uri: string, source: Source): Promise<ReadSource | undefined> {
    const text = this.texts.get(uri)
    if (!text) return undefined
    const root = this.root(text)
    return this.at(root).readAs(source)
  }

  /** All folders of the workspace. */
  async all(): Promise<readonly KnownFolder[]> {
    const all = await Promise.all([...this.settings.keys()].map((root) => this.at(root).known()))
    return all.filter((each) => each !== undefined)
  }

  private root(text: Pick<OpenText, 'file'>): string {
    return rootOf(text, [...this.settings.keys()], this.host)
  }

  private folderOf(text: OpenText): FolderKnowledge {
    return this.at(this.root(text))
  }

  private at(root: string): FolderKnowledge {
    const isLoose = !this.settings.has(root)
    const settings = this.settings.get(root) ?? [...this.settings.values()][0] ?? usualSettings
    const folderKnowledge =
      this.folders.get(root) ?? new FolderKnowledge(this.host, this.host.folder(root, this.textAt), isLoose, () => this.textsOf(root))
    folderKnowledge.settings = settings
    this.folders.set(root, folderKnowledge)
    return folderKnowledge
  }

  private textsOf(root: string): readonly OpenText[] {
    return [...this.texts.values()].filter((text) => this.root(text) === root)
  }
}

const isOf = (each: TextGiven | Problem, { path }: Source): each is TextGiven => 'source' in each && each.source.path === path

const withText = (given: TextGiven, source: Source): TextGiven => ({ ...given, source, isElsewhere: given.file === undefined })

/** Whether a text is a configuration in no file: it is in no folder with others, which may declare the same. */
const isUnsavedModule = ({ source, file }: TextGiven): boolean => file === undefined && isHcl(source.notation)

type Blame = BlameReport | { readonly why: string }

/** One folder. */
class FolderKnowledge {
  settings: EditorSettings = usualSettings
  private readonly host: Host
  private readonly reader: FolderReader
  private readonly isLoose: boolean
  private readonly textsNow: () => readonly OpenText[]
  /** The latest result; a new one replaces it when all of it is read. */
  private looked: Promise<Looked | undefined> | undefined
  private now: Promise<KnownFolder | undefined> | undefined
  private isStale = false
  private refreshing: Promise<void> | undefined
  /** The files of sources, with the facts computed from them. */
  private readonly files = new WeakMap<Source, EditorFile>()
  private readonly adjacentFiles = new Map<string, EditorFile>()
  private readonly index = new NameIndex()
  private headKnown: { readonly id: string | undefined; readonly until: number } = { id: undefined, until: 0 }
  private blamed: { readonly head: string | undefined; readonly reports: Map<string, Promise<Blame>> } = {
    head: undefined,
    reports: new Map(),
  }
  private lastBlame: Promise<void> = Promise.resolve()
  private readonly committed = new Map<string, { readonly text: string | undefined; readonly until: number }>()

  constructor(host: Host, folder: FolderHost, isLoose: boolean, textsNow: () => readonly OpenText[]) {
    this.host = host
    this.reader = new FolderReader(folder)
    this.isLoose = isLoose
    this.textsNow = textsNow
  }

  edited(): void {
    this.now = undefined
  }

  /** Search again. Until that is done, answers use the old state with the present open texts. */
  forget(): void {
    this.committed.clear()
    this.headKnown = { id: undefined, until: 0 }
    this.now = undefined
    if (!this.looked) return
    this.isStale = true
    this.refreshing ??= this.refresh().finally(() => {
      this.refreshing = undefined
    })
  }

  async settled(): Promise<void> {
    while (this.refreshing) await this.refreshing
  }

  private async refresh(): Promise<void> {
    while (this.isStale) {
      this.isStale = false
      await this.pause()
      const snapshot = await this.look()
      if (snapshot) await this.workOut(await this.know(snapshot, false))
      this.looked = Promise.resolve(snapshot)
      this.now = undefined
    }
  }

  known(): Promise<KnownFolder | undefined> {
    this.now ??= this.answer()
    return this.now
  }

  private async answer(): Promise<KnownFolder | undefined> {
    const isKnown = this.looked !== undefined
    this.looked ??= this.look()
    const snapshot = await this.looked
    return snapshot && this.know(snapshot, isKnown)
  }

  /** Read everything, and find what is written where. */
  async prepare(): Promise<void> {
    const folder = await this.known()
    if (!folder) return
    await this.workOut(folder)
    folder.workspace.names('policy')
  }

  /** Computes the parts that questions about all files need of each, with pauses for other work. */
  private async workOut({ workspace: { files, settings } }: KnownFolder): Promise<void> {
    const { host } = this
    let next = host.now() + turn
    for (const file of files.values()) {
      prepare(file, settings)
      if (host.now() < next) continue
      await this.pause()
      next = host.now() + turn
    }
  }

  private pause(): Promise<void> {
    return new Promise((done) => this.host.after(0, done))
  }

  /** The reading of a text in place of that of the file of its path. */
  async readAs(source: Source): Promise<ReadSource | undefined> {
    const known = await this.known()
    return (await known?.readAs(source))?.read
  }

  /** `isKnown`: nothing has changed on the disk since it was looked at. */
  private async know({ opened, catalogue, operations, testsAndConfigs }: Looked, isKnown: boolean): Promise<KnownFolder> {
    const { reader, host } = this
    const texts = this.textsNow().map((text) => folderText(text, reader.host.nameOf))
    const { main, candidates } = opened
    const inRun = new Set(candidates.map(({ file }) => file))
    const others = texts.filter(({ file }) => file === undefined || !inRun.has(file))
    const inputs = reader.inputs(candidates, texts, isKnown)
    if (!isKnown) await this.pause()
    const further = others.flatMap((text): TextGiven[] => {
      const kind = text.file === undefined ? undefined : reader.host.kindOf(text.file)
      const source = kind === undefined ? reader.sourceOf(text) : undefined
      const portablePath = text.file === undefined ? undefined : reader.host.portable(text.file)
      return source ? [{ source, file: portablePath, isNamed: source.notation === 'actions', isElsewhere: true }] : []
    })
    const placed = [...inputs, ...further.filter((each) => !isUnsavedModule(each))]
    const reads = [await reader.read(this.paced(placed), main.settings)]
    for (const each of further.filter(isUnsavedModule)) reads.push(await reader.readApart(each, main.settings))
    const byPath = new Map(reads.flatMap(({ each }) => each).map((each) => [each.source.path, each]))
    const files = new Map<string, EditorFile>(testsAndConfigs.map((file) => [file.path, file]))
    const add = (file: EditorFile) => files.set(file.path, file)
    for (const each of byPath.values()) add(this.fileOf(each))
    for (const text of texts) {
      const source = byPath.get(text.path)?.source ?? reader.sourceOf(text)
      if (source && !byPath.has(text.path)) add(this.fileOf({ source, read: undefined }))
    }
    const { fileOf, nameOf } = reader.host
    const readWith = async (source: Source) => {
      const all = placed.map((each) => (isOf(each, source) ? withText(each, source) : each))
      return (await reader.read(all, main.settings)).each
    }
    /** Only files of a configuration are read with those around them. */
    const readAs = async (source: Source) => {
      const one = [...inputs, ...further].flatMap((each) => (isOf(each, source) ? [withText(each, source)] : []))
      const isAmongOthers = isHcl(source.notation) && !one.some(isUnsavedModule)
      const newReads = isAmongOthers ? await readWith(source) : (await reader.read(one, main.settings)).each
      return newReads.find((each) => each.source === source)
    }
    const workspace = workspaceOf({
      files,
      catalogue,
      settings: main.settings,
      now: host.now(),
      docs: main.docs ?? defaultDocs,
      operations: () => operations,
      index: this.index,
      committed: (path) => this.committedText(path),
      blame: (path) => this.blame(path),
      readWith,
    })
    return { workspace, fileOf, nameOf, readAs }
  }

  /** The committed text of a file. Git is asked now and then, and not for every key that is pressed. */
  private committedText(path: string): string | undefined {
    const { host, reader, committed } = this
    const now = host.now()
    const committedBefore = committed.get(path)
    if (committedBefore && now < committedBefore.until) return committedBefore.text
    const text = reader.host.committed(reader.host.fileOf(path))
    committed.set(path, { text, until: now + fresh })
    return text
  }

  /** Since when the entries of a file have their effect: looked up once for each commit that is checked out, a file at a time. */
  private blame(path: string): Promise<Blame> {
    const head = this.head()
    if (this.blamed.head !== head) this.blamed = { head, reports: new Map() }
    const { reports } = this.blamed
    const report = reports.get(path) ?? this.lastBlame.then(() => this.lookUpBlame(path))
    reports.set(path, report)
    this.lastBlame = report.then(
      () => {},
      () => void reports.delete(path),
    )
    return report
  }

  private async lookUpBlame(path: string): Promise<Blame> {
    const { host, reader } = this
    let next = host.now() + turn
    const pause = async () => {
      if (host.now() < next) return
      await this.pause()
      next = host.now() + turn
    }
    try {
      return await reader.host.blame(reader.host.fileOf(path), this.settings, pause)
    } catch (error) {
      const refusal = host.refusal(error)
      if (refusal) return { why: refusal.message }
      throw error
    }
  }

  /** The commit that is checked out: git is asked now and then. */
  private head(): string | undefined {
    const now = this.host.now()
    if (now >= this.headKnown.until) this.headKnown = { id: this.reader.host.head(), until: now + fresh }
    return this.headKnown.id
  }

  /** The file of a text: the one of before where it has not changed. */
  private fileOf({ source, read }: Pick<FileRead, 'source'> & { readonly read: FileRead['read'] | undefined }): EditorFile {
    const cached = this.files.get(source)
    if (cached?.read === read && cached) return cached
    const file = editorFile({ source, read })
    this.files.set(source, file)
    return file
  }

  private async look(): Promise<Looked | undefined> {
    const { reader, host } = this
    const texts = this.textsNow().map((text) => folderText(text, reader.host.nameOf))
    const opened = await reader.open(texts, this.settings, this.isLoose, collecting([], host))
    if (!opened) return undefined
    const catalogue = await collecting([], host)(() => reader.host.catalogue(opened.main), undefined)
    if (!catalogue) return undefined
    await this.pause()
    const adjacentPaths = this.isLoose ? [] : await reader.host.findTestsAndConfigs()
    return {
      opened,
      catalogue,
      operations: await reader.host.operations(opened.main),
      testsAndConfigs: adjacentPaths.flatMap((path): EditorFile[] => {
        const text = reader.host.read(path)
        if ('message' in text) return []
        const source = sourceOf(reader.host.nameOf(path), text.text)
        const knownFile = this.adjacentFiles.get(source.path)
        const file = knownFile?.source.text === source.text ? knownFile : editorFile({ source })
        this.adjacentFiles.set(source.path, file)
        return [file]
      }),
    }
  }

  /** The texts to read, with pauses for other work. */
  private *paced(texts: readonly (TextGiven | Problem)[]) {
    const { host } = this
    let next = host.now() + turn
    for (const each of texts) {
      if (host.now() < next) yield each
      else
        yield new Promise<TextGiven | Problem>((done) =>
          host.after(0, () => {
            next = host.now() + turn
            done(each)
          }),
        )
    }
  }
}
