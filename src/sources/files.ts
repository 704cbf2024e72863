import type { Assumption, Skipped } from '../coverage.ts'
import type { Diagnostic } from '../diagnostic.ts'
import type { Tools } from '../hcl/tools.ts'
import type { IgnoreComment } from '../parser/comments.ts'
import type { Facts } from '../parser/policy.ts'
import type { ReadConfigured, ReadExamples, ReadSource } from '../parser/read.ts'
import type { Source } from '../source.ts'
import type { Problem } from './limits.ts'

/** A text to be read. */
export interface TextGiven {
  readonly source: Source
  /** Its path: absolute, with `/`. Left out where it is not known. */
  readonly file?: string | undefined
  /** It is meant to hold policies, and not found by a search: it is a problem where it holds none. */
  readonly isNamed?: boolean
  /** Its contents are not those of the file at that path: they come from git, or from standard input. */
  readonly isElsewhere?: boolean
  /** The folders around it, in the same state; without them, there is nothing around it. */
  readonly around?: Folders
  /** Its name is one of our own: what it is for is read elsewhere, and policies do not belong there. */
  readonly isOwn?: true
}

/** A file that was read, and what was understood of it. */
export interface FileRead {
  readonly source: Source
  readonly read: ReadSource
  /** Its path; undefined where it is not known, or where other contents were read than the file at that path has. */
  readonly file: string | undefined
}

/** Everything that was read for a run. */
export interface ReadFiles {
  /** The files that hold policies or what they refer to, sorted by their paths. */
  readonly each: readonly FileRead[]
  /** Their paths, as they are printed. */
  readonly files: readonly string[]
  readonly facts: readonly Facts[]
  readonly diagnostics: readonly Diagnostic[]
  /** The comments that suppress findings. */
  readonly ignores: readonly IgnoreComment[]
  /** Sources that were not read to the end. */
  readonly broken: ReadonlySet<Source>
  /** Files that could not be read at all. */
  readonly problems: readonly Problem[]
  /** Files that were found and not read, and why. */
  readonly passed: readonly Skipped[]
  /** Assumptions about files that were read, and about missing ones. */
  readonly assumptions: readonly Assumption[]
  /** The root modules of the configurations of Terraform among them. */
  readonly roots: readonly RootModule[]
  /** Missing parts, which matter only for decisions. */
  readonly unread: readonly Diagnostic[]
  /** Facts about variables that the settings give values to. */
  readonly variables?: ConfigurationFiles['variables']
  /** A file was refused, or a named one holds no policy: the answer is incomplete. */
  readonly isPartial: boolean
}

/** A file of a configuration that was given to be read. */
export type GivenFile = Required<Omit<TextGiven, 'around' | 'isOwn'>>

/**
 * The other files in the folders of configurations, and what functions in them need: handed in by the caller. Paths are absolute,
 * with `/`.
 */
export interface Folders {
  /** The folder that relative paths are relative to. */
  readonly cwd: string
  /** Nothing above this folder is read. */
  readonly top: string
  /** A path as it is printed. */
  readonly nameOf: (path: string) => string
  /** The names in a folder; none where it is no folder. */
  readonly list: (path: string) => readonly string[]
  /** The text of a file, without following links; `link` for a symbolic link, undefined where it cannot be read. */
  readonly read: (path: string) => { readonly text: string } | 'link' | undefined
  /** Files given from git are from the same commit, or the same index, as these folders. */
  readonly isSameState?: boolean
  /** A file of values of the run as it is here; undefined where it is not here. Without it, as it was read. */
  readonly values?: (source: Source) => Source | undefined
  /** The tools of functions; `folders`: those whose files they may read. */
  readonly tools: (texts: readonly string[], folders: readonly string[]) => Promise<Tools>
}

/** The files of configurations, as they were read. */
export interface ConfigurationFiles {
  /** Each with what it says; undefined where it is no part of anything of ours. */
  readonly reads: readonly (TextGiven & { readonly read: ReadConfigured | ReadExamples | undefined })[]
  /** In the order of their paths. */
  readonly roots: readonly RootModule[]
  /** Missing parts other than those of root modules: nothing is decided without them. */
  readonly unread: readonly Diagnostic[]
  /** Assumptions other than those of root modules. */
  readonly assumptions: readonly Assumption[]
  /** Where the settings give values to variables. */
  readonly variables?: {
    /** Problems of the files of values. */
    readonly diagnostics: readonly Diagnostic[]
    /** The variables that root modules declare; undefined where not all of them could be read. */
    readonly declared: readonly string[] | undefined
  }
}

/** A folder that no other one calls: with the local modules that it calls, it makes a configuration. */
export interface RootModule {
  /** Absolute, with `/`. */
  readonly path: string
  /** Its path as it is printed. */
  readonly name: string
  /** Another one calls a module of policies that this one calls too: each is the same thing for another stage or account. */
  readonly isVariant: boolean
  /** Calls of local modules that are not there, or out of what may be read. */
  readonly unread: readonly Diagnostic[]
  /** Its assumptions. */
  readonly assumptions: readonly Assumption[]
}

/** A file whose policies are each a world by itself, as it was read. */
export interface FencesRead {
  readonly read: ReadExamples
  /** Parts that are not linted, and why. */
  readonly passed: readonly Skipped[]
  /** Why not all of it was read. */
  readonly refusal?: string
}

/** A text that may hold manifests, and its whole path. */
export interface Around {
  readonly source: Source
  readonly file: string
}

/** The facts of several sources together. */
export function allFacts(parts: readonly Facts[]): Facts {
  const settle = parts.find((part) => part.settle)?.settle
  return {
    policies: parts.flatMap(({ policies }) => policies),
    permissionsGroups: parts.flatMap(({ permissionsGroups }) => permissionsGroups),
    resourceGroups: parts.flatMap(({ resourceGroups }) => resourceGroups),
    resources: parts.flatMap(({ resources }) => resources),
    identities: parts.flatMap(({ identities }) => identities),
    accounts: parts.flatMap(({ accounts }) => accounts),
    credentials: parts.flatMap(({ credentials = [] }) => credentials),
    memberships: parts.flatMap(({ memberships = [] }) => memberships),
    ...(settle && { settle }),
  }
}

/** Whether a text could not be read to its end. */
export function isMalformed({ diagnostics }: Pick<ReadSource, 'diagnostics'>): boolean {
  return diagnostics.some((each) => each.code === 'syntax' && each.severity === 'error')
}

/** The facts of files together. Examples in documents are worlds by themselves, and are not among them. */
export function together(each: readonly FileRead[]) {
  const one = each.filter(({ read }) => read.kind !== 'examples')
  return {
    each,
    files: each.map(({ source }) => source.path),
    facts: one.map(({ read }) => read.facts),
    diagnostics: one.flatMap(({ read }) => read.diagnostics),
    ignores: each.flatMap(({ read }) => read.ignores),
    broken: new Set(each.flatMap(({ read, source }) => (isMalformed(read) ? [source] : []))),
  }
}

/** The same run with other files, or other contents of them. */
export function withReads<T extends ReadFiles>(run: T, each: readonly FileRead[]): T {
  return { ...run, ...together(each) }
}
