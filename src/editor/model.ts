import type { Catalogue } from '../actions/catalogue.ts'
import type { Operation } from '../actions/operations.ts'
import type { BlameReport } from '../answers/blame.ts'
import type { Settings } from '../names.ts'
import type { ReadSource } from '../parser/read.ts'
import type { Policy, World } from '../policy.ts'
import type { Engine } from '../simulate/engine.ts'
import type { Located, Range, Source } from '../source.ts'
import type { LooseEntry, LooseMap, LooseText } from './loose/nodes.ts'
import type { Part } from './parts.ts'

/** The types of the editor: meanings of strings in a file, names, files, and the workspace. */

/** The meaning of a string. */
export type Role =
  | 'policyName'
  | 'identity'
  | 'group'
  | 'resource'
  | 'resourceGroupId'
  | 'resourceType'
  | 'permissionsGroup'
  | 'action'
  | 'account'
  | 'conditionOperator'
  | 'conditionKey'
  | 'conditionValue'
  | 'instant'
  | 'day'
  | 'address'
  | 'tagKey'
  | 'tagValue'
  | 'region'
  | 'path'
  | 'extends'
  | 'ruleCode'
  | 'ruleLevel'
  | 'module'
  | 'accessRule'
  | 'method'
  | 'accessPath'

/** A place of a document: what it holds. */
export interface Shape {
  readonly role: Role | undefined
  /** The text describes what it names, and does not only refer to it. */
  readonly isDefinition: boolean
  /** The values that it may have, where they are few. */
  readonly choices: readonly string[]
  readonly holds: 'text' | 'list' | 'map' | 'flag' | 'number'
  readonly about: string
  /** The fields of a map; none for one with free keys. */
  readonly fields: readonly FieldShape[]
  /** Of a map with free keys, what they mean. */
  readonly keyRole: Role | undefined
  readonly field: (name: string, entry?: LooseEntry) => Shape | undefined
  readonly item: (index: number) => Shape | undefined
}

export interface FieldShape {
  readonly name: string
  readonly isRequired: boolean
  /** Only the service writes it. */
  readonly isGiven: boolean
  /** In HCL: a block, and no attribute. */
  readonly isBlock: boolean
  readonly about: string
  readonly shape: Shape
}

/** A text of a part whose meaning is known. */
export interface Spot {
  readonly part: Part
  readonly node: LooseText
  readonly role: Role
  readonly isDefinition: boolean
  /** The key of which it is the value, or an item. */
  readonly key: LooseText | undefined
  /** The list of a permission set that it is in, or the field of a document. */
  readonly field: string
  /** The map that it is a value in; undefined for a key, and for items of lists. */
  readonly around: LooseMap | undefined
}

export type NameKind = 'policy' | 'identity' | 'resource' | 'resourceGroup' | 'permissionsGroup'

export interface Name {
  readonly kind: NameKind
  /** A URN; of a policy its name, of a resource group its id. */
  readonly text: string
}

/** A place where a name is written. */
export interface Occurrence extends Name {
  readonly path: string
  /** The name in the file, without quotes. */
  readonly range: Range
  /** It describes what it names. */
  readonly isDefinition: boolean
  /** Where it is written as it reads; of what expressions give, where each of its units is, if that is known. */
  readonly written: Located<string> | undefined
  readonly spot: Spot | undefined
}

/** Where names are written, by kind and name. */
export type NamesByKind = ReadonlyMap<NameKind, ReadonlyMap<string, readonly Occurrence[]>>

/** The purpose of a file: policies and facts, policy tests, or the configuration. */
export type Purpose = 'policies' | 'tests' | 'configuration'

/** A file as given to the editor. */
export interface FileGiven {
  readonly source: Source
  /** By default what its name says. */
  readonly purpose?: Purpose
  /** The linter's reading of it; absent for files that it does not read, such as policy tests and configurations. */
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
  /** Its strings whose meaning is known. */
  readonly spots: (settings: Settings) => readonly Spot[]
  /** Where names are written in it; the same by the names. */
  readonly occurrences: (settings: Settings) => readonly Occurrence[]
  readonly byName: (settings: Settings) => NamesByKind
  /** The named objects that it describes. */
  readonly definitions: (settings: Settings) => readonly Occurrence[]
}

/** The context of a workspace, next to its files. */
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
  /** The index of names by the files that hold them, kept by the owner from one state to the next; a new one by default. */
  readonly index?: NameLookup
  /** The text of a file as it was committed last; undefined where it was not. */
  readonly committed?: (path: string) => string | undefined
  /** Since when the entries of a file have their effect, in the commits of the branch; or why that is not known. */
  readonly blame?: (path: string) => Promise<BlameReport | { readonly why: string }>
  /**
   * Reads all files again with another text in place of one, since files of a configuration refer to each other. By default only
   * that text.
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
  /** The world of all files with policies. */
  readonly world: World
  readonly engine: Engine
  /** The policies that deny something without a condition. */
  readonly denying: readonly Policy[]
  /** The names of a kind in all files; the files that hold one. */
  readonly names: NameLookup['names']
  readonly filesOf: NameLookup['filesOf']
}

/** Which names are in which files, kept from one state of a workspace to the next. */
export interface NameLookup {
  /** Take in the files as they are now. */
  readonly update: (files: ReadonlyMap<string, EditorFile>, settings: Settings) => void
  /** The names of a kind. */
  readonly names: (kind: NameKind) => Iterable<string> & { readonly size: number; has(text: string): boolean }
  /** The files that hold a name. */
  readonly filesOf: (name: Name) => Iterable<EditorFile>
}
