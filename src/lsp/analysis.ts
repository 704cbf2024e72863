import type { Diagnostic as Shown } from 'vscode-languageserver'
import { pushTo } from '../collections.ts'
import type { Configuration } from '../lint/config.ts'
import { defaultDocs } from '../report/words.ts'
import type { Notation } from '../source.ts'
import { unsavedUri } from './documents.ts'
import { foundOf, otherPrefixOf, type ShownFinding, unreadOf } from './findings.ts'
import { lintFolder } from './folder.ts'
import type { FolderHost, Host } from './host.ts'
import type { Encoding } from './positions.ts'
import { FolderReader, type FolderText } from './reader.ts'
import { type EditorSettings, usualSettings } from './settings.ts'

/** A text that the editor has open. */
export interface TextGiven {
  readonly uri: string
  readonly file: string | undefined
  /** Of the source: what readers get of a text that is in no file. */
  readonly path: string
  readonly text: string
  readonly notation: Notation | undefined
}

/** A folder of the workspace, and what the editor has set for it. */
export interface FolderGiven {
  /** Absolute. */
  readonly root: string
  readonly settings: EditorSettings
}

/** The findings in one text or file. */
export interface FileReport {
  readonly uri: string
  readonly found: readonly ShownFinding[]
  /** Where entries about it go under `ignores`, and how they name it: the configuration may have to be created. */
  readonly config: { readonly file: string; readonly pattern: string } | undefined
  /** Problems that are no findings: the file could not be read. */
  readonly unread: readonly Shown[]
}

/** The findings in a workspace: plain data, so that it may come from another thread. */
export interface Report {
  readonly files: readonly FileReport[]
  /** Problems without a place in a file, in words. */
  readonly messages: readonly string[]
  /** The folders of all files that were looked at: sorted. */
  readonly folders: readonly string[]
}

/** The analysis of the texts of a workspace: in this thread, or in another one. */
export interface Analyser {
  readonly setUp: (encoding: Encoding, folders: readonly FolderGiven[]) => void
  readonly put: (texts: readonly TextGiven[]) => void
  readonly drop: (uris: readonly string[]) => void
  /** Lint all present folders and texts. Undefined where the run was interrupted. */
  readonly lint: () => Promise<Report | undefined>
  /** End the present run as soon as possible: its input has changed. What it has read is used by the next one. */
  readonly interrupt: () => void
  readonly close: () => void
}

/** Ends a run whose report is not wanted any more. */
class Interrupted extends Error {}

/** The analysis of a workspace's texts in this thread. */
export class Analysis implements Analyser {
  private readonly host: Host
  private isInterrupted = false
  private readonly isUnwanted: () => boolean
  private encoding: Encoding = 'utf-16'
  private settings = new Map<string, EditorSettings>()
  private readonly readers = new Map<string, FolderReader>()
  private readonly texts = new Map<string, TextGiven>()
  private readonly byFile = new Map<string, TextGiven>()

  /** `isUnwanted`: whether another thread has interrupted the present run. */
  constructor(host: Host, isUnwanted: () => boolean = () => false) {
    this.host = host
    this.isUnwanted = isUnwanted
  }

  setUp(encoding: Encoding, folders: readonly FolderGiven[]): void {
    this.encoding = encoding
    this.settings = new Map(folders.map(({ root, settings }) => [root, settings]))
  }

  put(openTexts: readonly TextGiven[]): void {
    for (const text of openTexts) {
      this.texts.set(text.uri, text)
      if (text.file !== undefined) this.byFile.set(text.file, text)
    }
  }

  drop(uris: readonly string[]): void {
    for (const uri of uris) {
      const text = this.texts.get(uri)
      this.texts.delete(uri)
      if (text?.file !== undefined && this.byFile.get(text.file)?.uri === uri) this.byFile.delete(text.file)
    }
  }

  /** Have configurations read anew by the next run, whether or not anything has changed. */
  forgetConfigurations(): void {
    for (const reader of this.readers.values()) reader.forgetConfigurations()
  }

  async lint(): Promise<Report | undefined> {
    this.isInterrupted = false
    try {
      return await this.report()
    } catch (error) {
      if (error instanceof Interrupted) return undefined
      throw error
    }
  }

  interrupt(): void {
    this.isInterrupted = true
  }

  private readonly checkpoint = () => {
    if (this.isInterrupted || this.isUnwanted()) throw new Interrupted()
  }

  private async report(): Promise<Report> {
    const { host } = this
    const roots = [...this.settings.keys()]
    const texts = new Map<string, TextGiven[]>(roots.map((root) => [root, []]))
    for (const text of this.texts.values()) {
      const root = this.rootOf(text)
      pushTo(texts, root, text)
    }
    for (const root of this.readers.keys()) if (!texts.has(root)) this.readers.delete(root)
    const files = new Map<string, { readonly found: ShownFinding[]; readonly unread: Shown[]; config: FileReport['config'] }>()
    const findingsAt = (uri: string) => {
      const known = files.get(uri) ?? { found: [], unread: [], config: undefined }
      files.set(uri, known)
      return known
    }
    const messages: string[] = []
    const folders = new Set<string>(roots)
    for (const [root, ofRoot] of texts) {
      const reader = this.readerOf(root)
      const folder = reader.host
      const settings = this.settings.get(root) ?? [...this.settings.values()][0] ?? usualSettings
      const isLoose = !this.settings.has(root)
      const folderTexts = ofRoot.map((text) => folderText(text, folder.nameOf))
      const folderFindings = await lintFolder(reader, folderTexts, settings, isLoose, host)
      const uriOf = (path: string) => this.uriOf(path, folder.fileOf)
      const showing = { encoding: this.encoding, uriOf, docs: folderFindings.main?.docs ?? defaultDocs }
      const isOwn = (path: string) => this.texts.has(unsavedUri(path)) || this.rootOf({ file: folder.fileOf(path) }) === root
      for (const finding of folderFindings.findings) {
        const { path } = finding.span.source
        if (!isOwn(path)) continue
        const file = findingsAt(uriOf(path))
        file.found.push(foundOf(finding, showing))
        file.config ??= configFor(path, folderFindings.configOf, folder)
      }
      for (const problem of folderFindings.problems) if (isOwn(problem.path)) findingsAt(uriOf(problem.path)).unread.push(unreadOf(problem))
      for (const problem of folderFindings.ofOtherPrefix) findingsAt(uriOf(problem.path)).unread.push(otherPrefixOf(problem))
      for (const { message, diagnostics } of folderFindings.unusable) {
        if (diagnostics.length === 0) messages.push(message)
        for (const finding of diagnostics) findingsAt(uriOf(finding.span.source.path)).found.push(foundOf(finding, showing))
      }
      for (const file of folderFindings.files) folders.add(host.folderOf(file))
    }
    return {
      files: [...files].map(([uri, each]) => ({ uri, ...each })),
      messages: [...new Set(messages)],
      folders: [...folders].sort(),
    }
  }

  close(): void {}

  private readonly textAt = (file: string) => this.byFile.get(file)?.text

  private readerOf(root: string): FolderReader {
    const known = this.readers.get(root) ?? new FolderReader(this.host.folder(root, this.textAt), this.checkpoint)
    this.readers.set(root, known)
    return known
  }

  private rootOf(text: Pick<TextGiven, 'file'>): string {
    return rootOf(text, [...this.settings.keys()], this.host)
  }

  private uriOf(path: string, fileOf: (path: string) => string): string {
    const unsaved = unsavedUri(path)
    if (this.texts.has(unsaved)) return unsaved
    const file = fileOf(path)
    return this.byFile.get(file)?.uri ?? this.host.uriOf(file)
  }
}

/** The folder that a text belongs to: the innermost of the workspace, else its own; of a text in no file, the first one. */
export function rootOf({ file }: Pick<TextGiven, 'file'>, roots: readonly string[], host: Host): string {
  if (file === undefined) return roots[0] ?? host.cwd
  const around = roots.filter((root) => host.isWithin(file, root)).sort((a, b) => b.length - a.length)
  return around[0] ?? host.folderOf(file)
}

export function folderText({ path, file, text, notation }: TextGiven, nameOf: (file: string) => string): FolderText {
  return { path: file === undefined ? path : nameOf(file), file, text, notation }
}

/** The place for an entry of `ignores` about a file; undefined where the file is outside of the configuration's folder. */
function configFor(path: string, configOf: ((path: string) => Configuration) | undefined, host: FolderHost): FileReport['config'] {
  const config = configOf?.(path)
  if (!config) return undefined
  const file = host.portable(host.fileOf(path))
  const prefix = config.folder.endsWith('/') ? config.folder : `${config.folder}/`
  if (!file.startsWith(prefix)) return undefined
  const nearestConfig = config.files.at(-1)
  return { file: host.fileOf(nearestConfig ?? '.grantwise.yaml'), pattern: file.slice(prefix.length) }
}
