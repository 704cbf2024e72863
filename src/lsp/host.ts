import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { BlameReport } from '../answers/blame.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Configuration } from '../lint/config.ts'
import type { Baseline } from '../lint/lint-files.ts'
import type { GivenLevels } from '../lint/profile.ts'
import type { Notation } from '../source.ts'
import type { Folders } from '../sources/files.ts'
import type { Problem } from '../sources/limits.ts'
import type { EditorSettings } from './settings.ts'

/** A file that a search found, or that was named. */
export interface Candidate {
  /** As shown to users. */
  readonly path: string
  /** Absolute. */
  readonly file: string
  readonly notation: Notation
  readonly isNamed: boolean
}

/** The configurations of a folder. */
export interface Configs {
  readonly main: Configuration
  /** Read the configurations of files, given as shown to users. */
  readonly load: (paths: Iterable<string>) => Promise<void>
  readonly of: (path: string) => Configuration
  readonly all: () => readonly Configuration[]
}

/** The kind of a file for the server, by its name; undefined for one that may hold policies. */
export type Kind = 'config' | 'test' | undefined

/** Why something that says how to work cannot be used. */
export interface Unusable {
  readonly message: string
  /** Its problems at their places, where it is a text. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The server's access to the files around a folder. Texts that the editor has open replace those of files. */
export interface FolderHost {
  /** Absolute. */
  readonly root: string
  /** The absolute path of one that is shown to users. */
  readonly fileOf: (path: string) => string
  /** A path as shown to users. */
  readonly nameOf: (file: string) => string
  /** A path with `/`, on every system. */
  readonly portable: (file: string) => string
  readonly kindOf: (file: string) => Kind
  /** The notation of a file that is named; undefined for one that is never read. */
  readonly notationOf: (file: string) => Notation | undefined
  /** The nearest configurations, read again where one has changed. Rejects with what `refusal` knows. */
  readonly openConfigs: (settings: EditorSettings) => Promise<Configs>
  /**
   * Configurations with the rules of their modules, as far as the server was started with permission to load these. `report` gets
   * the problems of the others.
   */
  readonly withRules: (configs: Configs, report: (problems: readonly Diagnostic[]) => void) => Promise<Configs>
  /** The files that the folder's configuration selects. */
  readonly find: (
    main: Configuration,
    settings: EditorSettings,
  ) => Promise<{ readonly candidates: readonly Candidate[]; readonly problems: readonly Problem[] }>
  /** Whether a file, were it there, would be looked at. */
  readonly wants: (main: Configuration) => Promise<(file: string) => boolean>
  /** Changes whenever a file does; undefined where it is not there. */
  readonly stampOf: (file: string) => string | undefined
  /** The text of a file on the disk, or why there is none. */
  readonly read: (file: string) => { readonly text: string } | { readonly message: string }
  readonly folders: Folders
  /** The files of policy tests, and configurations: absolute. */
  readonly findTestsAndConfigs: () => Promise<readonly string[]>
  /** The text of a file as it was committed last; undefined where it was not. */
  readonly committed: (file: string) => string | undefined
  /** The commit that is checked out; undefined where there is none. */
  readonly head: () => string | undefined
  /** Since when the entries of a file have their effect. `pause` is awaited now and then. Rejects with what `refusal` knows. */
  readonly blame: (file: string, settings: EditorSettings, pause: () => Promise<void>) => Promise<BlameReport>
  readonly catalogue: (main: Configuration) => Promise<Catalogue>
  readonly operations: (main: Configuration) => Promise<readonly Operation[]>
  readonly levels: (settings: EditorSettings, configs: readonly Configuration[]) => GivenLevels
  readonly baseline: (file: string) => Baseline
  /** Refuse rules that configurations name and that do not exist. */
  readonly checkConfigs: (configs: readonly Configuration[]) => void
}

/** The server's access to the machine. */
export interface Host {
  readonly now: () => number
  /** Do something later, in milliseconds. Returns what takes it back. */
  readonly after: (wait: number, act: () => void) => () => void
  readonly version: string
  /** The folder that the program runs in: absolute. */
  readonly cwd: string
  /** The path of a file that a URI names, with all links on the way to it followed; undefined for one that names no file. */
  readonly fileOf: (uri: string) => string | undefined
  /** The same for a folder of the workspace, which may itself be a link. */
  readonly rootOf: (uri: string) => string | undefined
  readonly uriOf: (file: string) => string
  /** The text of a file on the disk; undefined where there is none. */
  readonly textOf: (file: string) => string | undefined
  /** The folder that a file is in. */
  readonly folderOf: (file: string) => string
  /** Whether a path is a folder, or below it. */
  readonly isWithin: (file: string, folder: string) => boolean
  readonly folder: (root: string, texts: Texts) => FolderHost
  /** The message of a thrown refusal; undefined for a fault of the program. */
  readonly refusal: (error: unknown) => Unusable | undefined
}

/** The texts that an editor has open, by absolute paths. */
export type Texts = (file: string) => string | undefined
