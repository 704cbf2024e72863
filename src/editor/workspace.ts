import type { Settings } from '../names.ts'
import type { Facts } from '../parser/policy.ts'
import { readSource } from '../parser/read-source.ts'
import { type BuiltWorld, buildWorld } from '../parser/world.ts'
import type { Policy } from '../policy.ts'
import { compile, type Engine } from '../simulate/engine.ts'
import { denyingIn } from './denied.ts'
import type { EditorFile, FileGiven, Purpose, Reading, Workspace, WorkspaceGiven } from './model.ts'
import { NameIndex } from './name-index.ts'
import { byKind, occurrencesIn } from './names.ts'
import { type Part, partsOf } from './parts.ts'
import { spotsOf } from './spots.ts'

/** A file for a workspace. */
export function editorFile({ source, purpose = purposeOf(source.path), read }: FileGiven): EditorFile {
  let parts: readonly Part[] | undefined
  const file: EditorFile = {
    path: source.path,
    source,
    purpose,
    read,
    get parts() {
      parts ??= partsOf(source)
      return parts
    },
    spots: perSettings((settings) => file.parts.flatMap((part) => spotsOf(part, file, settings))),
    occurrences: perSettings((settings) => occurrencesIn(file, settings)),
    byName: perSettings((settings) => byKind(file.occurrences(settings))),
    definitions: perSettings((settings) => file.occurrences(settings).filter(({ isDefinition }) => isDefinition)),
  }
  return file
}

/**
 * Compute the parts of one file that questions about other files need. Readers of many files call it for each one, so that the
 * first question does not wait for all of them.
 */
export function prepare(file: EditorFile, settings: Settings): void {
  file.byName(settings)
  file.definitions(settings)
}

/** A function whose latest result is kept while the settings stay the same. */
function perSettings<T>(make: (settings: Settings) => T): (settings: Settings) => T {
  let latest: { readonly settings: Settings; readonly value: T } | undefined
  return (settings) => {
    if (latest?.settings !== settings) latest = { settings, value: make(settings) }
    return latest.value
  }
}

/** The purpose of a file, by its name. */
export function purposeOf(path: string): Purpose {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/^\.grantwise\.(?:ya?ml|json)$/.test(name)) return 'configuration'
  return /\.iamtest\.(?:ya?ml|json)$/.test(name) ? 'tests' : 'policies'
}

/** A workspace over files. The world is built on first use. */
export function workspaceOf(workspaceGiven: WorkspaceGiven): Workspace {
  let built: BuiltWorld | undefined
  let engine: Engine | undefined
  let denying: readonly Policy[] | undefined
  const { index = new NameIndex() } = workspaceGiven
  const indexOf = () => {
    index.update(workspaceGiven.files, workspaceGiven.settings)
    return index
  }
  const worldOf = () => {
    built ??= buildWorld(factsOf(workspaceGiven.files.values()))
    return built.world
  }
  return {
    operations: () => [],
    readWith: async (source) => {
      const others = [...workspaceGiven.files.values()].filter(({ path }) => path !== source.path)
      return [...others, { source, read: await readSource(source, workspaceGiven.settings) }]
    },
    ...workspaceGiven,
    get world() {
      return worldOf()
    },
    get engine() {
      engine ??= compile(worldOf())
      return engine
    },
    get denying() {
      denying ??= denyingIn(worldOf().policies)
      return denying
    },
    names: (kind) => indexOf().names(kind),
    filesOf: (name) => indexOf().filesOf(name),
  }
}

/** The facts of files for the one world. The examples in documents are separate worlds. */
export function factsOf(files: Iterable<Reading>): readonly Facts[] {
  return [...files].flatMap(({ read }) => (read && read.kind !== 'examples' ? [read.facts] : []))
}
