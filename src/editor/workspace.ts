import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { Settings } from '../names.ts'
import type { Facts } from '../parser/policy.ts'
import { type ReadSource, readSource } from '../parser/read.ts'
import { type BuiltWorld, buildWorld } from '../parser/world.ts'
import type { Policy, World } from '../policy.ts'
import { compile, type Engine } from '../simulate/engine.ts'
import type { Source } from '../source.ts'
import { denyingIn } from './denied.ts'
import { NameIndex } from './name-index.ts'
import { byKind, type NamesByKind, type Occurrence, occurrencesIn } from './names.ts'
import { type Part, partsOf } from './parts.ts'
import { type Spot, spotsOf } from './spots.ts'

/** What a file is for: policies and facts, policy tests, or the configuration. */
export type Purpose = 'policies' | 'tests' | 'configuration'

/** What is known of a file when it is given to the editor. */
export interface FileGiven {
  readonly source: Source
  /** By default what its name says. */
  readonly purpose?: Purpose
  /** What the linter read of it; left out for files that it does not read, such as policy tests and configurations. */
  readonly read?: ReadSource | undefined
}

/**
 * A file as features see it. Make one for each text of a file and keep it: what is worked out from the text alone is worked
 * out once, when it is first needed.
 */
export interface EditorFile {
  readonly path: string
  readonly source: Source
  readonly purpose: Purpose
  readonly read: ReadSource | undefined
  /** The parts of it with a notation of ours: the whole file, or the fenced code blocks of a document. */
  readonly parts: readonly Part[]
  /** Its texts whose meaning is known. */
  readonly spots: (settings: Settings) => readonly Spot[]
  /** Where names are written in it; the same by the names. */
  readonly occurrences: (settings: Settings) => readonly Occurrence[]
  readonly byName: (settings: Settings) => NamesByKind
  /** What is described in it by a name. */
  readonly definitions: (settings: Settings) => readonly Occurrence[]
}

/** What is known besides the files. */
export interface WorkspaceGiven {
  readonly files: ReadonlyMap<string, EditorFile>
  readonly catalogue: Catalogue
  readonly settings: Settings
  /** Milliseconds since 1970. */
  readonly now: number
  /** Where the documentation is: the pages of rules are below it. */
  readonly docs: string
  /** The operations of the API. */
  readonly operations?: () => readonly Operation[]
  /** Names by the files that hold them, kept by the owner from one state to the next; one of its own where none is given. */
  readonly index?: NameIndex
  /** The text of a file as it was committed last; undefined where it was not. */
  readonly committed?: (path: string) => string | undefined
  /**
   * Reads all files again with another text in the place of one: files of a configuration speak of each other. By itself where
   * none is given.
   */
  readonly readWith?: (source: Source) => Promise<readonly Reading[]>
}

/** A source and what was read of it. */
export interface Reading {
  readonly source: Source
  readonly read?: ReadSource | undefined
}

/** All that features answer from. Make one for each change; what it works out, it keeps. */
export interface Workspace extends WorkspaceGiven {
  readonly operations: () => readonly Operation[]
  readonly readWith: NonNullable<WorkspaceGiven['readWith']>
  /** What the files with policies say together. */
  readonly world: World
  readonly engine: Engine
  /** The policies that deny something without a condition. */
  readonly denying: readonly Policy[]
  /** The names of a kind in all files; the files that hold one. */
  readonly names: NameIndex['names']
  readonly filesOf: NameIndex['filesOf']
}

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
 * Work out what questions about other files need of one. Whoever reads many files does it for each as it comes, so that the
 * first question does not wait for all of them.
 */
export function prepare(file: EditorFile, settings: Settings): void {
  file.byName(settings)
  file.definitions(settings)
}

/** What is worked out for some settings, kept until others are asked about. */
function perSettings<T>(make: (settings: Settings) => T): (settings: Settings) => T {
  let known: { readonly settings: Settings; readonly value: T } | undefined
  return (settings) => {
    if (known?.settings !== settings) known = { settings, value: make(settings) }
    return known.value
  }
}

/** What a file is for, by its name. */
export function purposeOf(path: string): Purpose {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (/^\.grantwise\.(?:ya?ml|json)$/.test(name)) return 'configuration'
  return /\.iamtest\.(?:ya?ml|json)$/.test(name) ? 'tests' : 'policies'
}

/** A workspace over files. The world is built when somebody first asks for it. */
export function workspaceOf(given: WorkspaceGiven): Workspace {
  let built: BuiltWorld | undefined
  let engine: Engine | undefined
  let denying: readonly Policy[] | undefined
  const { index = new NameIndex() } = given
  const indexOf = () => {
    index.update(given.files, given.settings)
    return index
  }
  const worldOf = () => {
    built ??= buildWorld(factsOf(given.files.values()))
    return built.world
  }
  return {
    operations: () => [],
    readWith: async (source) => {
      const others = [...given.files.values()].filter(({ path }) => path !== source.path)
      return [...others, { source, read: await readSource(source, given.settings) }]
    },
    ...given,
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

/** What files say of the one world. The examples in documents are worlds of their own. */
export function factsOf(files: Iterable<Reading>): readonly Facts[] {
  return [...files].flatMap(({ read }) => (read && read.kind !== 'examples' ? [read.facts] : []))
}
