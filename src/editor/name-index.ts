import { addTo } from '../collections.ts'
import type { Settings } from '../names.ts'
import type { EditorFile, Name, NameKind, NameLookup } from './model.ts'

/**
 * The index of which names are in which files. The owner of a workspace makes one and hands it to each state of the workspace, so
 * that a key press costs only the names that are added and removed.
 */
export class NameIndex implements NameLookup {
  /** By kind and name, the paths of the files that hold it. */
  private readonly byKind: Record<NameKind, Map<string, Set<string>>> = {
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
    this.settings = settings
    for (const [path, file] of this.known) if (!files.has(path)) this.replace(path, file, undefined, settings)
    for (const [path, file] of files) {
      const before = this.known.get(path)
      if (before !== file) this.replace(path, before, file, settings)
    }
  }

  /** The names of a kind. */
  names(kind: NameKind): Iterable<string> & { readonly size: number; has(text: string): boolean } {
    const own = this.byKind[kind]
    return { size: own.size, has: (text) => own.has(text), [Symbol.iterator]: () => own.keys() }
  }

  /** The files that hold a name. */
  filesOf({ kind, text }: Name): Iterable<EditorFile> {
    return [...(this.byKind[kind].get(text) ?? [])].flatMap((path) => this.known.get(path) ?? [])
  }

  private replace(path: string, before: EditorFile | undefined, after: EditorFile | undefined, settings: Settings): void {
    const [old, now] = [before?.byName(settings), after?.byName(settings)]
    for (const [kind, names] of old ?? []) {
      const byName = this.byKind[kind]
      for (const text of names.keys()) {
        if (now?.get(kind)?.has(text)) continue
        const paths = byName.get(text)
        paths?.delete(path)
        if (paths?.size === 0) byName.delete(text)
      }
    }
    for (const [kind, names] of now ?? []) {
      const byName = this.byKind[kind]
      for (const text of names.keys()) {
        if (old?.get(kind)?.has(text)) continue
        addTo(byName, text, path)
      }
    }
    if (after) this.known.set(path, after)
    else this.known.delete(path)
  }

  private clear(): void {
    this.known.clear()
    for (const own of Object.values(this.byKind)) own.clear()
  }
}
