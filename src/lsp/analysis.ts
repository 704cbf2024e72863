import type { Diagnostic as Shown } from 'vscode-languageserver'
import { defaultDocs } from '../report/words.ts'
import type { Notation } from '../source.ts'
import { type Found, foundOf, unreadOf } from './findings.ts'
import { FolderLint, type FolderText } from './folder.ts'
import type { Host } from './host.ts'
import type { Encoding } from './positions.ts'
import { type EditorSettings, usualSettings } from './settings.ts'

/** A text that the editor has open. */
export interface TextGiven {
  readonly uri: string
  readonly file: string | undefined
  readonly text: string
  readonly notation: Notation | undefined
}

/** A folder of the workspace, and what the editor has set for it. */
export interface FolderGiven {
  /** Absolute. */
  readonly root: string
  readonly settings: EditorSettings
}

/** What was found in one text or file. */
export interface FileReport {
  readonly uri: string
  readonly found: readonly Found[]
  /** Problems that are no findings: the file could not be read. */
  readonly unread: readonly Shown[]
}

/** What was found in a workspace: plain data, so that it may come from another thread. */
export interface Report {
  readonly files: readonly FileReport[]
  /** What cannot be used and has no place in a file, in words. */
  readonly messages: readonly string[]
  /** For each folder, the file of the configuration that holds, by the folder's root. */
  readonly configs: Readonly<Record<string, string>>
  /** The folders of all files that were looked at: sorted. */
  readonly folders: readonly string[]
}

/** What looks at the texts of a workspace: in this thread, or in another one. */
export interface Analyser {
  readonly setUp: (encoding: Encoding, folders: readonly FolderGiven[]) => void
  readonly put: (texts: readonly TextGiven[]) => void
  readonly drop: (uris: readonly string[]) => void
  /** Lint all folders and texts as they are now. */
  readonly lint: () => Promise<Report>
  readonly close: () => void
}

/** Looks at the texts of a workspace in this thread. */
export class Analysis implements Analyser {
  private readonly host: Host
  private encoding: Encoding = 'utf-16'
  private settings = new Map<string, EditorSettings>()
  private readonly lints = new Map<string, FolderLint>()
  private readonly texts = new Map<string, TextGiven>()
  private readonly byFile = new Map<string, TextGiven>()

  constructor(host: Host) {
    this.host = host
  }

  setUp(encoding: Encoding, folders: readonly FolderGiven[]): void {
    this.encoding = encoding
    this.settings = new Map(folders.map(({ root, settings }) => [root, settings]))
  }

  put(texts: readonly TextGiven[]): void {
    for (const text of texts) {
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

  async lint(): Promise<Report> {
    const { host } = this
    const roots = [...this.settings.keys()]
    const texts = new Map<string, TextGiven[]>(roots.map((root) => [root, []]))
    for (const text of this.texts.values()) {
      const root = this.rootOf(text)
      texts.set(root, [...(texts.get(root) ?? []), text])
    }
    for (const root of this.lints.keys()) if (!texts.has(root)) this.lints.delete(root)
    const files = new Map<string, { readonly found: Found[]; readonly unread: Shown[] }>()
    const at = (uri: string) => {
      const known = files.get(uri) ?? { found: [], unread: [] }
      files.set(uri, known)
      return known
    }
    const messages: string[] = []
    const folders = new Set<string>(roots)
    const configs: Record<string, string> = {}
    for (const [root, own] of texts) {
      const lint = this.lintIn(root)
      const folder = host.folder(root, this.textAt)
      const settings = this.settings.get(root) ?? [...this.settings.values()][0] ?? usualSettings
      const isLoose = !this.settings.has(root)
      const found = await lint.lint(
        own.map((text) => this.folderText(text, folder.nameOf)),
        settings,
        isLoose,
      )
      const uriOf = (path: string) => this.uriOf(path, folder.fileOf)
      const showing = { encoding: this.encoding, uriOf, docs: found.main?.docs ?? defaultDocs(host.version) }
      const isOwn = (path: string) => this.texts.has(path) || this.rootOf({ file: folder.fileOf(path) }) === root
      for (const finding of found.findings) {
        const { path } = finding.span.source
        if (isOwn(path)) at(uriOf(path)).found.push(foundOf(finding, showing))
      }
      for (const problem of found.problems) if (isOwn(problem.path)) at(uriOf(problem.path)).unread.push(unreadOf(problem))
      for (const { message, diagnostics } of found.unusable) {
        if (diagnostics.length === 0) messages.push(message)
        for (const finding of diagnostics) at(uriOf(finding.span.source.path)).found.push(foundOf(finding, showing))
      }
      for (const file of found.files) folders.add(host.folderOf(file))
      const config = found.main?.files.at(-1)
      if (config !== undefined) configs[root] = folder.fileOf(config)
    }
    return {
      files: [...files].map(([uri, each]) => ({ uri, ...each })),
      messages: [...new Set(messages)],
      configs,
      folders: [...folders].sort(),
    }
  }

  close(): void {}

  private readonly textAt = (file: string) => this.byFile.get(file)?.text

  private lintIn(root: string): FolderLint {
    const known = this.lints.get(root) ?? new FolderLint(this.host.folder(root, this.textAt), this.host)
    this.lints.set(root, known)
    return known
  }

  /** The folder that a text belongs to: the innermost of the workspace, else its own; of a text in no file, the first one. */
  private rootOf({ file }: Pick<TextGiven, 'file'>): string {
    const roots = [...this.settings.keys()]
    if (file === undefined) return roots[0] ?? this.host.cwd
    const around = roots.filter((root) => this.host.isWithin(file, root)).sort((a, b) => b.length - a.length)
    return around[0] ?? this.host.folderOf(file)
  }

  private folderText({ uri, file, text, notation }: TextGiven, nameOf: (file: string) => string): FolderText {
    return { path: file === undefined ? uri : nameOf(file), file, text, notation }
  }

  private uriOf(path: string, fileOf: (path: string) => string): string {
    if (this.texts.has(path)) return path
    const file = fileOf(path)
    return this.byFile.get(file)?.uri ?? this.host.uriOf(file)
  }
}
