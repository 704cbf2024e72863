import type { Settings } from '../names.ts'
import type { Name, NameKind } from './names.ts'
import type { EditorFile } from './workspace.ts'

/**
 * Which names are in which files. Whoever owns a workspace makes one and hands it to each state of the workspace, so that a key
 * that is pressed costs the names of one file and not of all.
 */
export class NameIndex {
  /** By kind and name, the files that hold it. */
  private readonly byKind: Record<NameKind, Map<string, Set<EditorFile>>> = {
    policy: new Map(),
    identity: new Map(),
    resource: new Map(),
    resourceGroup: new Map(),
    permissionsGroup: new Map(),
  }
  private readonly known = new Map<string, EditorFile>()
  private settings: Settings | undefined

  /** Take in the files as they are now. */
  update(files: ReadonlyMap<string, EditorFile>, settings: Settings): void {
    if (this.settings !== settings) this.clear()
    const last = this.settings ?? settings
    this.settings = settings
    for (const [path, file] of this.known) if (files.get(path) !== file) this.remove(path, file, last)
    for (const [path, file] of files) if (!this.known.has(path)) this.add(path, file, settings)
  }

  /** The names of a kind. */
  names(kind: NameKind): Iterable<string> & { readonly size: number; has(text: string): boolean } {
    const own = this.byKind[kind]
    return { size: own.size, has: (text) => own.has(text), [Symbol.iterator]: () => own.keys() }
  }

  /** The files that hold a name. */
  filesOf({ kind, text }: Name): Iterable<EditorFile> {
    return this.byKind[kind].get(text) ?? []
  }

  private add(path: string, file: EditorFile, settings: Settings): void {
    this.known.set(path, file)
    for (const { kind, text } of file.names(settings)) {
      const files = this.byKind[kind].get(text)
      if (files) files.add(file)
      else this.byKind[kind].set(text, new Set([file]))
    }
  }

  private remove(path: string, file: EditorFile, settings: Settings): void {
    this.known.delete(path)
    for (const { kind, text } of file.names(settings)) {
      const files = this.byKind[kind].get(text)
      files?.delete(file)
      if (files?.size === 0) this.byKind[kind].delete(text)
    }
  }

  private clear(): void {
    this.known.clear()
    for (const own of Object.values(this.byKind)) own.clear()
  }
}
