import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { Settings } from '../names.ts'
import type { Facts } from '../parser/policy.ts'
import type { ReadSource } from '../parser/read.ts'
import { type BuiltWorld, buildWorld } from '../parser/world.ts'
import type { World } from '../policy.ts'
import { compile, type Engine } from '../simulate/engine.ts'
import type { Source } from '../source.ts'
import { type Part, partsOf } from './parts.ts'

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
  /** The text of a file as it was committed last; undefined where it was not. */
  readonly committed?: (path: string) => string | undefined
}

/** All that features answer from. Make one for each change; what it works out, it keeps. */
export interface Workspace extends WorkspaceGiven {
  readonly operations: () => readonly Operation[]
  /** What the files with policies say together. */
  readonly world: World
  readonly engine: Engine
}

/** A file for a workspace. */
export function editorFile({ source, purpose = purposeOf(source.path), read }: FileGiven): EditorFile {
  let parts: readonly Part[] | undefined
  return {
    path: source.path,
    source,
    purpose,
    read,
    get parts() {
      parts ??= partsOf(source)
      return parts
    },
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
  const worldOf = () => {
    built ??= buildWorld(factsOf(given.files.values()))
    return built.world
  }
  return {
    operations: () => [],
    ...given,
    get world() {
      return worldOf()
    },
    get engine() {
      engine ??= compile(worldOf())
      return engine
    },
  }
}

/** What files say of the one world. The examples in documents are worlds of their own. */
function factsOf(files: Iterable<EditorFile>): readonly Facts[] {
  return [...files].flatMap(({ read }) => (read && read.kind !== 'examples' ? [read.facts] : []))
}
